package text

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"hodor/internal/desk"
)

// maxTitle is how many characters Telegram allows a topic's name.
const maxTitle = 128

// TopicTitle is the person's topic title within 128 characters, cut between characters as people see them.
func TopicTitle(p desk.Person) string {
	title := p.TopicTitle()
	kept, room := 0, maxTitle
	for rest, state := title, -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if room -= utf8.RuneCountInString(cluster); room < 0 {
			break
		}
		kept += len(cluster)
	}
	return strings.TrimSpace(title[:kept])
}
