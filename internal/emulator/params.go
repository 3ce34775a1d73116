package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// params are the arguments of one call, whatever form they came in: every value as text, nested ones as JSON.
type params struct {
	values  map[string]string
	uploads map[string]upload
	drop    int // how many copies a fault makes disappear
}

// An upload is a file that came with a multipart request.
type upload struct {
	name string
	data []byte
}

const maxBody = 50 << 20

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// readParams takes the arguments from the query string and the body, as the real server does.
func readParams(r *http.Request) (*params, error) {
	p := &params{values: map[string]string{}}
	if r.URL.RawQuery != "" {
		p.addForm(r.URL.Query())
	}
	if r.Body == nil || r.Body == http.NoBody {
		return p, nil
	}
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	buffer.Reset()
	if _, err := buffer.ReadFrom(io.LimitReader(r.Body, maxBody+1)); err != nil {
		return nil, err
	}
	if buffer.Len() > maxBody {
		return nil, errTooLarge
	}
	if buffer.Len() == 0 { // the client sends parameterless calls as multipart with nothing in it
		return p, nil
	}
	return p, p.addBody(r.Header.Get("Content-Type"), buffer.Bytes())
}

var errTooLarge = errors.New("request entity too large")

func (p *params) addBody(contentType string, body []byte) error {
	kind, attributes, err := mime.ParseMediaType(contentType)
	if err != nil {
		return errors.New("unsupported content type")
	}
	switch kind {
	case "multipart/form-data":
		return p.addMultipart(attributes["boundary"], body)
	case "application/json":
		return p.addJSON(body)
	case "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(body))
		p.addForm(form)
		return err
	}
	return errors.New("unsupported content type")
}

func (p *params) addForm(form url.Values) {
	for name, values := range form {
		p.values[name] = values[0]
	}
}

func (p *params) addJSON(body []byte) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil {
		return errors.New("can't parse JSON object")
	}
	for name, raw := range object {
		text := string(raw)
		if text == "null" {
			continue
		}
		if raw[0] == '"' {
			if err := json.Unmarshal(raw, &text); err != nil {
				return errors.New("can't parse JSON object")
			}
		}
		p.values[name] = text
	}
	return nil
}

// addMultipart cuts the body at its boundaries. It is done by hand because it is most of the work of a call.
func (p *params) addMultipart(boundary string, body []byte) error {
	if boundary == "" {
		return errors.New("boundary not found")
	}
	mark := []byte("\r\n--" + boundary)
	_, rest, found := bytes.Cut(body, mark[2:])
	for found && bytes.HasPrefix(rest, []byte("\r\n")) {
		var part []byte
		part, rest, found = bytes.Cut(rest[2:], mark)
		if !found {
			return errors.New("unexpected end of multipart form")
		}
		head, content, ok := bytes.Cut(part, []byte("\r\n\r\n"))
		if !ok {
			return errors.New("part has no headers")
		}
		p.addPart(string(head), content)
	}
	return nil
}

func (p *params) addPart(head string, content []byte) {
	var name, filename string
	isFile := false
	for line := range strings.SplitSeq(head, "\r\n") {
		key, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(key, "Content-Disposition") {
			continue
		}
		if simple, ok := formName(value); ok {
			name = simple
			continue
		}
		_, attributes, err := mime.ParseMediaType(strings.TrimSpace(value))
		if err == nil {
			name = attributes["name"]
			filename, isFile = attributes["filename"]
		}
	}
	if !isFile {
		p.values[name] = string(content)
		return
	}
	if p.uploads == nil {
		p.uploads = map[string]upload{}
	}
	p.uploads[name] = upload{name: filename, data: bytes.Clone(content)}
}

// formName reads the commonest header, ` form-data; name="x"`, without the general parser.
func formName(disposition string) (string, bool) {
	name, ok := strings.CutPrefix(disposition, ` form-data; name="`)
	if !ok {
		return "", false
	}
	name, ok = strings.CutSuffix(name, `"`)
	return name, ok && !strings.ContainsAny(name, `"\`)
}

func (p *params) has(name string) bool {
	if _, ok := p.values[name]; ok {
		return true
	}
	_, ok := p.uploads[name]
	return ok
}

func (p *params) text(name string) string { return p.values[name] }

// int64 is the number, 0 when it is absent or none: Telegram reads numbers as leniently.
func (p *params) int64(name string) int64 {
	n, _ := strconv.ParseInt(p.values[name], 10, 64)
	return n
}

func (p *params) int(name string) int { return int(p.int64(name)) }

func (p *params) bool(name string) bool {
	switch strings.ToLower(p.values[name]) {
	case "true", "1", "yes", "t", "y":
		return true
	}
	return false
}

func (p *params) float(name string) float64 {
	f, _ := strconv.ParseFloat(p.values[name], 64)
	return f
}

// json decodes a nested value; an absent one leaves into as it is.
func (p *params) json(name string, into any) *refusal {
	raw, ok := p.values[name]
	if !ok || raw == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(raw), into); err != nil {
		return bad("can't parse %s JSON object", strings.ReplaceAll(name, "_", " "))
	}
	return nil
}

// shown is what a call's record keeps: the values, and for each upload its name instead of its content.
func (p *params) shown() map[string]string {
	for name, file := range p.uploads {
		if _, taken := p.values[name]; !taken {
			p.values[name] = "attach:" + file.name
		}
	}
	return p.values
}
