// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"go/token"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"pangolin"
	"pangolin/internal/cache"
	"pangolin/report/vet"
	"pangolin/verdict"
)

// The command is a tool of go vet as well, go vet -vettool=$(which pangolin) ./..., which asks it about one package after the other. It answers with the
// violations that small scopes show. The go command keeps the answers, and the directory of results the verdicts.

// vetConfig and vetTimeout are what one type is given within go vet.
const (
	vetConfig  = "D"
	vetTimeout = 10 * time.Second
)

// asksVet reports whether arguments are those of go vet: -V=full, -flags, or flags before a file of the form that go vet writes.
func asksVet(args []string) bool {
	return len(args) > 0 && (args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg") && !isCommand(args[0]))
}

// answerVet does what go vet asks for, and ends the process.
func answerVet(ctx context.Context) { unitchecker.Main(vetAnalyzer(ctx)) }

// vetAnalyzer verifies the collections of a package. It says nothing of what is unknown or not judged, of which verify tells more.
func vetAnalyzer(ctx context.Context) *analysis.Analyzer {
	a := &analysis.Analyzer{Name: "pangolin", URL: "https://pkg.go.dev/pangolin",
		Doc: "verify collections under every interleaving\n\nEach type that is shared between goroutines is verified in a small scope; what is violated is reported. pangolin verify tells more."}
	config := a.Flags.String("config", vetConfig, "the scope, as pangolin verify has it")
	timeout := a.Flags.Duration("timeout", vetTimeout, "end the search for a type after so long")
	a.Run = func(pass *analysis.Pass) (any, error) {
		path, _, _ := strings.Cut(pass.Pkg.Path(), " ")
		if strings.HasSuffix(pass.Pkg.Name(), "_test") || strings.HasSuffix(path, ".test") || len(pass.Files) == 0 {
			return nil, nil
		}
		list, err := vetted(ctx, path, *config, *timeout)
		for i := range list {
			if v := &list[i]; v.Status == verdict.Violated && !v.AsExpected() {
				pass.Reportf(placeIn(pass, v), "%s", vet.Message(v))
			}
		}
		if len(list) > 0 { // what is not judged is no error of go vet
			err = nil
		}
		return nil, err
	}
	return a
}

// vetted verifies the collections of a package.
func vetted(ctx context.Context, path, config string, timeout time.Duration) ([]verdict.Verdict, error) {
	var f requestFlags
	fs := flag.NewFlagSet("vet", flag.ContinueOnError)
	f.register(fs, pangolin.OfSubject, pangolin.OfScope, pangolin.OfWitness, pangolin.OfLeaks, pangolin.OfTime, pangolin.OfSearch)
	r := f.about([]string{path})
	r.Scope.Config, r.Search.Timeout, r.Search.Workers = config, timeout, 1
	dir, err := cache.Default()
	if err != nil {
		return nil, err
	}
	r.Search.Cache = dir
	list, err := pangolin.Verify(ctx, r)
	if errors.Is(err, pangolin.ErrInterrupted) {
		return nil, err
	}
	return list, err
}

// placeIn is the first place of a verdict that the package has; its first file, if it has none.
func placeIn(pass *analysis.Pass, v *verdict.Verdict) token.Pos {
	for _, s := range vet.Places(v) {
		for _, f := range pass.Files {
			file := pass.Fset.File(f.FileStart)
			if filepath.Base(file.Name()) == filepath.Base(s.File) && s.Line <= file.LineCount() {
				return file.LineStart(s.Line)
			}
		}
	}
	return pass.Files[0].Package
}
