// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/verdict"
)

// The subcommand prove: verify with an engine that proves, of which there are six, and the files that it writes.

const proveHelp = `Prove looks for an invariant that shows a collection linearizable and free of data races and
panics for any number of threads. It works on the source as it is; nothing is annotated. There
are six methods. The first, sections, is for types whose operations are one critical section
each, whatever they do in it: each takes effect at one moment, with what its own code does
alone. A queue, a map or another kind is proved by it if no other method proves the kind; then
clients of one thread are verified in a scope. The second, zones, is for queues whose cells
form one chain. Both take milliseconds. The third, unbounded, is for sets, queues and stacks
made of chained cells, and objects of registers. The fourth, places, is for queues in slices
whose numbers only grow. The fifth, ages, is for sets whose cells are put in front and never
move. All these are for any number of calls, cells and values. The sixth, cmp, is for any
collection, with any number of calls, but for a bound on the items in it at a time, of as many
values (-items, default 2). Unless -method names one, each is tried where those before it find
no proof. The verdict's scope says what is bounded.

A verdict is proved; or violated: no invariant was found, and a bounded search found an
execution that is wrong; or unknown: the reason is printed, with the steps that lead there in
the abstraction. That need not be a fault of the code. The bounded search takes two threads
with up to five calls, and then the scope of the flags, with 262,144 states each, or about ten
seconds of the code's own work, unless -max-states sets a limit. Exit codes: 0 all are proved,
1 one is violated, 2 usage, load or tool error, 3 none is violated and one unknown or not
judged.

That calls return is proved if -property asks for it: wait-free, lock-free, obstruction-free or
deadlock-free (some call returns, if every thread goes on that can), each together with
linearizability; all asks for linear and these. The third method is asked first; where it finds
no proof, the first one may show that each call returns that does when nobody else calls, and
the sixth that calls return with so many items, all but wait-free. What is not proved need not
be false: use verify. What code may look like for the first five methods
is said in doc/fragment.md, for the sixth in doc/cmp.md.

Examples:

  pangolin prove ./queue
  pangolin prove -timeout 1m -json ./list.LazyList
  pangolin prove -property lock-free ./queue.LockFreeQueue
  pangolin prove -certificate lazy.cert ./list.LazyList
  pangolin prove -method cmp -assertions lazy_checked.go ./list.LazyList
  go test -race -overlay lazy_checked.go.json ./list
  pangolin prove -method cmp -items 3 ./hashset.StripedHashSet`

// methods lists the methods of proof with their engines; the first one chooses between the others.
var methods = []struct{ name, engine string }{{"auto", "prover"}, {"sections", "sections"}, {"zones", "zones"}, {"unbounded", "unbounded"}, {"places", "places"}, {"ages", "ages"}, {"cmp", "cmp"}}

// methodOf is the engine for a method.
func methodOf(name string) (engine string, err error) {
	var names []string
	for _, m := range methods {
		if m.name == name {
			return m.engine, nil
		}
		names = append(names, m.name)
	}
	return "", &usageError{"prove", fmt.Sprintf("there is no method %q: choose from %s", name, strings.Join(names, ", "))}
}

// provable is the list of the properties of which there are proofs.
func provable() pangolin.Properties {
	list := string(verdict.Linear)
	for _, p := range verdict.OfProgress() {
		list += "," + string(p)
	}
	return pangolin.Properties(list)
}

