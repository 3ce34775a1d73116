package bot_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hodor/internal/emulator"
)

// What of a message is carried to the other side, kind by kind, as people see it.
//
//	new         a message of this kind is written
//	as a reply  one is written in reply to an earlier message
//	replied to  it is answered, by its writer and on the other side
//	reaction    somebody reacts to it, on either side, and takes that back
//	by itself   Telegram tells of an edit that nobody made: a preview, a vote, a location that moves
//	edit        its writer changes its words or, where it has none, what it holds
//	exchange    its writer puts another medium into it
//	/del        an admin takes it back
//
// The words for what is seen of it:
//
//	copied      the same content, from the bot
//	forwarded   the same content, with its origin
//	described   a line in the topic says what it was, and its writer is told
//	told        nothing arrives, and who did it is told
//	reply       arrives as a reply to the same message
//	unlinked    arrives, and as a reply to nothing
//	shown       the reaction appears on the other side and goes again
//	hidden      it does not
//	unchanged   nothing is seen of it, and nothing need be
//	edited      the copy shows the new content
//	anew        the new content comes as a reply to the copy, marked as an edit
//	gone        from both sides, and the command as well
//	never       Telegram lets nobody do this to a message of this kind
const (
	seenWhole  = "copied    reply     reply    shown  unchanged edited edited gone" // the words and the medium can be changed
	seenWorded = "copied    reply     reply    shown  unchanged edited never  gone" // only the words
	seenFixed  = "copied    reply     reply    shown  unchanged anew   never  gone" // a bot cannot edit it: the other form comes anew
	seenLong   = "copied    unlinked  reply    shown  unchanged edited edited gone" // what Telegram itself can send on, but a bot not send anew
	seenStill  = "copied    reply     reply    shown  unchanged never  never  gone" // nobody can change it
	seenDice   = "copied    reply     reply    shown  unchanged never  never  told" // Telegram removes none from a private chat for a day
	seenPassed = "forwarded forwarded reply    shown  unchanged never  never  gone" // Telegram copies none, but forwards it
	seenNamed  = "described described unlinked hidden unchanged never  never  told" // nor forwards it
	seenKept   = "told      told      unlinked hidden unchanged never  never  gone" // Telegram copies none, and to a person nothing is forwarded
)

var carriedColumns = strings.Split("new,as a reply,replied to,reaction,by itself,edit,exchange,/del", ",")

// A carriedRow is a kind of message, how its writer can change it, and what is to be seen of it.
type carriedRow struct {
	kind           string
	in, out        string // person → topic, team → person
	contents       []emulator.Content
	itself         func(s side, msg int)
	edit, exchange func(s side, msg int)
}

func reworded(s side, msg int) { s.reword(msg, "changed") }

// livePhoto is a photo that moves.
func livePhoto(caption string) emulator.Content {
	return emulator.Photo(caption).With("live_photo", map[string]any{"file_id": "live", "file_unique_id": "live", "width": 9, "height": 9})
}

func silenced(s side, msg int) { s.reword(msg, "") }

func replacedBy(c emulator.Content) func(side, int) {
	return func(s side, msg int) { s.replace(msg, c) }
}

func one(c emulator.Content) []emulator.Content { return []emulator.Content{c} }

