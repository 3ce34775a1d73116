package desk

// Removal removes messages that stand where the lane leads.
func Removal(from Lane, messages ...MessageID) []Call {
	calls := make([]Call, 0, len(messages))
	for _, m := range messages {
		calls = append(calls, DeleteMessage{From: from, Message: m})
	}
	return calls
}

// CarriedBy is the message that a call carries; false if it carries none.
func CarriedBy(c Call) (Copied, bool) {
	switch c := c.(type) {
	case RelayToTopic:
		return c.Copied, true
	case RelayToUser:
		return c.Copied, true
	case EditCopy:
		return c.Copied, true
	}
	return Copied{}, false
}

// WithContent is the call with the newer form of the message that it carries.
func WithContent(c Call, newer Copied) Call {
	switch c := c.(type) {
	case RelayToTopic:
		c.Content, c.Raw = newer.Content, newer.Raw
		return c
	case RelayToUser:
		c.Content, c.Raw = newer.Content, newer.Raw
		return c
	case EditCopy:
		c.Content, c.Raw = newer.Content, newer.Raw
		return c
	}
	return c
}

// About is the one message that a call carries or reacts to, numbered as where that was written; 0 if there is none, or several.
func About(c Call) MessageID {
	if r, ok := c.(React); ok {
		return r.Message
	}
	if carried, ok := CarriedBy(c); ok && !carried.Items {
		return carried.Source
	}
	return 0
}
