// SPDX-License-Identifier: BSD-3-Clause

package lsp

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"pangolin/report/vet"
	"pangolin/verdict"
)

// folder is what is known of the package in a directory. One run at a time is about it: the next one cancels it.
type folder struct {
	dir       string
	types     map[string]bool              // that can be verified: "Queue"
	verdicts  map[string][]verdict.Verdict // by type
	published map[string]bool              // URIs that have diagnostics
	number    int                          // of the last run
	stop      func()                       // cancels it
	asked     *ask                         // what it was asked for; nil: for what is kept, or it is over
}

// ask is something that the user wants done.
type ask struct {
	typ   string // "": all types
	prove bool
}

func (a *ask) title() string {
	what := "verify "
	if a.prove {
		what = "prove "
	}
	if a.typ == "" {
		return what + "all types"
	}
	return what + a.typ
}

// begin reads again what is kept about a package, and then does what is asked. The caller holds the lock.
func (s *Server) begin(dir string, a *ask) {
	f := s.packages[dir]
	if f == nil {
		f = &folder{dir: dir, types: map[string]bool{}, verdicts: map[string][]verdict.Verdict{}, published: map[string]bool{}}
		s.packages[dir] = f
	}
	if f.stop != nil {
		f.stop()
	}
	ctx, stop := context.WithCancel(s.ctx)
	f.number++
	f.stop, f.asked = stop, a
	number := f.number
	s.running.Go(func() {
		defer stop()
		s.work(ctx, f, number, a)
	})
}

// saved looks again at a package of which a file was saved. What a run in progress was asked for is asked again: its answer would be about
// what the file was.
func (s *Server) saved(p documentParams) (any, error) {
	dir := folderOf(p.TextDocument.URI)
	if dir == "" {
		return nil, nil
	}
	var again *ask
	if f := s.packages[dir]; f != nil && f.asked != nil {
		again = f.asked
	}
	if again == nil && s.params.Options.Verify == "onSave" {
		again = &ask{}
	}
	s.begin(dir, again)
	return nil, nil
}

// work is a run.
func (s *Server) work(ctx context.Context, f *folder, number int, a *ask) {
	found, list, err := s.judge.Recall(ctx, f.dir)
	if !s.take(f, number, func() {
		f.verdicts = map[string][]verdict.Verdict{}
		if err != nil { // as when the code does not compile: the types are mostly those that it had
			return
		}
		f.types = map[string]bool{}
		for _, c := range found {
			f.types[typeOf(c.Name)] = true
		}
		f.put(list)
	}) || a == nil {
		return
	}
	token := s.beginProgress(f, number, a)
	judge := s.judge.Verify
	if a.prove {
		judge = s.judge.Prove
	}
	list, err = judge(ctx, f.dir, a.typ)
	s.endProgress(token)
	said := ""
	s.take(f, number, func() {
		f.asked = nil
		if ctx.Err() != nil {
			return // cancelled by the user
		}
		if a.prove {
			list, said = proofs(list)
		}
		f.put(list)
		if err != nil && len(list) == 0 {
			said = err.Error()
		}
	})
	if said != "" {
		s.say(messageError, said)
	}
}

// proofs are the verdicts of a prover that say something, and what it says of the others.
func proofs(list []verdict.Verdict) (known []verdict.Verdict, said string) {
	for _, v := range list {
		if v.Status == verdict.Unknown || v.Status == verdict.NotJudged {
			said = fmt.Sprintf("%s is not proved: %s", v.Collection, v.Reason)
			continue
		}
		known = append(known, v)
	}
	return known, said
}

// take changes what is known of a package and tells the client, unless another run has begun meanwhile.
func (s *Server) take(f *folder, number int, change func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.number != number {
		return false
	}
	change()
	s.publish(f)
	if s.params.Capabilities.Workspace.CodeLens.RefreshSupport {
		s.running.Go(func() { s.call("workspace/codeLens/refresh", nil) })
	}
	return true
}

