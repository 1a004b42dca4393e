// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/vm"
)

// The worked example of ARCHITECTURE.md: a queue that puts an item in two steps. Its instructions and states are made here, so that the
// page cannot say anything else.

// The page with the worked example, and the package that the example is about.
const (
	architecture = "../../../ARCHITECTURE.md"
	exampleDir   = "../../../testdata/architecture/queue"
)

// TestArchitecture_TellsWhatTheQueueDoes holds the worked example of ARCHITECTURE.md to what the code
// does: the instructions of Put, the words of two states, and the moves between them.
func TestArchitecture_TellsWhatTheQueueDoes(t *testing.T) {
	s := subjectOf(t, exampleDir, "Queue")
	page, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for name, want := range map[string]string{"ir": instructionsOf(s, "Put"), "states": statesOf(t, s)} {
		begin, end := "<!-- example: "+name+" -->\n", "<!-- end -->"
		before, rest, ok := strings.Cut(text, begin)
		old, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("ARCHITECTURE.md has no example %s", name)
		}
		want = "\n" + indented(want) + "\n"
		if old != want && !flags.Update() {
			t.Errorf("example %s: ARCHITECTURE.md has\n%s\nit is\n%s\n(go test ./internal/engine/bounded -run Architecture -update)", name, old, want)
		}
		text = before + begin + want + end + after
	}
	if flags.Update() {
		if err := os.WriteFile(architecture, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ") + "\n"
}

// instructionsOf is the listing of an operation, without the directories of positions.
func instructionsOf(s *subject.Subject, operation string) string {
	var b bytes.Buffer
	for _, f := range s.Prog.Funcs {
		if strings.HasSuffix(f.Name, "Queue)."+operation) {
			s.Prog.PrintFunc(&b, f)
		}
	}
	return b.String()
}

// statesOf tells the first state of the search, in which the queue is empty and two threads are idle, and those behind
// two moves of the first thread and one of the second.
func statesOf(t *testing.T, s *subject.Subject) string {
	ops := s.ClientOps()
	bounds := engine.Bounds{Config: "2x2x0"}
	scopes, err := bounds.Scopes(&engine.Operations{Kind: "queue", List: ops})
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Job: engine.Job{Subject: s, Property: consist.Linear, Scope: scopes[0], Search: engine.Search{Reduce: vm.AllReductions &^ vm.RememberedSteps}}}
	v, err := newVerification(opt)
	if err != nil {
		t.Fatal(err)
	}
	calls := client.NewGeneral(v.space, func() bool { return v.items }, func() bool { return v.keys })
	if err := v.search(context.Background(), calls); err != nil { // which finds out what may be assumed
		t.Fatal(err)
	}
	e := example{c: v.system(calls).newCursor()}
	e.c.Initial(explore.Replay(nil))
	e.show("New() has returned; both threads are idle")
	e.take(0)
	e.show("one thread calls Put(1) and executes its first access, tail.Swap")
	e.take(len(e.c.Moves(nil)) - 1) // the thread that is idle comes first
	e.show("that thread executes next.Store, and Put returns")
	return e.String()
}

// example is what is told of a walk through the states.
type example struct {
	strings.Builder
	c *cursor
}

// take executes a move of the state, given its place in the list of moves.
func (e *example) take(k int) {
	e.c.Step(e.c.Moves(nil)[k], explore.Replay(nil))
}

// show tells the state in which the cursor is.
func (e *example) show(title string) {
	words := e.c.Save(nil)
	at := e.c.m.Parts()
	fmt.Fprintln(e, title)
	e.section("monitor, plan", words[:2])
	words = words[2:]
	e.section("header, roots", words[:at.Thread])
	e.section("threads", words[at.Thread:at.Objects])
	e.section("objects", words[at.Objects:])
	e.c.Load(append([]uint64(nil), e.c.Save(nil)...))
}

func (e *example) section(name string, words []uint64) {
	fmt.Fprintf(e, "  %-14s", name)
	for _, w := range words {
		fmt.Fprintf(e, " %x", w)
	}
	e.WriteByte('\n')
}
