package db

import "strconv"

// Settings are the switches that the team turns in the group.
type Settings struct {
	VerifyEnabled    bool
	VerifyMode       string // math, button or turnstile
	VerifyGeneration int    // rises with every real change of the two above
}

// Settings reads all switches in one statement, so that no combination is seen that never was. What is missing or unreadable has
// the default given (S12).
func (v View) Settings(defaults Settings) (Settings, error) {
	s := defaults
	err := v.each("SELECT key, value FROM settings", nil, func(scan func(...any) error) error {
		var key, value string
		if err := scan(&key, &value); err != nil {
			return err
		}
		s.set(key, value)
		return nil
	})
	return s, wrapf(err, "read the settings")
}

func (s *Settings) set(key, value string) {
	switch key {
	case "verify_enabled":
		if value == "0" || value == "1" {
			s.VerifyEnabled = value == "1"
		}
	case "verify_mode":
		if value == "math" || value == "button" || value == "turnstile" {
			s.VerifyMode = value
		}
	case "verify_generation":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 {
			s.VerifyGeneration = n
		}
	}
}
