// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pangolin"
	"pangolin/internal/cache"
	"pangolin/report/vet"
	"pangolin/verdict"
)

// The command is a tool of go vet as well, go vet -vettool=$(which pangolin) ./..., which asks it about one package after the other, by the protocol that
// golang.org/x/tools/go/analysis/unitchecker describes: -V=full, -flags, and a file vet.cfg. It answers with the violations that a scope of
// seconds shows. The go command keeps the answers, and the directory of results the verdicts. (The library would check the types of
// every package once more, and makes each start of the command a twentieth slower.)

// vetConfig and vetTimeout are what one type is given within go vet.
const (
	vetConfig  = "D"
	vetTimeout = 10 * time.Second
)

// vetFlags are the flags of the tool, which go vet passes on: go vet -vettool=... -config 2x3.
type vetFlags struct {
	flag.FlagSet
	config  string
	timeout time.Duration
	json    bool
}

func newVetFlags() *vetFlags {
	f := &vetFlags{}
	f.Init("vet", flag.ContinueOnError)
	f.StringVar(&f.config, "config", vetConfig, "the scope, as pangolin verify has it")
	f.DurationVar(&f.timeout, "timeout", vetTimeout, "end the search for a type after so long")
	f.BoolVar(&f.json, "json", false, "print JSON")
	return f
}

// asksVet reports whether arguments are those of go vet: -V=full, -flags, or flags before a file of the form that go vet writes.
func asksVet(args []string) bool {
	return len(args) > 0 && (args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg") && !isCommand(args[0]))
}

// answerVet does what go vet asks for.
func answerVet(ctx context.Context, args []string, con *console) error {
	f := newVetFlags()
	switch args[0] {
	case "-V=full": // the go command keeps what a tool with this digest has said
		digest, err := cache.Tool()
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
		fmt.Fprintf(con.out, "%s version devel comments-go-here buildID=%s\n", name, strings.ReplaceAll(digest, " ", "-"))
		return nil
	case "-flags":
		type described struct {
			Name  string
			Bool  bool
			Usage string
		}
		var list []described
		f.VisitAll(func(x *flag.Flag) { list = append(list, described{x.Name, x.Name == "json", x.Usage}) })
		return json.NewEncoder(con.out).Encode(list)
	}
	if err := f.Parse(args); err != nil {
		return &usageError{text: err.Error()}
	}
	return f.unit(ctx, f.Arg(0), con)
}

// vetUnit is what go vet writes about a package, as far as it matters here.
type vetUnit struct {
	ID, ImportPath, VetxOutput, Stdout string
	GoFiles                            []string
	VetxOnly                           bool // only facts are wanted, of which there are none
}

// unit answers about one package. It says nothing of what is unknown or not judged, of which verify tells more.
func (f *vetFlags) unit(ctx context.Context, file string, con *console) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var u vetUnit
	if err := json.Unmarshal(text, &u); err != nil {
		return fmt.Errorf("%s: %w: want a file that go vet has written", file, err)
	}
	if u.VetxOutput != "" {
		if err := os.WriteFile(u.VetxOutput, nil, 0o666); err != nil {
			return err
		}
	}
	if u.VetxOnly || len(u.GoFiles) == 0 {
		return nil
	}
	out := con.out
	if u.Stdout != "" {
		to, err := os.Create(u.Stdout)
		if err != nil {
			return err
		}
		defer to.Close()
		out = to
	}
	found, err := f.verify(ctx, &u)
	if err != nil || f.json {
		if err == nil && len(found) > 0 {
			err = json.NewEncoder(out).Encode(map[string]any{u.ID: map[string]any{"pangolin": found}})
		}
		return err
	}
	for _, p := range found {
		fmt.Fprintf(con.err, "%s: %s\n", p.Position, p.Message)
	}
	if len(found) > 0 {
		return status(verdict.ExitViolated)
	}
	return nil
}

// vetProblem is a line of go vet.
type vetProblem struct {
	Position string `json:"posn"`
	Message  string `json:"message"`
}

// verify verifies the collections of a package. Of a package that go vet compiles with its tests it is the package itself; one of external tests
// has none.
func (f *vetFlags) verify(ctx context.Context, u *vetUnit) ([]vetProblem, error) {
	path, _, _ := strings.Cut(u.ImportPath, " ")
	if strings.HasSuffix(path, "_test") || !slices.ContainsFunc(u.GoFiles, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
		return nil, nil
	}
	var flags requestFlags
	fs := flag.NewFlagSet("vet", flag.ContinueOnError)
	flags.register(fs, pangolin.OfSubject, pangolin.OfScope, pangolin.OfWitness, pangolin.OfLeaks, pangolin.OfTime, pangolin.OfSearch)
	flags.registerCache(fs)
	r := flags.about([]string{path})
	r.Scope.Config, r.Search.Timeout, r.Search.Workers = f.config, f.timeout, 1
	list, err := pangolin.Verify(ctx, r)
	if len(list) > 0 { // what is not judged is no error of go vet
		err = nil
	}
	var out []vetProblem
	for i := range list {
		if v := &list[i]; v.Status == verdict.Violated && !v.AsExpected() {
			out = append(out, vetProblem{u.place(v), vet.Message(v)})
		}
	}
	return out, err
}

// place is the first place of a verdict that the package has; the beginning of its first file, if it has none.
func (u *vetUnit) place(v *verdict.Verdict) string {
	for _, s := range vet.Places(v) {
		for _, name := range u.GoFiles {
			if filepath.Base(name) == filepath.Base(s.File) {
				return fmt.Sprintf("%s:%d:1", absolute(name), s.Line)
			}
		}
	}
	return fmt.Sprintf("%s:1:1", absolute(cmp.Or(u.GoFiles...)))
}

// absolute is the absolute name of a file, which the go command shortens.
func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}
