// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/cache"
	"pangolin/internal/checkpoint"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// What a checkpoint carries: each of it is dropped where a checkpoint is read, and is missed.

// savingFaults each drop or change one thing that is read from a checkpoint.
func savingFaults() []planting.Fault {
	dropped := func(name, old, then string) planting.Fault {
		return planting.Fault{Name: name, Old: old, New: old + fmt.Sprintf("\nif planted(%q) && !c.Writes() {\n%s\n}", name, then)}
	}
	unless := func(name, statement string) planting.Fault {
		return planting.Fault{Name: name, Old: statement, New: fmt.Sprintf("if !planted(%q) {\n%s\n}", name, statement)}
	}
	return []planting.Fault{
		{Name: "transitions", Old: "s.sum, s.peak, s.reported = p, peak, p.States", New: "if planted(\"transitions\") {\np.Transitions = 0\n}\ns.sum, s.peak, s.reported = p, peak, p.States"},
		dropped("decisions", "passDecisions(c, &k.choices.made)", "for i := range k.choices.made {\nk.choices.made[i].taken = 0\n}"),
		dropped("next-alternative", "saved.Int(c, &f.choices)", "if f.at+1 < f.last {\nf.at++\n}"),
		dropped("visited-state", "saved.Int(c, &sh.used)", "for i := range sh.keys {\nif sh.keys[i] != 0 {\nsh.keys[i] = 0\nbreak\n}\n}"),
		dropped("leaving-edge", "c.Bool(&g.leaves)", "g.leaves = false"),
		{Name: "monitor-table", Old: "m.intern([]byte(words))", New: "if !planted(\"monitor-table\") {\nm.intern([]byte(words))\n}"},
		{Name: "oracle-states", Old: "func(s oracle.State) { m.auto.StateID(s) }", New: "func(s oracle.State) {\nif !planted(\"oracle-states\") {\nm.auto.StateID(s)\n}\n}"},
		{Name: "oracle-results", Old: "func(t history.Tuple) { m.auto.ResultID(t) }", New: "func(t history.Tuple) {\nif !planted(\"oracle-results\") {\nm.auto.ResultID(t)\n}\n}"},
		{Name: "parts-found", Old: "l.add(v, hash(&v))", New: "if planted(\"parts-found\") {\nl.add(v, hash(&v)+1)\n} else {\nl.add(v, hash(&v))\n}"},
		{Name: "guards", Old: "saved.Int(c, &x)\n\t\tg.of[i].Store(x)", New: "saved.Int(c, &x)\nif !planted(\"guards\") || c.Writes() {\ng.of[i].Store(x)\n}"},
		dropped("withdrawn", "c.Bool(&a.Frozen[i])", "a.Frozen[i] = true"),
		dropped("renaming", "c.Bool(b)", "if b != &v.told {\n*b = !*b\n}"),
		dropped("restarts", "saved.Int(c, &v.result.Restarts)", "v.result.Restarts = 0"),
		unless("nested-calls", "a.tried[n.function] = n.calls"),
		{Name: "settled", Old: "a.settled.Pass(c)", New: "a.settled.Pass(c)\nif planted(\"settled\") && !c.Writes() {\na.settled = store.New(store.Config{Kind: a.settled.Kind()})\n}"},
		unless("results-seen", "r.results[i][history.Tuple(t)] = true"),
		{Name: "hunt", Old: "a.telling.Store(telling)", New: "a.telling.Store(telling && !planted(\"hunt\"))"},
	}
}

func savingSources(t *testing.T) planting.Sources {
	s := planting.Sources{}
	for _, dir := range []string{".", "../../explore", "../../store", "../../consist", "../../vm/parts", "../../vm/state"} {
		s.Read(t, filepath.Join(filepath.FromSlash(dir), "*.go"))
	}
	return s
}

func TestSavingFaults_CanBePlanted(t *testing.T) { savingSources(t).Check(t, savingFaults()) }

// TestSavingFaults_AreFound plants each fault and looks which request shows it, and how.
func TestSavingFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: some minutes")
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	savingSources(t).Build(t, savingFaults(), binary)
	for _, f := range savingFaults() {
		if out, err := planting.Command(binary, f.Name, "-test.run=^TestAttempt_IsReadAsItWasWritten$").CombinedOutput(); err != nil {
			t.Logf("%s: %.200s", f.Name, out)
			continue
		}
		out, err := planting.Command(binary, f.Name, "-test.run=^TestSavingFault_IsFound$", "-test.v").CombinedOutput()
		text := string(out)
		if at := strings.Index(text, "FOUND"); at >= 0 {
			text, _, _ = strings.Cut(text[at:], "\n")
			t.Logf("%s: %s", f.Name, text)
			continue
		}
		t.Errorf("%s is not found: %v %.2000s", f.Name, err, text)
	}
}

