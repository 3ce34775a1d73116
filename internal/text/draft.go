package text

import (
	"slices"
	"strings"
)

// A draft is a text being put together that still knows which of its words are ours.
type draft struct {
	runs  []run
	fixed int // units of our own words
}

type run struct {
	text   string
	theirs bool
}

// ours adds what is never cut.
func (d *draft) ours(words string) {
	d.fixed += Units(words)
	d.runs = append(d.runs, run{text: words})
}

// theirs adds what a person wrote, which may be cut.
func (d *draft) theirs(words string) {
	d.runs = append(d.runs, run{text: orNothing(words), theirs: true})
}

// fit joins the draft within the limit. What people wrote shares the room that our words leave: each gets as much as the longest
// that is cut, so that a long note does not cost a short name its end.
func (d *draft) fit(limit int) string {
	share := d.share(limit - d.fixed)
	var joined strings.Builder
	for _, r := range d.runs {
		if r.theirs {
			r.text = Cut(r.text, share)
		}
		joined.WriteString(r.text)
	}
	return joined.String()
}

// share is how many units each string of people may have so that all of them fit into room.
func (d *draft) share(room int) int {
	var lengths []int
	for _, r := range d.runs {
		if r.theirs {
			lengths = append(lengths, Units(r.text))
		}
	}
	slices.Sort(lengths)
	for i, length := range lengths {
		waiting := len(lengths) - i
		if length*waiting > room {
			return room / waiting
		}
		room -= length
	}
	return wholeMessage
}