func newProve(con *console) *ffcli.Command {
	f := &verifyFlags{}
	fs := flag.NewFlagSet("prove", flag.ContinueOnError)
	f.register(fs)
	f.registerCache(fs)
	f.request.Register(fs, pangolin.OfPart)
	con.register(fs)
	f.farm.register(fs)
	fs.StringVar(&f.certificate, "certificate", "", "write the proof of the one collection into a `file` that pangolin check reads")
	fs.BoolVar(&f.request.Search.Lemmas.Find, "lemmas", false, "with the method cmp: find what the proof needs of other threads, line by line; a certificate has them, too")
	given := fs.String("given", "", "with -method cmp: restrain other threads by the lemmas in a `file` alone, written as -lemmas prints them; say which is false, or what they let go wrong")
	fs.StringVar(&f.assertions, "assertions", "", "with the method cmp: write the source with checks, for a stress test, into a `file`, and beside it FILE.json for go test -overlay")
	method := fs.String("method", methods[0].name, "how to prove: sections, zones, unbounded, places, ages, cmp, or auto: the first of them that finds a proof")
	return &ffcli.Command{
		Name:       "prove",
		ShortUsage: "pangolin prove [flags] PKG ...",
		ShortHelp:  "correctness for any number of threads",
		LongHelp:   proveHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			engine, err := methodOf(*method)
			if err != nil {
				return err
			}
			f.request.Engine = engine
			if f.request.Property == "all" {
				f.request.Property = provable()
			}
			if *given != "" {
				if engine != "cmp" {
					return &usageError{"prove", "-given is about lemmas, which the method cmp alone has: add -method cmp"}
				}
				text, err := os.ReadFile(*given)
				if err != nil {
					return &usageError{"prove", "-given: " + err.Error()}
				}
				f.request.Search.Lemmas.Given = string(text)
			}
			f.request.Search.Certify = f.certificate != ""
			f.request.Search.Assertions = f.assertions != ""
			return f.farm.wherever(ctx, con, func() error { return f.run(ctx, args, con) })
		},
	}
}

// certify writes the certificate of a proof; end reports errors.
func (v *verifyFace) certify(d *verdict.Verdict) {
	if len(v.found) > 1 {
		v.failed = fmt.Errorf("-certificate %s is one file, and there are %d collections: name one of them, as PKG.Type", v.certificate, len(v.found))
		return
	}
	if len(d.Proof.Text) == 0 {
		v.failed = fmt.Errorf("-certificate: the proof by the method %s has no certificate", d.Engine)
		return
	}
	if err := os.WriteFile(v.certificate, d.Proof.Text, 0o666); err != nil {
		v.failed = fmt.Errorf("-certificate: %w", err)
		return
	}
	d.Certificate = &verdict.Certificate{Method: d.Engine, File: v.certificate}
}

// compiledBeside reports whether the go command would compile a file together with another one, as part of its package.
func compiledBeside(file, other string) bool {
	base := filepath.Base(file)
	return filepath.Dir(file) == filepath.Dir(other) && strings.HasSuffix(base, ".go") && base[0] != '_' && base[0] != '.' && file != other
}

// writeAssertions writes the source with checks, and the overlay file that puts it in place of the original; end reports errors.
func (v *verifyFace) writeAssertions(d *verdict.Verdict) {
	if len(v.found) > 1 {
		v.failed = fmt.Errorf("-assertions %s is about one collection, and there are %d: name one of them, as PKG.Type", v.assertions, len(v.found))
		return
	}
	replace := map[string]string{}
	for i, f := range d.Proof.Assertions {
		name := v.assertions
		if i > 0 {
			name = fmt.Sprintf("%s_%d.go", strings.TrimSuffix(name, ".go"), i+1)
		}
		abs, err := filepath.Abs(name)
		switch {
		case err != nil:
		case compiledBeside(abs, f.Path):
			err = fmt.Errorf("%s would be compiled together with the file that it replaces: write it into another directory, or as _%s", name, filepath.Base(name))
		default:
			err = os.WriteFile(abs, f.Text, 0o666)
		}
		if err != nil {
			v.failed = fmt.Errorf("-assertions: %w", err)
			return
		}
		replace[f.Path] = abs
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err == nil {
		err = os.WriteFile(v.assertions+".json", append(text, '\n'), 0o666)
	}
	if err != nil {
		v.failed = fmt.Errorf("-assertions: %w", err)
		return
	}
	if !v.quiet {
		v.con.note(fmt.Sprintf("%s contains the source with checks; run it with: go test -race -overlay %s.json %s", v.assertions, v.assertions, d.Package))
	}
}
