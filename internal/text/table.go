package text

import (
	"slices"
	"strconv"
)

// Limits in UTF-16 units. Telegram sets those of toasts, menus and messages; the others are ours.
const (
	wholeMessage = 4096
	menu         = 256
	toast        = 200
	button       = 64
	oneWord      = 64
)

// An entry is what the code knows of a text, whatever its language.
type entry struct {
	limit        int
	placeholders []string // each must stand in the text, and no other may
}

// counts holds for texts with plural forms.
func (e entry) counts() bool { return slices.Contains(e.placeholders, "Count") }

func limitOf(key string) int {
	if e, known := table[key]; known {
		return e.limit
	}
	return wholeMessage
}

// A value is what may stand for a placeholder. Only the strings of people are cut; the longest of the others is counted as ours.
type value int

const (
	person value = iota // written by a person, an admin or Telegram: a name, a note, a reason
	number              // an id
	count               // desk.Text.Count
	moment              // 2026-01-02 15:04
	kind                // a kind of message, by the Bot API's name; shown by the reader's word for it
)

// placeholders says what each name stands for, in every text that has it.
var placeholders = map[string]value{
	"Name": person, "Username": person, "Language": person, "Note": person, "Reason": person,
	"ID": number, "Count": count, "Time": moment, "Kind": kind,
}

// reserve is the room that a text must leave for each string of a person: less would say nothing.
const reserve = 16

// longest is how many units a value takes at most before anything is cut, and for people's strings what it must have at least.
func (v value) longest() int {
	switch v {
	case person:
		return reserve
	case moment:
		return len("2026-01-02 15:04")
	case kind:
		return oneWord
	default:
		return len("-9223372036854775808")
	}
}

// fill writes the value of a placeholder. What is not a person's is shortened too when it is longer than it can be, which is
// something only a damaged row could bring about.
func (v value) fill(f *filling, name string) {
	switch v {
	case person:
		f.draft.theirs(Clean(f.text.Args[name]))
	case count:
		f.draft.ours(strconv.Itoa(f.text.Count))
	case kind:
		f.draft.ours(word(f.voice, f.text.Args[name]))
	default:
		f.draft.ours(orNothing(Cut(Clean(f.text.Args[name]), v.longest())))
	}
}

// table has every text there is.
var table = map[string]entry{
	// To people.
	"welcome":                     {limit: wholeMessage},
	"refused_banned":              {limit: wholeMessage},
	"refused_too_fast":            {wholeMessage, []string{"Count"}},
	"not_passed_on":               {wholeMessage, []string{"Kind"}},
	"not_delivered_to_team":       {limit: wholeMessage},
	"maybe_not_delivered_to_team": {limit: wholeMessage},
	"try_again":                   {limit: button},
	"edited":                      {limit: button},
	"toast_edited":                {limit: toast},
	"trying_again":                {limit: wholeMessage},
	"delivered_after_all":         {limit: wholeMessage},
	"toast_trying":                {limit: toast},
	"toast_no_longer":             {limit: toast},
	"toast_not_yours":             {limit: toast},

	// The lines of the card.
	"card_name":             {wholeMessage, []string{"Name"}},
	"card_name_username":    {wholeMessage, []string{"Name", "Username"}},
	"card_id":               {wholeMessage, []string{"ID"}},
	"card_language":         {wholeMessage, []string{"Language"}},
	"card_first_contact":    {wholeMessage, []string{"Time"}},
	"card_verified":         {limit: wholeMessage},
	"card_not_verified":     {limit: wholeMessage},
	"card_verification_off": {limit: wholeMessage},
	"card_banned":           {limit: wholeMessage},
	"card_risk":             {limit: wholeMessage},
	"card_blocked":          {limit: wholeMessage},
	"card_deactivated":      {limit: wholeMessage},
	"card_not_started":      {limit: wholeMessage},
	"card_note":             {wholeMessage, []string{"Note"}},

	// Why an admin's message did not arrive.
	"failed_about":           {wholeMessage, []string{"Name", "ID"}},
	"failed_edit":            {limit: wholeMessage},
	"failed_blocked":         {limit: wholeMessage},
	"failed_deactivated":     {limit: wholeMessage},
	"failed_not_started":     {limit: wholeMessage},
	"failed_voice_forbidden": {limit: wholeMessage},
	"failed_cannot_copy":     {wholeMessage, []string{"Kind"}},
	"failed_attempts":        {wholeMessage, []string{"Count"}},
	"failed_uncertain":       {limit: wholeMessage},
	"failed_other":           {wholeMessage, []string{"Reason"}},

	// In a topic.
	"line_not_shown":        {wholeMessage, []string{"Kind", "Reason"}},
	"no_person":             {limit: wholeMessage},
	"topic_closed":          {limit: wholeMessage},
	"topic_not_ready":       {limit: wholeMessage},
	"admins_only":           {limit: wholeMessage},
	"anonymous_not_allowed": {limit: wholeMessage},
	"unknown_command":       {limit: wholeMessage},
	"risk_reminder":         {wholeMessage, []string{"Name"}},
	"banned_reminder":       {wholeMessage, []string{"Name"}},
	"album_doubled":         {limit: wholeMessage},
	"album_incomplete":      {limit: wholeMessage},
	"edit_not_passed_on":    {limit: wholeMessage},
	"album_stays":           {limit: wholeMessage},

	// The answers to /del.
	"del_how":           {limit: wholeMessage},
	"del_unknown":       {limit: wholeMessage},
	"del_too_old":       {limit: wholeMessage},
	"del_refused":       {wholeMessage, []string{"Reason"}},
	"del_maybe_arrived": {limit: wholeMessage},
	"del_here_not":      {limit: wholeMessage},
	"del_uncertain":     {limit: wholeMessage},

	// The answer to /help, line by line, and the menu of commands.
	"help_head":      {limit: wholeMessage},
	"help_del":       {limit: wholeMessage},
	"help_help":      {limit: wholeMessage},
	"help_team_talk": {limit: wholeMessage},
	"help_plain":     {limit: wholeMessage},
	"menu_del":       {limit: menu},
	"menu_help":      {limit: menu},

	// In General.
	"forum_off":        {limit: wholeMessage},
	"topics_vanishing": {limit: wholeMessage},
	"group_migrated":   {wholeMessage, []string{"ID"}},
	"update_failed":    {wholeMessage, []string{"ID"}},
	"topic_gone_twice": {wholeMessage, []string{"Name", "ID"}},

	// Words for the kinds of messages.
	"kind_text":       {limit: oneWord},
	"kind_photo":      {limit: oneWord},
	"kind_live_photo": {limit: oneWord},
	"kind_video":      {limit: oneWord},
	"kind_video_note": {limit: oneWord},
	"kind_voice":      {limit: oneWord},
	"kind_audio":      {limit: oneWord},
	"kind_document":   {limit: oneWord},
	"kind_sticker":    {limit: oneWord},
	"kind_animation":  {limit: oneWord},
	"kind_contact":    {limit: oneWord},
	"kind_location":   {limit: oneWord},
	"kind_venue":      {limit: oneWord},
	"kind_poll":       {limit: oneWord},
	"kind_quiz":       {limit: oneWord},
	"kind_dice":       {limit: oneWord},
	"kind_story":      {limit: oneWord},
	"kind_paid_media": {limit: oneWord},
	"kind_checklist":  {limit: oneWord},
	"kind_game":       {limit: oneWord},
	"kind_invoice":    {limit: oneWord},
	"kind_gift":       {limit: oneWord},
	"kind_giveaway":   {limit: oneWord},
}
