package bot_test

import (
	"fmt"
	"slices"
	"time"

	"hodor/internal/emulator"
)

// What people and admins do in a storm, and what the other side must show for it. The desk under test has no part in this model: it is
// made from what was done, and from when the desk was told.

// A talk is all that was done.
type talk struct {
	pieces   []*piece
	byTag    map[string]*piece
	byFile   map[string]*piece
	bySource map[emulator.Ref]*piece
	albums   []*bundle
	reacted  map[emulator.Ref]*reaction
	removals []*removal
	blocked  map[int64]time.Time        // when the person last blocked or let in the bot
	locked   map[int64]bool             // who blocks it
	gone     map[int][]emulator.Message // what stood in a topic when it was deleted
}

func newTalk() talk {
	return talk{byTag: map[string]*piece{}, byFile: map[string]*piece{}, bySource: map[emulator.Ref]*piece{},
		reacted: map[emulator.Ref]*reaction{}, blocked: map[int64]time.Time{},
		locked: map[int64]bool{}, gone: map[int][]emulator.Message{}}
}

// A piece is one message, an item of an album too.
type piece struct {
	user    int64 // whose conversation it is
	out     bool  // an admin wrote it
	chat    int64
	thread  int // of an admin's
	id      int
	tag     string // stands in each of its texts and in no other's
	forms   []form // what it has shown
	since   int    // the copy may end as any form from here on; before the desk knew that its topic is closed, or not, none is sure
	told    int    // since, when the desk last heard of all
	atOnce  int    // how many of the forms the desk heard of together with the message
	at      time.Time
	heardAt time.Time // when the desk heard of it
	album   *bundle
	replyTo int
	quote   string
	private bool // team talk
	mayMiss bool // written where nobody can say what becomes of it
}

// A form is what a message shows.
type form struct{ kind, text, file string }

// A bundle is an album.
type bundle struct {
	name  string
	items []*piece
	open  bool
}

// A reaction is what somebody last reacted with.
type reaction struct {
	user  int64
	emoji string
	at    time.Time
}

// A removal is a /del.
type removal struct {
	piece     *piece
	target    int
	command   int
	thread    int
	at        time.Time
	unsettled bool // its topic was closed or deleted: nobody need have been told
}

// heard notes that the desk was told of everything so far.
func (s *storm) heard(at time.Time) {
	for _, p := range s.pieces {
		if p.heardAt.IsZero() {
			p.heardAt, p.atOnce = at, len(p.forms)
		}
		p.told = p.since
	}
}

func (s *storm) say() {
	user := pick(s, s.people)
	for range 1 + s.rnd.IntN(3) {
		s.write(&piece{user: user, chat: user}, s.content)
	}
}

func (s *storm) answer() {
	user := pick(s, s.people)
	if thread := s.topicOf(user); s.alive(thread) {
		s.write(&piece{user: user, out: true, chat: s.tg.Group(), thread: thread}, s.content)
	}
}

// teamTalk must not leave the topic.
func (s *storm) teamTalk() {
	if thread := s.topicOf(pick(s, s.people)); s.alive(thread) {
		p := &piece{out: true, chat: s.tg.Group(), thread: thread, private: true}
		s.write(p, func(text string) emulator.Content { return emulator.Text("//" + text) })
	}
}

// content is something that says a text, if it can say anything.
func (s *storm) content(text string) emulator.Content {
	switch s.rnd.IntN(10) {
	case 0:
		return emulator.Photo(text)
	case 1:
		return emulator.Video(text)
	case 2:
		return emulator.Document(text)
	case 3:
		return emulator.Voice(text)
	case 4:
		return emulator.Sticker()
	case 5:
		return emulator.Photo("")
	}
	return emulator.Text(text)
}

// write lets somebody write, perhaps in reply to something.
func (s *storm) write(p *piece, content func(string) emulator.Content) {
	side := "from"
	if p.out {
		side = "to"
	}
	p.tag, p.at = fmt.Sprintf("%s %d: %d;", side, p.user, len(s.pieces)), s.clock.Now()
	c := content(p.tag)
	if p.album != nil {
		c = c.InAlbum(p.album.name)
	} else if m, ok := s.anyMessage(p.chat, p.thread); ok && !p.private && s.once(3) {
		p.replyTo = m.ID
		if n := len(m.Text); n > 4 && s.once(3) {
			p.quote = m.Text[2 : n-1]
			c = c.Quoting(p.quote)
		}
	}
	if p.out {
		p.id = s.tg.PostReplyWith(admin, p.thread, p.replyTo, c)
	} else {
		if s.locked[p.user] {
			s.locked[p.user], s.blocked[p.user] = false, s.clock.Now() // who writes lets the bot in
		}
		p.id = s.tg.ReplyWith(p.user, p.replyTo, c)
	}
	s.pieces, s.byTag[p.tag], s.bySource[emulator.Ref{Chat: p.chat, Message: p.id}] = append(s.pieces, p), p, p
	s.newForm(p)
	s.note("%s %q, number %d in %d/%d, reply to %d, album %v", p.forms[0].kind, p.tag, p.id, p.chat, p.thread, p.replyTo, p.album)
}

