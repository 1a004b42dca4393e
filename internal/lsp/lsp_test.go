// SPDX-License-Identifier: BSD-3-Clause

package lsp

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"pangolin/verdict"
)

// slow is a judge whose searches end when they are told to, or are cancelled.
type slow struct {
	Judge
	begun  chan context.Context
	answer chan string
}

func (j *slow) Recall(context.Context, string) ([]verdict.Collection, []verdict.Verdict, error) {
	return []verdict.Collection{{Name: "q.Queue"}}, nil, nil
}

func (j *slow) Verify(ctx context.Context, _, _ string) ([]verdict.Verdict, error) {
	j.begun <- ctx
	select {
	case reason := <-j.answer:
		return []verdict.Verdict{{Subject: verdict.Subject{Collection: "q.Queue", Property: "linear"}, Status: verdict.Unknown, Reason: reason, Declared: &verdict.Place{File: "q.go", Line: 3}}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (j *slow) Located(dir, file string) string { return dir + "/" + file }

const (
	uri  = "file:///m/q/q.go"
	text = "package q\n\ntype Queue struct{}\n"
)

// client is a client that notes what it is told.
func client(t *testing.T, j Judge, options ...string) (conn *jsonrpc2.Conn, told func() []string) {
	here, there := net.Pipe()
	served := make(chan bool)
	go func() { served <- New(j, nil, "test").Serve(t.Context(), there) }()
	var mu sync.Mutex
	var list []string
	conn = jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(here, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(jsonrpc2.HandlerWithError(
		func(_ context.Context, _ *jsonrpc2.Conn, m *jsonrpc2.Request) (any, error) {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, m.Method+" "+string(*m.Params))
			return nil, nil
		})))
	t.Cleanup(func() {
		conn.Close()
		<-served
	})
	request(t, conn, "initialize", `{"capabilities":{"window":{"workDoneProgress":true}},"initializationOptions":{`+strings.Join(options, ",")+`}}`)
	tell(t, conn, "textDocument/didOpen", `{"textDocument":{"uri":"`+uri+`","text":"package q\n\ntype Queue struct{}\n"}}`)
	return conn, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), list...)
	}
}

func request(t *testing.T, conn *jsonrpc2.Conn, method, params string) (answer json.RawMessage) {
	t.Helper()
	if err := conn.Call(t.Context(), method, json.RawMessage(params), &answer); err != nil {
		t.Fatal(method, err)
	}
	return answer
}

func tell(t *testing.T, conn *jsonrpc2.Conn, method, params string) {
	t.Helper()
	if err := conn.Notify(t.Context(), method, json.RawMessage(params)); err != nil {
		t.Fatal(method, err)
	}
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

const (
	verify = `{"command":"pangolin.verify","arguments":["` + uri + `","Queue"]}`
	saved  = `{"textDocument":{"uri":"` + uri + `"}}`
)

// A file that is saved while a run is in progress ends the run and begins it again; the answer about the old file is told to nobody.
func TestSaved_BeginsTheRunInProgressAgain(t *testing.T) {
	j := &slow{begun: make(chan context.Context, 3), answer: make(chan string)}
	conn, told := client(t, j)
	request(t, conn, "workspace/executeCommand", verify)
	first := <-j.begun
	if lens := string(request(t, conn, "textDocument/codeLens", saved)); !strings.Contains(lens, "cancel: verify Queue is in progress") {
		t.Error(lens)
	}
	tell(t, conn, "textDocument/didSave", saved)
	<-j.begun
	<-first.Done()
	j.answer <- "too large"
	until(t, "no diagnostic", func() bool { return strings.Contains(strings.Join(told(), "\n"), "too large") })
	for _, m := range told() {
		if strings.Contains(m, "canceled") {
			t.Error(m)
		}
	}
	// Without a run, a save searches nothing.
	tell(t, conn, "textDocument/didSave", saved)
	until(t, "the diagnostic stays", func() bool { l := told(); return strings.Contains(l[len(l)-1], `"diagnostics":[]`) })
	select {
	case <-j.begun:
		t.Error("a save began a search that nobody asked for")
	default:
	}
}

// With the option, each save verifies all types of the package.
func TestSaved_VerifiesIfItIsAskedTo(t *testing.T) {
	j := &slow{begun: make(chan context.Context, 3), answer: make(chan string)}
	conn, told := client(t, j, `"verify":"onSave"`)
	tell(t, conn, "textDocument/didSave", saved)
	<-j.begun
	j.answer <- "too large"
	until(t, "no diagnostic", func() bool { return strings.Contains(strings.Join(told(), "\n"), "too large") })
}

// A run is cancelled by the client's progress, and by the lens.
func TestRun_IsCancelled(t *testing.T) {
	j := &slow{begun: make(chan context.Context, 3), answer: make(chan string)}
	conn, told := client(t, j)
	for _, cancel := range []func(){
		func() { tell(t, conn, "window/workDoneProgress/cancel", `{"token":"pangolin-1"}`) },
		func() { request(t, conn, "workspace/executeCommand", strings.Replace(verify, "verify", "cancel", 1)) },
	} {
		request(t, conn, "workspace/executeCommand", verify)
		ctx := <-j.begun
		cancel()
		<-ctx.Done()
		until(t, "the lens verify does not come back", func() bool {
			return strings.Contains(string(request(t, conn, "textDocument/codeLens", saved)), `"title":"verify"`)
		})
	}
	begun, ended := 0, 0
	until(t, "a progress does not end", func() bool {
		all := strings.Join(told(), "\n")
		begun, ended = strings.Count(all, `"kind":"begin"`), strings.Count(all, `"kind":"end"`)
		return begun == 2 && ended == 2
	})
}

// Mistakes are answered, and end nothing.
func TestHandle_AnswersMistakes(t *testing.T) {
	conn, _ := client(t, &slow{begun: make(chan context.Context, 1), answer: make(chan string)})
	for _, c := range [][2]string{{"textDocument/rename", `{}`}, {"textDocument/hover", `[]`}, {"workspace/executeCommand", `{"command":"pangolin.verify"}`},
		{"workspace/executeCommand", `{"command":"pangolin.nothing","arguments":["` + uri + `"]}`}, {"workspace/executeCommand", strings.Replace(verify, "verify", "replay", 1)}} {
		if err := conn.Call(t.Context(), c[0], json.RawMessage(c[1]), nil); err == nil {
			t.Errorf("%s %s: no error", c[0], c[1])
		}
	}
	request(t, conn, "textDocument/hover", `{"textDocument":{"uri":"`+uri+`"},"position":{"line":99,"character":99}}`)
}

// Columns count UTF-16 code units.
func TestOffset_CountsUTF16(t *testing.T) {
	const line = "// ä𝄞x"
	for character, want := range []int{0, 1, 2, 3, 5, 9, 9, 10, 10} {
		if got := offset(line, character); got != want {
			t.Errorf("character %d is byte %d, want %d", character, got, want)
		}
	}
	if got := column(line, 9); got != 6 {
		t.Error(got)
	}
}
