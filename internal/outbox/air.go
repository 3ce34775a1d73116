package outbox

import "hodor/internal/desk"

// air counts the calls under way by chat. A chat that answers slowly may have half of the senders and no more, so that it holds up
// nobody else: the group has as many lanes as there are people.
type air struct {
	calls map[desk.ChatID]int
	crowd map[desk.ChatID][]desk.Lane // who waits for a place, in order
	waits map[desk.Lane]bool          // the same, so that nobody stands in line twice
}

// full tells whether the chat has as many calls under way as it may; then the lane will be woken when one lands.
func (a *air) full(chat desk.ChatID, l desk.Lane, senders int) bool {
	if chat == 0 || a.calls[chat] < max(1, senders/2) {
		return false
	}
	if !a.waits[l] {
		a.waits[l] = true
		a.crowd[chat] = append(a.crowd[chat], l)
	}
	return true
}

func (a *air) rise(chat desk.ChatID) { a.calls[chat]++ }

func (a *air) land(chat desk.ChatID) {
	if a.calls[chat]--; a.calls[chat] <= 0 {
		delete(a.calls, chat)
	}
}

// next is who may have a free place; false if there is none, or nobody waits.
func (a *air) next(chat desk.ChatID, senders int) (l desk.Lane, waits bool) {
	crowd := a.crowd[chat]
	if len(crowd) == 0 || a.calls[chat] >= max(1, senders/2) {
		return l, false
	}
	delete(a.waits, crowd[0])
	if a.crowd[chat] = crowd[1:]; len(crowd) == 1 {
		delete(a.crowd, chat)
	}
	return crowd[0], true
}
