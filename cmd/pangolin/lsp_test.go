// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"pangolin/internal/test/level"
)

// The language server is driven by a client of the protocol; nvim_test.go drives it by an editor.

const losing = `package counter

import "sync/atomic"

// Counter counts, and loses increments.
type Counter struct{ n atomic.Int64 }

// Inc counts.
func (c *Counter) Inc() {
	old := c.n.Load()
	c.n.Store(old + 1)
}

// Get gives the count.
func (c *Counter) Get() int64 { return c.n.Load() }
`

// editor is a client: what it was told by URI of the document, and shown.
type editor struct {
	t    *testing.T
	conn *jsonrpc2.Conn
	mu   sync.Mutex
	told map[string][]struct {
		Message  string
		Severity int
		Range    struct{ Start struct{ Line int } }
		Related  []any `json:"relatedInformation"`
	}
	shown []string
	ended chan int
}

func (e *editor) handle(_ context.Context, _ *jsonrpc2.Conn, m *jsonrpc2.Request) (any, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch m.Method {
	case "textDocument/publishDiagnostics":
		var p struct {
			URI         string
			Diagnostics json.RawMessage
		}
		if err := json.Unmarshal(*m.Params, &p); err != nil {
			e.t.Error(err)
		}
		list := e.told[p.URI]
		list = nil
		if err := json.Unmarshal(p.Diagnostics, &list); err != nil {
			e.t.Error(err)
		}
		e.told[p.URI] = list
	case "window/showDocument":
		var p struct{ URI string }
		if err := json.Unmarshal(*m.Params, &p); err != nil {
			e.t.Error(err)
		}
		e.shown = append(e.shown, p.URI)
		return map[string]bool{"success": true}, nil
	case "window/showMessage":
		e.shown = append(e.shown, string(*m.Params))
	}
	return nil, nil
}

// newEditor starts a server and a client of it.
func newEditor(t *testing.T, args ...string) *editor {
	t.Helper()
	here, there := net.Pipe()
	e := &editor{t: t, ended: make(chan int, 1)}
	e.told = map[string][]struct {
		Message  string
		Severity int
		Range    struct{ Start struct{ Line int } }
		Related  []any `json:"relatedInformation"`
	}{}
	go func() {
		e.ended <- execute(t.Context(), append([]string{"lsp"}, args...), &console{in: there, out: there, err: os.Stderr})
		there.Close()
	}()
	e.conn = jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(here, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(jsonrpc2.HandlerWithError(e.handle)))
	capabilities := map[string]any{"window": map[string]any{"workDoneProgress": true, "showDocument": map[string]bool{"support": true}},
		"workspace": map[string]any{"codeLens": map[string]bool{"refreshSupport": true}}}
	var answer struct{ ServerInfo struct{ Name string } }
	e.ask("initialize", map[string]any{"capabilities": capabilities}, &answer)
	if answer.ServerInfo.Name != "pangolin" {
		t.Fatal(answer)
	}
	e.tell("initialized", map[string]any{})
	return e
}

func (e *editor) ask(method string, params, answer any) {
	e.t.Helper()
	if err := e.conn.Call(e.t.Context(), method, params, answer); err != nil {
		e.t.Fatal(method, err)
	}
}

func (e *editor) tell(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(e.t.Context(), method, params); err != nil {
		e.t.Fatal(method, err)
	}
}

// document is the parameter of a message about one, at a place.
func document(uri string, line, character int) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]int{"line": line, "character": character}}
}

func (e *editor) open(uri, text string) {
	e.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "go", "version": 1, "text": text}})
}

// save writes a file as an editor does.
func (e *editor) save(uri, text string) {
	e.t.Helper()
	u, err := url.Parse(uri)
	if err == nil {
		err = os.WriteFile(u.Path, []byte(text), 0o666)
	}
	if err != nil {
		e.t.Fatal(err)
	}
	p := document(uri, 0, 0)
	p["contentChanges"] = []any{map[string]string{"text": text}}
	e.tell("textDocument/didChange", p)
	e.tell("textDocument/didSave", document(uri, 0, 0))
}

// lenses are the titles of the lenses of a document.
func (e *editor) lenses(uri string) (titles []string) {
	var list []struct {
		Command struct{ Title string }
		Range   struct{ Start struct{ Line int } }
	}
	e.ask("textDocument/codeLens", document(uri, 0, 0), &list)
	for _, l := range list {
		if l.Range.Start.Line != 5 {
			e.t.Errorf("a lens in line %d", l.Range.Start.Line)
		}
		titles = append(titles, l.Command.Title)
	}
	return titles
}

// until waits until something holds, at most a minute.
func (e *editor) until(what string, holds func() bool) {
	e.t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			e.t.Fatalf("after a minute: %s: %v %v", what, e.told, e.shown)
		}
	}
}

// lensesAre waits for lenses.
func (e *editor) lensesAre(uri string, want ...string) {
	e.t.Helper()
	var got []string
	e.until(strings.Join(want, " | "), func() bool { got = e.lenses(uri); return slices.Equal(got, want) })
}