// put replaces the verdicts about types.
func (f *folder) put(list []verdict.Verdict) {
	fresh := map[string][]verdict.Verdict{}
	for _, v := range list {
		typ := typeOf(v.Collection)
		fresh[typ] = append(fresh[typ], v)
	}
	for typ, list := range fresh {
		f.verdicts[typ] = list
	}
}

// typeOf is the name of a type without its package and arguments: "Queue" of "queue.Queue[int]".
func typeOf(collection string) string {
	_, name, _ := strings.Cut(collection, ".")
	name, _, _ = strings.Cut(name, "[")
	return name
}

// publish sends the diagnostics of a package, and takes back those of files that have none any more.
func (s *Server) publish(f *folder) {
	files := map[string][]diagnostic{}
	for uri := range f.published {
		files[uri] = []diagnostic{}
	}
	for _, typ := range sorted(f.verdicts) {
		for i := range f.verdicts[typ] {
			if d, uri := s.diagnostic(f, &f.verdicts[typ][i]); uri != "" {
				files[uri] = append(files[uri], d)
			}
		}
	}
	f.published = map[string]bool{}
	for _, uri := range sorted(files) {
		if len(files[uri]) > 0 {
			f.published[uri] = true
		}
		s.notify("textDocument/publishDiagnostics", publishParams{uri, files[uri]})
	}
}

// diagnostic says what a verdict has to say, at the first of its places that is a file; the URI is "" if there is nothing to say.
func (s *Server) diagnostic(f *folder, v *verdict.Verdict) (d diagnostic, uri string) {
	text := vet.Message(v)
	if text == "" {
		return d, ""
	}
	d = diagnostic{Severity: severityError, Source: "pangolin", Message: text}
	if v.Status != verdict.Violated {
		d.Severity = severityInformation
	} else {
		d.Code = v.Violation.Class
	}
	for _, place := range vet.Places(v) {
		file := s.judge.Located(f.dir, place.File)
		if file == "" {
			continue
		}
		at := location{uriOf(file), wholeLine(file, place.Line)}
		if uri == "" {
			uri, d.Range = at.URI, at.Range
			continue
		}
		if len(d.Related) < 10 {
			d.Related = append(d.Related, related{at, place.Text})
		}
	}
	return d, uri
}

// wholeLine is a line of a file, counted from 1, without the white space around it.
func wholeLine(file string, number int) span {
	text, _ := os.ReadFile(file) // without it the line is empty
	line := lineOf(string(text), number-1)
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	return span{position{number - 1, column(line, indent)}, position{number - 1, column(line, len(strings.TrimRight(line, " \t")))}}
}

// sorted are the keys of a map in order.
func sorted[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// beginProgress shows that a run is in progress, and gives the token by which the client can cancel it; "" if the client shows no progress.
func (s *Server) beginProgress(f *folder, number int, a *ask) string {
	s.mu.Lock()
	if !s.params.Capabilities.Window.WorkDoneProgress {
		s.mu.Unlock()
		return ""
	}
	s.last++
	token := fmt.Sprintf("pangolin-%d", s.last)
	s.tokens[token] = func() { // with the lock held
		if f.number == number {
			f.stop()
		}
	}
	s.mu.Unlock()
	s.call("window/workDoneProgress/create", map[string]string{"token": token})
	s.notify("$/progress", progressParams{token, progressValue{Kind: "begin", Title: "pangolin", Message: a.title(), Cancellable: true}})
	return token
}

func (s *Server) endProgress(token string) {
	if token == "" {
		return
	}
	s.mu.Lock()
	delete(s.tokens, token)
	s.mu.Unlock()
	s.notify("$/progress", progressParams{token, progressValue{Kind: "end"}})
}

// cancelProgress cancels the run of a token.
func (s *Server) cancelProgress(p struct {
	Token string `json:"token"`
}) (any, error) {
	if cancel := s.tokens[p.Token]; cancel != nil {
		cancel()
	}
	return nil, nil
}
