package outbox

import "hodor/internal/desk"

// air counts the calls under way by chat. A chat that answers slowly may have half of the senders and no more, so that it holds up
// nobody else: the group has as many lanes as there are people.
type air struct {
	calls map[desk.ChatID]int
	crowd map[desk.ChatID][]desk.Lane // who waits for a place
}

// full tells whether the chat has as many calls under way as it may; then the lane will be woken when one lands.
func (a *air) full(chat desk.ChatID, l desk.Lane, senders int) bool {
	if chat == 0 || a.calls[chat] < max(1, senders/2) {
		return false
	}
	a.crowd[chat] = append(a.crowd[chat], l)
	return true
}

func (a *air) rise(chat desk.ChatID) { a.calls[chat]++ }

// land frees a place, and returns who may have it; false if nobody waits.
func (a *air) land(chat desk.ChatID) (next desk.Lane, waits bool) {
	if a.calls[chat]--; a.calls[chat] <= 0 {
		delete(a.calls, chat)
	}
	crowd := a.crowd[chat]
	if len(crowd) == 0 {
		delete(a.crowd, chat)
		return desk.Lane{}, false
	}
	a.crowd[chat] = crowd[1:]
	return crowd[0], true
}
