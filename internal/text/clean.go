package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// nothing stands where a person's string has nothing to see in it, so that a sentence keeps its shape.
const nothing = "–"

const ellipsis = "…"

// Units is the length of s as Telegram counts it, for limits and entities alike: in UTF-16 code units.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// Cut shortens s to so many UTF-16 units. It cuts only between characters as people see them and marks the place with "…"; what
// fits stays as it is.
func Cut(s string, units int) string {
	if len(s) <= units || Units(s) <= units {
		return s
	}
	if units < 1 {
		return ""
	}
	kept, room := 0, units-1
	for rest, state := s, -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		room -= Units(cluster)
		if room < 0 {
			break
		}
		kept += len(cluster)
	}
	return strings.TrimRightFunc(s[:kept], unicode.IsSpace) + ellipsis
}

// Clean makes a person's string harmless inside a line of ours: line breaks and other control characters become a space, and
// the characters that turn the direction of everything after them go. All else stays, markup included.
func Clean(s string) string {
	s = strings.TrimSpace(s)
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return breaks(r) || turns(r) }) {
		return s
	}
	var clean strings.Builder
	gap := false
	for _, r := range s { // a byte that is not UTF-8 comes as U+FFFD
		switch {
		case turns(r):
		case breaks(r):
			gap = true
		default:
			if gap {
				clean.WriteByte(' ')
			}
			gap = false
			clean.WriteRune(r)
		}
	}
	return strings.TrimSpace(clean.String())
}

// breaks holds for control characters and Unicode's line and paragraph separators.
func breaks(r rune) bool { return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 }

// turns holds for bidirectional embeddings, overrides and isolates.
func turns(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

func orNothing(s string) string {
	if blank(s) {
		return nothing
	}
	return s
}

// blank holds if there is nothing to see: only spaces, joiners, marks without a letter, and the fillers people use as empty names.
func blank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		switch r {
		case 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0:
			return false
		}
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r)
	})
}
