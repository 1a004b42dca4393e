// SPDX-License-Identifier: BSD-3-Clause

// Package lsp is a language server for editors: diagnostics and hovers with the verdicts that are kept, lenses "verify | prove | replay" above
// types, and completion of //pangolin: directives.
//
// It takes a stream of messages of the Language Server Protocol 3.17 and a Judge, which verifies. It decides nothing, and says nothing of Go
// that gopls says: both run side by side. What it says of a file is about the file as it was saved.
package lsp

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"pangolin/verdict"
)

// Judge gives verdicts about the collections of a package, which a directory names. Files in verdicts are as Located says.
type Judge interface {
	// Recall gives the collections, and the verdicts about them that are kept for the sources as they are. It searches nothing.
	Recall(ctx context.Context, dir string) ([]verdict.Collection, []verdict.Verdict, error)
	// Verify verifies a type, or all collections if it is "".
	Verify(ctx context.Context, dir, typ string) ([]verdict.Verdict, error)
	// Prove proves a type for any number of threads.
	Prove(ctx context.Context, dir, typ string) ([]verdict.Verdict, error)
	// Replay executes the witness in a file, and gives a file that shows it.
	Replay(ctx context.Context, dir, witness string) (file string, err error)
	// Located gives the absolute name of a file in a verdict about a package; "": there is none.
	Located(dir, file string) string
	// Text is a verdict as text for people.
	Text(v verdict.Verdict) string
}

// Directive is a directive of a type's comment: //pangolin:NAME VALUE.
type Directive struct {
	Name, Doc string
	Values    []string // some or all that it may have
}

// Server is a language server.
type Server struct {
	judge      Judge
	directives []Directive
	version    string
	rpc        *jsonrpc2.Conn
	ctx        context.Context
	running    sync.WaitGroup

	mu       sync.Mutex
	params   initializeParams
	texts    map[string]string  // of open documents, by URI, as the editor has them
	packages map[string]*folder // by directory
	tokens   map[string]func()  // cancel runs, by the token of their progress
	last     int                // number of the last token
	shutdown bool
}

// New makes a server.
func New(j Judge, directives []Directive, version string) *Server {
	return &Server{judge: j, directives: directives, version: version, texts: map[string]string{}, packages: map[string]*folder{}, tokens: map[string]func(){}}
}

// Serve serves one client, until it says exit or is gone. It reports whether the client has said shutdown before.
func (s *Server) Serve(ctx context.Context, stream io.ReadWriteCloser) bool {
	ctx, cancel := context.WithCancel(ctx)
	s.ctx = ctx
	silent := jsonrpc2.SetLogger(log.New(io.Discard, "", 0)) // standard error is the editor's log: a client that goes is no news
	s.mu.Lock()                                              // the first message may come before rpc is set
	s.rpc = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(stream, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(s.handle).SuppressErrClosed(), silent)
	s.mu.Unlock()
	select {
	case <-s.rpc.DisconnectNotify():
	case <-ctx.Done():
	}
	cancel()
	_ = s.rpc.Close() // it may be closed
	s.running.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shutdown
}

// handle does one message after the other, in their order. None of them takes long: what does goes on in a goroutine of its own, which
// $/cancelRequest therefore is not about.
func (s *Server) handle(_ context.Context, _ *jsonrpc2.Conn, m *jsonrpc2.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do, known := map[string]func(json.RawMessage) (any, error){
		"initialize":                     with(s.initialize),
		"shutdown":                       with(s.end),
		"exit":                           with(s.exit),
		"textDocument/didOpen":           with(s.opened),
		"textDocument/didChange":         with(s.changed),
		"textDocument/didSave":           with(s.saved),
		"textDocument/didClose":          with(s.closed),
		"textDocument/codeLens":          with(s.lenses),
		"textDocument/hover":             with(s.hover),
		"textDocument/completion":        with(s.complete),
		"workspace/executeCommand":       with(s.execute),
		"window/workDoneProgress/cancel": with(s.cancelProgress),
	}[m.Method]
	if !known {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "pangolin lsp has no " + m.Method}
	}
	var params json.RawMessage
	if m.Params != nil {
		params = *m.Params
	}
	return do(params)
}

// with makes a function of a message from one of its parameters.
func with[P any](do func(P) (any, error)) func(json.RawMessage) (any, error) {
	return func(text json.RawMessage) (any, error) {
		var p P
		if len(text) > 0 {
			if err := json.Unmarshal(text, &p); err != nil {
				return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
			}
		}
		return do(p)
	}
}

// The functions below do messages. Their caller holds the lock.

func (s *Server) initialize(p initializeParams) (any, error) {
	s.params = p
	return map[string]any{
		"serverInfo": map[string]string{"name": "pangolin", "version": s.version},
		"capabilities": map[string]any{
			"textDocumentSync":       map[string]any{"openClose": true, "change": 1, "save": map[string]bool{"includeText": false}}, // 1: whole texts
			"codeLensProvider":       map[string]bool{"resolveProvider": false},
			"hoverProvider":          true,
			"completionProvider":     map[string]any{"triggerCharacters": []string{":", " ", ","}},
			"executeCommandProvider": map[string]any{"commands": []string{verifyCommand, proveCommand, replayCommand, cancelCommand}},
		},
	}, nil
}

func (s *Server) end(struct{}) (any, error) {
	s.shutdown = true
	return nil, nil
}

func (s *Server) exit(struct{}) (any, error) {
	go s.rpc.Close() // it waits for this message
	return nil, nil
}

// opened, changed, saved and closed follow what the editor does with a document.
func (s *Server) opened(p documentParams) (any, error) {
	s.texts[p.TextDocument.URI] = p.TextDocument.Text
	if dir := folderOf(p.TextDocument.URI); dir != "" && s.packages[dir] == nil {
		s.begin(dir, nil)
	}
	return nil, nil
}

func (s *Server) changed(p documentParams) (any, error) {
	if n := len(p.ContentChanges); n > 0 {
		s.texts[p.TextDocument.URI] = p.ContentChanges[n-1].Text
	}
	return nil, nil
}

func (s *Server) closed(p documentParams) (any, error) {
	delete(s.texts, p.TextDocument.URI)
	return nil, nil
}

// folderOf is the directory of a Go file; "" for other documents.
func folderOf(uri string) string {
	path := pathOf(uri)
	if path == "" || !strings.HasSuffix(path, ".go") {
		return ""
	}
	return filepath.Dir(path)
}

// notify tells the client something. A client that is gone needs to know nothing.
func (s *Server) notify(method string, params any) { _ = s.rpc.Notify(s.ctx, method, params) }

// call asks the client for something whose answer does not matter.
func (s *Server) call(method string, params any) { _ = s.rpc.Call(s.ctx, method, params, nil) }

// say shows a message.
func (s *Server) say(kind int, text string) {
	s.notify("window/showMessage", messageParams{kind, "pangolin: " + text})
}