func carriedRows() []carriedRow {
	photo, quiz := emulator.Photo("p"), emulator.Quiz()
	toPhoto, toVideo := replacedBy(emulator.Photo("other")), replacedBy(emulator.Video("other"))
	done := map[string]any{"title": "To do", "tasks": []map[string]any{{"id": 1, "text": "Sleep", "completion_date": 5}, {"id": 2, "text": "Eat"}}}
	list := map[string]any{"title": "Done", "tasks": []map[string]any{{"id": 1, "text": "Sleep"}}}
	voted, moved := side.vote, side.move
	return []carriedRow{
		{"text", seenWhole, seenWhole, one(formatted), nil, reworded, toPhoto},
		{"photo", seenWhole, seenWhole, one(photo), nil, reworded, toVideo},
		{"photo without words", seenWhole, seenWhole, one(emulator.Photo("")), nil, reworded, toPhoto},
		{"hidden photo, words above", seenWhole, seenWhole, one(photo.With("has_media_spoiler", true).CaptionAbove()), nil, reworded, toPhoto},
		{"photo, 2000 characters", seenLong, seenLong, one(emulator.Photo(strings.Repeat("long ", 400))), nil, reworded, toPhoto},
		{"live photo", seenWhole, seenWhole, one(livePhoto("l")), nil, reworded, toPhoto},
		{"album of live photos", seenLong, seenLong, []emulator.Content{livePhoto("l"), livePhoto("")}, nil, reworded, toPhoto},
		{"photo that becomes live", seenFixed, seenFixed, one(photo), nil, replacedBy(livePhoto("l")), nil},
		{"video", seenWhole, seenWhole, one(emulator.Video("v")), nil, silenced, toPhoto},
		{"animation", seenWhole, seenWhole, one(emulator.Animation("a")), nil, reworded, toPhoto},
		{"audio", seenWhole, seenWhole, one(emulator.Audio("s")), nil, reworded, replacedBy(emulator.Audio("other"))},
		{"document", seenWhole, seenWhole, one(emulator.Document("d")), nil, reworded, replacedBy(emulator.Document("other"))},
		{"voice", seenWorded, seenWorded, one(emulator.Voice("v")), nil, reworded, nil},
		{"protected text", seenWhole, seenWhole, one(emulator.Text("secret").Protected()), nil, reworded, toPhoto},
		{"protected photo", seenWhole, seenWhole, one(photo.Protected()), nil, reworded, toVideo},
		{"album of photos", seenWhole, seenWhole, []emulator.Content{photo, emulator.Photo(""), emulator.Photo("q")}, nil, reworded, toVideo},
		{"album of photo and video", seenWhole, seenWhole, []emulator.Content{photo, emulator.Video("")}, nil, reworded, toPhoto},
		{"album of documents", seenWhole, seenWhole, []emulator.Content{emulator.Document("d"), emulator.Document("e")}, nil, reworded,
			replacedBy(emulator.Document("other"))},
		{"album of audio", seenWhole, seenWhole, []emulator.Content{emulator.Audio("d"), emulator.Audio("e")}, nil, reworded,
			replacedBy(emulator.Audio("other"))},

		{"checklist", seenFixed, seenFixed, one(emulator.Checklist()), replacedBy(emulator.Checklist().With("checklist", done)),
			replacedBy(emulator.Checklist().With("checklist", list)), nil},
		{"rich message", seenFixed, seenFixed, one(emulator.RichMessage()), nil,
			replacedBy(emulator.RichMessage().With("rich_message", map[string]any{"blocks": []any{}})), nil},
		{"a kind that came after us", seenFixed, seenFixed, one(emulator.Unknown()), nil,
			replacedBy(emulator.Unknown().With("hologram", map[string]any{"depth": 4})), nil},
		// Nobody can edit these in Telegram's apps today. Should Telegram tell of it all the same, it is not lost.
		{"sticker", seenFixed, seenFixed, one(emulator.Sticker()), nil, replacedBy(emulator.Sticker()), nil},
		{"video note", seenFixed, seenFixed, one(emulator.VideoNote()), nil, replacedBy(emulator.VideoNote()), nil},
		{"contact", seenFixed, seenFixed, one(emulator.Contact("+4930", "Ann")), nil, replacedBy(emulator.Contact("+4930", "Bob")), nil},
		{"game", seenFixed, seenFixed, one(emulator.Game()), nil, replacedBy(emulator.Game().With("game", map[string]any{"title": "Go"})), nil},
		{"story", seenFixed, seenFixed, one(emulator.Story()), nil, replacedBy(emulator.Story().With("story", map[string]any{"id": 4})), nil},

		{"location", seenStill, seenStill, one(emulator.Location()), nil, nil, nil},
		{"live location", seenStill, seenStill, one(emulator.Location().Live(time.Hour)), moved, nil, nil},
		{"venue", seenStill, seenStill, one(emulator.Venue()), nil, nil, nil},
		{"poll", seenStill, seenStill, one(emulator.Poll()), voted, nil, nil},
		{"forwarded from a user", seenStill, seenStill, one(emulator.Text("news").Forwarded("user")), nil, nil, nil},
		{"forwarded from a hidden user", seenStill, seenStill, one(emulator.Text("news").Forwarded("hidden_user")), nil, nil, nil},
		{"forwarded from a channel", seenStill, seenStill, one(photo.Forwarded("channel")), nil, nil, nil},
		{"forwarded from a starship", seenStill, seenStill, one(photo.Forwarded("starship")), nil, nil, nil},
		{"dice", seenDice, seenDice, one(emulator.Dice()), nil, nil, nil},

		{"quiz", seenPassed, seenKept, one(quiz), voted, nil, nil},
		{"paid media", seenPassed, seenKept, one(emulator.PaidMedia()), nil, nil, nil},
		{"giveaway", seenPassed, seenKept, one(emulator.Giveaway()), nil, nil, nil},
		{"invoice", seenPassed, seenKept, one(emulator.Invoice()), nil, nil, nil},
		{"protected quiz", seenNamed, seenKept, one(quiz.Protected()), voted, nil, nil},
		{"protected paid media", seenNamed, seenKept, one(emulator.PaidMedia().Protected()), nil, nil, nil},
	}
}

// The relay rules, kind by kind and both ways. The table in the log is what was seen.
func TestCarried(t *testing.T) {
	seen := map[string][2][]string{}
	for _, row := range carriedRows() {
		t.Run(row.kind, func(t *testing.T) {
			p := newPair(t)
			ways := [2][]string{}
			for i, from := range []side{p.person, p.team} {
				want := strings.Fields([2]string{row.in, row.out}[i])
				ways[i] = p.carry(from, row)
				for n, column := range carriedColumns {
					if got := ways[i][n]; got != want[n] {
						t.Errorf("%s, %s: %s, want %s", [2]string{"person → topic", "team → person"}[i], column, got, want[n])
					}
				}
			}
			seen[row.kind] = ways
		})
	}
	for i, way := range []string{"person → topic", "team → person"} {
		lines := [][]string{append([]string{way}, carriedColumns...)}
		for _, row := range carriedRows() {
			lines = append(lines, append([]string{row.kind}, short(seen[row.kind][i])...))
		}
		t.Log("\n" + aligned(lines))
	}
}

// aligned puts the cells of a table under each other.
func aligned(lines [][]string) string {
	wide := map[int]int{}
	for _, line := range lines {
		for i, cell := range line {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		for i, cell := range line {
			b.WriteString(cell + strings.Repeat(" ", wide[i]-utf8.RuneCountInString(cell)+2))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// short leaves out of a table what is no word: the failure itself says it.
func short(words []string) (list []string) {
	for _, w := range words {
		if strings.ContainsAny(w, "([") {
			w = "?"
		}
		list = append(list, w)
	}
	return list
}