func (b *bundle) String() string {
	if b == nil {
		return "none"
	}
	return fmt.Sprint(b.name, " of ", len(b.items))
}

// newForm notes what the message shows now.
func (s *storm) newForm(p *piece) {
	m, ok := s.source(p)
	if !ok {
		s.t.Fatalf("%q is not where it was written", p.tag)
	}
	p.forms = append(p.forms, form{m.Kind, m.Text, m.File})
	if m.File != "" {
		s.byFile[m.File] = p
	}
	if !p.out || !s.topic(p.thread).Closed {
		p.since = len(p.forms) - 1
	}
}

// standing is what stands in a private chat, or in a topic.
func (s *storm) standing(chat int64, thread int) []emulator.Message {
	if chat == s.tg.Group() {
		return s.tg.Topic(thread)
	}
	return s.tg.Chat(chat)
}

func (s *storm) source(p *piece) (emulator.Message, bool) {
	list := s.standing(p.chat, p.thread)
	i := slices.IndexFunc(list, func(m emulator.Message) bool { return m.ID == p.id })
	if i < 0 {
		return emulator.Message{}, false
	}
	return list[i], true
}

// anyMessage is some message that somebody wrote, or its copy; rather one of the newest.
func (s *storm) anyMessage(chat int64, thread int) (emulator.Message, bool) {
	list := slices.DeleteFunc(s.standing(chat, thread), func(m emulator.Message) bool {
		p := s.pieceOf(chat, m)
		return p == nil || p.private
	})
	if len(list) == 0 {
		return emulator.Message{}, false
	}
	if n := len(list); n > 8 && s.once(2) {
		list = list[n-8:]
	}
	return pick(s, list), true
}

// pieceOf is the message that this one is, or a copy of; nil if it is neither.
func (s *storm) pieceOf(chat int64, m emulator.Message) *piece {
	if !m.FromBot {
		return s.bySource[emulator.Ref{Chat: chat, Message: m.ID}]
	}
	if tag := tagRule.FindString(m.Text); tag != "" {
		return s.byTag[tag]
	}
	return s.byFile[m.File]
}

// album begins an album; what of it does not come at once comes later.
func (s *storm) album() {
	user := pick(s, s.people)
	b := &bundle{name: fmt.Sprint("album ", len(s.albums)), open: true}
	p := piece{user: user, chat: user, album: b}
	if s.once(2) {
		p.out, p.chat, p.thread = true, s.tg.Group(), s.topicOf(user)
		if !s.alive(p.thread) {
			return
		}
	}
	if m, ok := s.anyMessage(p.chat, p.thread); ok && s.once(4) {
		p.replyTo = m.ID
	}
	s.albums = append(s.albums, b)
	for range 1 + s.rnd.IntN(10) {
		s.addItem(p)
	}
}

func (s *storm) addItem(p piece) {
	b := p.album
	media := []func(string) emulator.Content{emulator.Photo, emulator.Video}
	if len(b.items) > 0 && b.items[0].forms[0].kind == "document" || len(b.items) == 0 && s.once(4) {
		media = media[:0]
		media = append(media, emulator.Document)
	}
	item := &p
	b.items = append(b.items, item)
	s.write(item, func(text string) emulator.Content {
		if s.once(3) {
			text = ""
		}
		return pick(s, media)(text)
	})
	b.open = len(b.items) < 10
}

// nextItem sends one more item of an album, perhaps long after the others.
func (s *storm) nextItem() {
	open := slices.DeleteFunc(slices.Clone(s.albums), func(b *bundle) bool { return !b.open })
	if len(open) == 0 {
		return
	}
	b := open[len(open)-1]
	if s.once(4) {
		b = pick(s, open)
	}
	first := b.items[0]
	if first.out && !s.alive(first.thread) {
		b.open = false
		return
	}
	s.addItem(piece{user: first.user, out: first.out, chat: first.chat, thread: first.thread, album: b, replyTo: first.replyTo})
	if b.open && s.once(6) {
		b.open = false
	}
}
