package desk_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"hodor/internal/desk"
)

var update = flag.Bool("update", false, "rewrite the golden file")

var at = time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)

// everyCall holds one call of each kind, with every field set: what databases out there may hold.
var everyCall = []desk.Call{
	desk.RelayToTopic{Copied: desk.Copied{User: 7, Source: 5, Content: "text", ReplyTo: 4, Album: "a", Items: true, Edited: true,
		Raw: []byte(`{"text":"hi"}`)}},
	desk.RelayToUser{Copied: desk.Copied{User: 7, Source: 5, Content: "photo", ReplyTo: 4, Album: "a", Items: true, Edited: true,
		Raw: []byte(`{"photo":[]}`)}},
	desk.OpenTopic{User: 7, CardOnly: true},
	desk.Say{To: desk.ThreadLane(9), Lines: []desk.Text{{Key: "gone", Args: map[string]string{"name": "Ann <b>"}, Count: 2}, {Key: "bye"}},
		ReplyTo: 5, Again: 3, Prompt: true, Failure: true},
	desk.EditNotice{To: desk.UserLane(7), Message: 6, Lines: []desk.Text{{Key: "sent"}}, Again: 3,
		Otherwise: &desk.Say{To: desk.TopicLane(7), Lines: []desk.Text{{Key: "sent", Args: map[string]string{"Name": "Ann"}, Count: 2}},
			ReplyTo: 5, Again: 3, Prompt: true, Failure: true}},
	desk.RefreshCard{User: 7},
	desk.PinCard{User: 7},
	desk.RenameTopic{User: 7},
	desk.DeleteMessage{From: desk.GeneralLane(), Message: 6,
		Otherwise: &desk.Say{To: desk.TopicLane(7), Lines: []desk.Text{{Key: "sent", Args: map[string]string{"Name": "Ann"}, Count: 2}},
			ReplyTo: 5, Again: 3, Prompt: true, Failure: true}},
	desk.DeleteStrayTopic{Thread: 9},
	desk.AnswerPress{Query: "q1", Line: &desk.Text{Key: "done"}, Lang: "de", Press: 77, At: at},
	desk.EditCopy{To: desk.UserLane(7), Copied: desk.Copied{User: 7, Source: 5, Content: "text", ReplyTo: 4, Album: "a", Items: true,
		Edited: true, Raw: []byte(`{"text":"ho"}`)}},
	desk.React{To: desk.ReactionLane(5), Message: 5, Emoji: "👍", At: at},
	desk.Unsend{User: 7, Message: 5, Command: 6, Also: []desk.MessageID{4}, Copies: []desk.MessageID{8}, Maybe: true},
}

// The payloads are a wire format: a call written by an older program must be read by a newer one. Fields are only added.
func TestPayloadsAreTheGoldenOnes(t *testing.T) {
	var got bytes.Buffer
	for _, c := range everyCall {
		payload, content, err := desk.Encode(c)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s\t%s\t%s\n", c.Kind(), payload, content)
	}
	golden := filepath.Join("testdata", "calls.golden")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("calls are written in another way than before:\n%swant:\n%s", got.String(), want)
	}
}

// What the golden file holds is read as the calls that it was written from.
func TestGoldenPayloadsAreRead(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("testdata", "calls.golden"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(file), "\n"), "\n")
	if len(lines) != len(everyCall) {
		t.Fatalf("%d lines for %d calls", len(lines), len(everyCall))
	}
	for i, line := range lines {
		part := strings.Split(line, "\t")
		var content []byte
		if part[2] != "" {
			content = []byte(part[2])
		}
		got, err := desk.Decode(part[0], []byte(part[1]), content)
		if err != nil || !reflect.DeepEqual(got, everyCall[i]) {
			t.Errorf("%s\n got %#v, %v\nwant %#v", line, got, err, everyCall[i])
		}
	}
}

// A kind that is missing in everyCall, or a field that is zero there, would be watched by nobody.
func TestGoldenFileHasEveryKindAndField(t *testing.T) {
	kinds := make(map[string]bool)
	for _, c := range everyCall {
		if kinds[c.Kind()] {
			t.Errorf("two of kind %s", c.Kind())
		}
		kinds[c.Kind()] = true
		wantSet(t, c.Kind(), reflect.ValueOf(c))
	}
	tree, err := parser.ParseFile(token.NewFileSet(), "calls.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.Name == "Kind" {
			kind := fn.Body.List[0].(*ast.ReturnStmt).Results[0].(*ast.BasicLit).Value
			if !kinds[strings.Trim(kind, `"`)] {
				t.Errorf("no call of kind %s", kind)
			}
		}
	}
}

// wantSet complains of zero fields; of a list, the first one counts.
func wantSet(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch {
	case v.IsZero() && !strings.HasSuffix(name, ".To.ID") && !strings.HasSuffix(name, ".From.ID"):
		if v.Kind() != reflect.Map && !strings.HasSuffix(name, ".Line.Args") && !strings.HasSuffix(name, ".Line.Count") &&
			!strings.Contains(name, "edit_notice.Lines") {
			t.Errorf("%s is not set", name)
		}
	case v.Type() == reflect.TypeFor[time.Time](), v.Type() == reflect.TypeFor[json.RawMessage]():
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			wantSet(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case v.Kind() == reflect.Slice:
		wantSet(t, name, v.Index(0))
	case v.Kind() == reflect.Pointer:
		wantSet(t, name, v.Elem())
	}
}
