package desk

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Encode is a call as the database keeps it: its payload, and the content that is erased once the call is settled.
func Encode(c Call) (payload, content []byte, err error) {
	payload, err = json.Marshal(c)
	carried, _ := CarriedBy(c)
	return payload, carried.Raw, err
}

// Decode is the inverse of Encode. An unknown kind or a broken payload is an error, never a guess.
func Decode(kind string, payload, content []byte) (Call, error) {
	switch kind {
	case "relay_to_topic":
		c, err := decode[RelayToTopic](payload)
		c.Raw = content
		return c, err
	case "relay_to_user":
		c, err := decode[RelayToUser](payload)
		c.Raw = content
		return c, err
	case "edit_copy":
		c, err := decode[EditCopy](payload)
		c.Raw = content
		return c, err
	case "react":
		return decode[React](payload)
	case "unsend":
		return decode[Unsend](payload)
	case "open_topic":
		return decode[OpenTopic](payload)
	case "say":
		return decode[Say](payload)
	case "edit_notice":
		return decode[EditNotice](payload)
	case "refresh_card":
		return decode[RefreshCard](payload)
	case "pin_card":
		return decode[PinCard](payload)
	case "rename_topic":
		return decode[RenameTopic](payload)
	case "delete_message":
		return decode[DeleteMessage](payload)
	case "delete_stray_topic":
		return decode[DeleteStrayTopic](payload)
	case "answer_press":
		return decode[AnswerPress](payload)
	}
	return nil, fmt.Errorf("unknown kind of call %q", kind)
}

func decode[C Call](payload []byte) (c C, err error) {
	if err = json.Unmarshal(payload, &c); err == nil && string(payload) == "null" {
		err = errors.New("nothing")
	}
	if err != nil {
		err = fmt.Errorf("decode %s: %w", c.Kind(), err)
	}
	return c, err
}