// TestSavingFault_IsFound runs in the binary with the faults and says which request shows the one that is switched on: by another verdict
// than that of one run, by a failure, or by other bytes when what was read is written again.
func TestSavingFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("a part of TestSavingFaults_AreFound")
	}
	every := func(int) bool { return true }
	for _, c := range append(slices.Clone(long), rare...) {
		want, states := verified(t, c.r)
		_, all := leaves(t, c.r, t.TempDir(), max(1, states/4), false, every)
		for _, bytewise := range []bool{false, true} {
			for i, from := range all.left {
				if found := differs(t, c.r, from, want, bytewise); found != "" {
					t.Logf("FOUND %s, checkpoint %d of %d: %s", c.name, i+1, len(all.left), found)
					return
				}
			}
		}
	}
}

// rare are requests whose searches find out what is seldom found out.
var rare = []struct {
	name string
	r    pangolin.Request
}{
	{"exchangers with oracle self", withOracle(of("stack.EliminationBackoffStack", "2x2", ""), "self")},
	{"a synchronous queue with oracle self", withOracle(of("queue.SynchronousQueue", "2x2", ""), "self")},
}

// verified is the verdict of one run, and how many states that has searched.
func verified(t *testing.T, r pangolin.Request) (text string, states uint64) {
	t.Helper()
	list, err := pangolin.Verify(modules.Context, r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		states = max(states, list[i].Searched())
	}
	return plain(t, list), states
}

// differs says in what a run that goes on from a checkpoint differs from one run.
func differs(t *testing.T, r pangolin.Request, from, want string, bytewise bool) (found string) {
	defer func() {
		if p := recover(); p != nil {
			found = fmt.Sprintf("a panic: %.80v", p)
		}
	}()
	if bytewise {
		if before, after := again(t, r, from); !bytes.Equal(before, after) {
			return "what was read is written otherwise"
		}
		return ""
	}
	d, err := cache.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	s := &checkpoint.Session{Dir: d, Key: aKey, Resume: true, Pace: checkpoint.Usual, Tell: func(string) {}}
	list, err := pangolin.Verify(checkpoint.With(modules.Context, s), r)
	switch {
	case err != nil:
		return fmt.Sprintf("an error: %.80v", err)
	case plain(t, list) != want:
		return "another verdict, or other counts"
	}
	return ""
}

// again reads the last checkpoint of a copy of a directory and writes it, without a step in between.
func again(t *testing.T, r pangolin.Request, from string) (before, after []byte) {
	d, err := cache.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	numbers := d.Saved(aKey)
	last := slices.Max(numbers)
	before = carried(t, d, last)
	ctx, cancel := context.WithCancel(modules.Context)
	defer cancel()
	left := len(numbers)
	s := &checkpoint.Session{Dir: d, Key: aKey, Resume: true, Pace: checkpoint.Pace{First: 1 << 60}}
	s.Tell = func(text string) {
		if left--; left == 0 {
			cancel()
		}
	}
	_, _ = pangolin.Verify(checkpoint.With(ctx, s), r)
	return before, carried(t, d, last)
}

// carried is what a checkpoint has of its search, without how long that has lasted and how much memory it has taken.
func carried(t *testing.T, d *cache.Dir, number int) []byte {
	c, err := d.Resume(aKey, number)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	text, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(text, []byte("\x16assumptions"))
	if at < 0 {
		t.Fatal("a checkpoint has no assumptions")
	}
	return text[at:]
}

// What is read from a checkpoint and written at once is the same text.
func TestCheckpoints_AreReadWhole(t *testing.T) {
	for i, c := range append(slices.Clone(long), rare...) {
		if level.Out(i, 3) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			_, states := verified(t, c.r)
			_, all := leaves(t, c.r, t.TempDir(), max(1, states/10), false, func(int) bool { return true })
			for i, from := range all.left {
				if before, after := again(t, c.r, from); !bytes.Equal(before, after) {
					n := 0
					for n < min(len(before), len(after)) && before[n] == after[n] {
						n++
					}
					t.Fatalf("checkpoint %d of %d, %d bytes, is written again as %d bytes; they differ at %d:\n%q\n%q", i+1, len(all.left), len(before), len(after), n,
						before[max(0, n-40):min(len(before), n+40)], after[max(0, n-40):min(len(after), n+40)])
				}
			}
		})
	}
}