// labels are those of completions behind what stands in a line up to a character.
func (e *editor) labels(uri string, line, character int) (labels []string) {
	var list []struct{ Label string }
	e.ask("textDocument/completion", document(uri, line, character), &list)
	for _, c := range list {
		labels = append(labels, c.Label)
	}
	return labels
}

func (e *editor) end() {
	e.t.Helper()
	e.ask("shutdown", nil, nil)
	e.tell("exit", nil)
	if code := <-e.ended; code != 0 {
		e.t.Errorf("exit code %d", code)
	}
}

func TestLSP_IsDrivenByAClient(t *testing.T) {
	if level.Short() {
		t.Skip("takes seconds")
	}
	dir, kept := writeFiles(t, map[string]string{"go.mod": "module example\n\ngo 1.24\n", "counter/counter.go": losing}), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	uri := "file://" + filepath.ToSlash(filepath.Join(dir, "counter", "counter.go"))
	e := newEditor(t, "-cache", kept)
	e.open(uri, losing)
	e.lensesAre(uri, "verify", "prove")

	// A lens verifies: a diagnostic, a hover, the lens replay.
	e.ask("workspace/executeCommand", map[string]any{"command": "pangolin.verify", "arguments": []string{uri, "Counter"}}, nil)
	e.lensesAre(uri, "verify (violated)", "prove", "replay")
	e.until("the diagnostic comes", func() bool { e.mu.Lock(); defer e.mu.Unlock(); return len(e.told[uri]) == 1 }) // a notification may be handled after a later answer
	e.mu.Lock()
	told := e.told[uri]
	e.mu.Unlock()
	if len(told) != 1 || told[0].Message != "counter.Counter: history: Get() = 1 after two Inc(); in every order it is 2" || told[0].Severity != 1 || told[0].Range.Start.Line != 14 || len(told[0].Related) == 0 {
		t.Errorf("%+v", told)
	}
	var h struct{ Contents struct{ Value string } }
	e.ask("textDocument/hover", document(uri, 5, 7), &h)
	if !strings.Contains(h.Contents.Value, "VIOLATED") {
		t.Error(h.Contents.Value)
	}
	e.ask("workspace/executeCommand", map[string]any{"command": "pangolin.replay", "arguments": []string{uri, "Counter"}}, nil)
	e.until("a witness is shown", func() bool { e.mu.Lock(); defer e.mu.Unlock(); return len(e.shown) > 0 })
	file, err := url.Parse(e.shown[0])
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file.Path); err != nil || !strings.Contains(string(text), "n.Store(1), was 1") {
		t.Errorf("%s: %v\n%s", e.shown[0], err, text)
	}

	// Directives.
	directed := strings.Replace(losing, "increments.\n", "increments.\n//\n//pangolin:\n//pangolin:kind co\n//pangolin:roles Inc:\n//pangolin:ops Inc,G\n//pang\n", 1)
	p := document(uri, 0, 0)
	p["contentChanges"] = []any{map[string]string{"text": directed}}
	e.tell("textDocument/didChange", p)
	if got := e.labels(uri, 6, 11); !slices.Contains(got, "kind") || !slices.Contains(got, "roles") || !slices.Contains(got, "skip") {
		t.Error(got)
	}
	for _, c := range []struct {
		line, character int
		want            []string
	}{{7, 18, []string{"counter"}}, {8, 21, []string{"Inc:1", "Inc:*", "Inc:~1", "Inc:once", "Inc:first", "Inc:last", "Inc:alone"}}, {9, 20, []string{"Get"}}, {10, 6, []string{"//pangolin:"}}, {4, 5, nil}} {
		if got := e.labels(uri, c.line, c.character); !slices.Equal(got, c.want) {
			t.Errorf("line %d: %q, want %q", c.line, got, c.want)
		}
	}
	e.ask("textDocument/hover", document(uri, 7, 4), &h)
	if !strings.Contains(h.Contents.Value, "//pangolin:kind") {
		t.Error(h.Contents.Value)
	}

	// What is saved has another content, of which nothing is known; and once more the first.
	e.save(uri, strings.Replace(losing, "old := c.n.Load()\n\tc.n.Store(old + 1)", "c.n.Add(1)", 1))
	e.until("the diagnostic goes", func() bool { e.mu.Lock(); defer e.mu.Unlock(); return len(e.told[uri]) == 0 })
	e.lensesAre(uri, "verify", "prove")
	e.save(uri, losing)
	e.until("the diagnostic comes from the store", func() bool { e.mu.Lock(); defer e.mu.Unlock(); return len(e.told[uri]) == 1 })
	e.end()

	// Another server takes it from the store; so does verify for the server. A client that goes without a word is an error.
	other := newEditor(t, "-cache", kept)
	other.open(uri, losing)
	other.lensesAre(uri, "verify (violated)", "prove", "replay")
	other.conn.Close()
	if code := <-other.ended; code != 2 {
		t.Errorf("exit code %d", code)
	}
}
