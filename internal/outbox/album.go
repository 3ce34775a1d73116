package outbox

import (
	"slices"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hodor/db"
	"hodor/internal/desk"
	"hodor/internal/text"
)

// An album is copied as a whole. copyMessages cannot reply, and so an album that does is first sent anew as a group. Where only a part
// arrived, or nobody can say which part, its items follow one by one, each with its own fallbacks.

// planAlbum decides the next step of an album on its way.
func (o *Outbox) planAlbum(tx *db.Tx, row db.CallRow, c desk.Copied, items []db.AlbumItem, to target) (decision, error) {
	mode, stage := albumStage(row.Stage)
	begun := slices.ContainsFunc(items, func(i db.AlbumItem) bool { return i.Result != 0 })
	if mode == "" && len(items) > 1 && !begun {
		return decision{send: o.wholeAlbum(stage, items, to)}, nil
	}
	next := slices.IndexFunc(items, func(i db.AlbumItem) bool { return i.Result == 0 && !i.GivenUp })
	if next < 0 {
		return decision{settle: db.Sent}, nil
	}
	item := items[next]
	if begun || next > 0 {
		to.dress = dress{} // the first item alone replies
	}
	r := o.attempt(stage, row.Reason, desk.Copied{User: c.User, Source: item.Source, Content: item.Content, Raw: item.Raw}, to)
	r.item = item
	return decision{send: r}, nil
}

// albumStage takes the stage of an album apart: how it is sent, "" as a whole, and the stage of that.
func albumStage(stage string) (mode, of string) {
	for _, mode := range []string{stageSingly, stageDoubled} {
		if rest, ok := strings.CutPrefix(stage, mode); ok {
			return mode, strings.TrimPrefix(rest, "/")
		}
	}
	return "", stage
}

// wholeAlbum is the request that carries all items at once.
func (o *Outbox) wholeAlbum(stage string, items []db.AlbumItem, to target) *request {
	if to.dress = to.at(stage); stage == stageTyped {
		to.dress = dress{} // with the reply it was refused
	}
	r := &request{family: sends, chat: to.chat, thread: to.thread, items: len(items), dress: to.dress}
	if group := asMediaGroup(items); group != nil && (to.reply != nil || stage == stageTyped) {
		r.step, r.params = stepGroup, &bot.SendMediaGroupParams{ChatID: int64(to.chat), MessageThreadID: int(to.thread), Media: group,
			ReplyParameters: to.reply}
		return r
	}
	ids := make([]int, 0, len(items))
	for _, i := range items {
		ids = append(ids, int(i.Source))
	}
	r.step, r.dress = stepCopies, dress{}
	r.params = &bot.CopyMessagesParams{ChatID: int64(to.chat), MessageThreadID: int(to.thread), FromChatID: int64(to.from), MessageIDs: ids}
	return r
}

// asMediaGroup is the album as it can be sent anew; nil if some item cannot.
func asMediaGroup(items []db.AlbumItem) []models.InputMedia {
	media := make([]models.InputMedia, 0, len(items))
	for _, i := range items {
		m := readContent(i.Raw)
		one := m.medium()
		if one == nil || m.splits() {
			return nil
		}
		media = append(media, one)
	}
	return media
}

// albumArrived writes down which item became which message. Telegram promises no order of its answer, and may leave some out without
// saying which: then nobody knows, and they are sent one by one.
func (s settlement) albumArrived(tx *db.Tx, row db.CallRow, c desk.Copied) error {
	items, err := tx.AlbumItems(row.ID)
	if err != nil {
		return err
	}
	if len(items) != len(s.result.messages) {
		for i, id := range s.result.messages[:min(len(items), len(s.result.messages))] {
			if err := tx.NoteLoose(row.ID, items[i].Source, id); err != nil {
				return err
			}
		}
		row.Stage, row.Items = stageDoubled, 1
		return s.next(tx, row, nil)
	}
	for i, id := range slices.Sorted(slices.Values(s.result.messages)) {
		item := s
		item.request = &request{item: items[i], thread: s.request.thread, dress: s.request.dress}
		if err := item.itemStands(tx, row, c, id); err != nil {
			return err
		}
		items[i].Result = id
	}
	return s.albumEnds(tx, row, items)
}

func (s settlement) itemStands(tx *db.Tx, row db.CallRow, c desk.Copied, as desk.MessageID) error {
	if err := tx.SettleItem(row.ID, s.request.item.Source, as); err != nil {
		return err
	}
	return s.enter(tx, row, s.atHand(c), as)
}

// itemArrived goes on with the item after this one.
func (s settlement) itemArrived(tx *db.Tx, row db.CallRow, c desk.Copied) error {
	as := s.result.message
	if row.Step == stepWords {
		if err := s.enterWords(tx, row, c); err != nil {
			return err
		}
		as = row.Result
	}
	if err := s.itemStands(tx, row, c, as); err != nil {
		return err
	}
	return s.nextItem(tx, row)
}

// nextItem owes the step that carries the next item, or ends the album.
func (s settlement) nextItem(tx *db.Tx, row db.CallRow) error {
	items, err := tx.AlbumItems(row.ID)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(items, func(i db.AlbumItem) bool { return i.Result == 0 && !i.GivenUp }) {
		row.Stage, _ = albumStage(row.Stage)
		if row.Result, row.Doubts = 0, 0; row.Reason != reasonGone { // otherwise the next topic that is gone is the second
			row.Attempts, row.Reason = 0, ""
		}
		return s.next(tx, row, nil)
	}
	if mode, _ := albumStage(row.Stage); mode == stageDoubled {
		if err := tx.Owe(desk.Say{To: row.Lane, Lines: []desk.Text{text.AlbumDoubled()}}); err != nil {
			return err
		}
	}
	return s.albumEnds(tx, row, items)
}

// albumEnds settles an album whose items have all been carried or given up.
func (s settlement) albumEnds(tx *db.Tx, row db.CallRow, items []db.AlbumItem) (err error) {
	missing := slices.ContainsFunc(items, func(i db.AlbumItem) bool { return i.GivenUp })
	stands := slices.IndexFunc(items, func(i db.AlbumItem) bool { return i.Result != 0 })
	if stands >= 0 {
		row.Result = items[stands].Result
		err = s.relayed(tx, row, !missing)
	} else {
		err = s.rewriteNotice(tx, row, text.AlbumIncomplete())
	}
	if err != nil {
		return err
	}
	if missing {
		return s.end(tx, row, db.Refused, "items")
	}
	return s.end(tx, row, db.Sent, "")
}
