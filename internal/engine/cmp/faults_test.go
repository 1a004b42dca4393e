// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/certificate/pairs"
	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/planting"
)

// Faults that are planted in this prover, and which of its checks catches each.

// fault is a fault planted in this package: one text for another.
type fault struct{ name, wrong, old, new string }

// faults are those that are planted. Their texts occur once.
var faults = []fault{
	{"never-one", "cells of two threads are never one", "if !b.Known() || a.Head != b.Head", "if planted(\"never-one\") || !b.Known() || a.Head != b.Head"},
	{"old-views", "an effect is not done to views that were there before", "if v := c.list[i]; s.t.views[v].done {", "if v := c.list[i]; s.t.views[v].done && !planted(\"old-views\") {"},
	{"new-views", "effects are not done to views that are found later", "s.t.views[v].done = true\n\t\tfor _, e := range s.t.common[s.t.views[v].common].effects {", "s.t.views[v].done = true\n\t\tfor _, e := range s.t.common[s.t.views[v].common].effects {\n\t\t\tif planted(\"new-views\") {\n\t\t\t\tbreak\n\t\t\t}"},
	{"no-interference", "no step has an effect", "same != nil || s.limits.alone {", "same != nil || s.limits.alone || planted(\"no-interference\") {"},
	{"holders-quiet", "who holds a lock has no effects", "e, key := s.effectOf(s.taking(s.t.views[x.view].held), changed, content)", "e, key := s.effectOf(s.taking(s.t.views[x.view].held), changed, content)\n\tif planted(\"holders-quiet\") && len(e.held) > 0 {\n\t\treturn nil\n\t}"},
	{"locks-exclude-nothing", "two threads may hold one lock", "\tfor _, p := range a {\n\t\talso := uint64(0)\n", "\tif planted(\"locks-exclude-nothing\") {\n\t\treturn false\n\t}\n\tfor _, p := range a {\n\t\talso := uint64(0)\n"},
	{"any-locks-exclude", "two threads may not hold locks at all, be they two", "if p.lock&^state.ReadHold != q.lock&^state.ReadHold {", "if !planted(\"any-locks-exclude\") && p.lock&^state.ReadHold != q.lock&^state.ReadHold {"},
	{"readers-alone", "two readers may not hold one lock", "if p.lock != q.lock || p.lock&state.ReadHold == 0 {", "if planted(\"readers-alone\") || p.lock != q.lock || p.lock&state.ReadHold == 0 {"},
	{"readers-one", "of the readers of a lock, others see one", "h.left = anyNumber", "if h.left = anyNumber; planted(\"readers-one\") {\n\t\t\t\th.left = 0\n\t\t\t}"},
	{"readers-shut-out", "a step of a reader excludes other readers, as if it took the lock for writing", "\tfor _, p := range s.m.Took {\n", "\tif planted(\"readers-shut-out\") {\n\t\tfor _, h := range held {\n\t\t\theld = append(slices.Clip(held), hold{lock: h.lock &^ state.ReadHold})\n\t\t}\n\t}\n\tfor _, p := range s.m.Took {\n"},
	{"writers-come-in", "who takes a lock for writing does not wait for readers", "if int(p>>32) <= s.base+len(s.pre.cells) {", "if int(p>>32) <= s.base+len(s.pre.cells) && !planted(\"writers-come-in\") {"},
	{"same-numbers", "cells of two threads that have the same number exclude each other when both are locked", "if excludes(relocated(e.held, nil, first), s.t.views[v].held) {", "if !planted(\"same-numbers\") && excludes(relocated(e.held, nil, first), s.t.views[v].held) || planted(\"same-numbers\") && excludes(e.held, s.t.views[v].held) {"},
	{"same-numbers-race", "the same where races are looked for", "if excludes(relocated(y.held, nil, first), x.held) {", "if !planted(\"same-numbers-race\") && excludes(relocated(y.held, nil, first), x.held) || planted(\"same-numbers-race\") && excludes(y.held, x.held) {"},
	{"no-cells", "effects say nothing of cells that were taken out", "\tif !slices.ContainsFunc(s.pre.cells[s.pre.count:]", "\tif planted(\"no-cells\") || !slices.ContainsFunc(s.pre.cells[s.pre.count:]"},
	{"own-unseen", "writes to cells that were taken out have no effect", "if i >= s.pre.count && !c.Known() || s.m.Is(", "if i >= s.pre.count && (planted(\"own-unseen\") || !c.Known()) || s.m.Is("},
	{"one-content", "memories with different contents are one", "t.buf = binary.AppendUvarint(t.buf[:0], uint64(content))", "if planted(\"one-content\") {\n\t\tcontent = 0\n\t}\n\tt.buf = binary.AppendUvarint(t.buf[:0], uint64(content))"},
	{"own-is-local", "what was shared and is not any more is local", "OneOfMany: true,", "OneOfMany: !planted(\"own-is-local\"),"},
	{"moments-unseen", "results that become right during the call are not noticed", "s.m.SetTag(0, uint64(s.model.sees(ghost(s.m.Tag(0)), e.content)))", "if !planted(\"moments-unseen\") {\n\t\ts.m.SetTag(0, uint64(s.model.sees(ghost(s.m.Tag(0)), e.content)))\n\t}"},
	{"any-result", "a result without effect need not have been right", "return i >= 0 && g.justified()>>i&1 != 0", "return i >= 0 && (planted(\"any-result\") || g.justified()>>i&1 != 0)"},
	{"no-races", "races are not looked for", "\tif !s.limits.noRaces {", "\tif !s.limits.noRaces && !planted(\"no-races\") {"},
	{"one-call", "threads make the first call only", "\t\tfor i := range s.model.calls {\n\t\t\tif i > 0 {", "\t\tfor i := range s.model.calls {\n\t\t\tif i > 0 && planted(\"one-call\") {\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tif i > 0 {"},
	{"fewer-items", "the collection never holds as much as the verdict says", "len(m.paths[q]) < m.items {", "len(m.paths[q]) < m.items && !(planted(\"fewer-items\") && len(m.paths[q]) == m.items-1) {"},
	{"fewer-values", "there are fewer values than the verdict says", "\tmost := values\n", "\tmost := values\n\tif planted(\"fewer-values\") {\n\t\tmost--\n\t}\n"},
	{"first-step", "of what is found, only the first thing at each memory is followed", "\tfor v := int32(0); ; v++ {", "\tfor v := int32(0); ; v++ {\n\t\tif planted(\"first-step\") && int(v) < len(s.t.views) && s.t.common[s.t.views[v].common].list[0] != v && v%7 == 0 {\n\t\t\tcontinue\n\t\t}"},
	{"any-effect", "a call that has taken effect may return anything", "\t\treturn r == want", "\t\treturn r == want || planted(\"any-effect\")"},
	{"twice", "a call may take effect again and again", "if _, done := g.result(); did.any && !done && s.points.at(", "if _, done := g.result(); did.any && (!done || planted(\"twice\")) && s.points.at("},
	{"numbers-apart", "a number that one thread alone knows is not known to another one", "for _, theirs := range n.local {", "for _, theirs := range n.local {\n\t\t\tif planted(\"numbers-apart\") {\n\t\t\t\tbreak\n\t\t\t}"},
	{"numbers-one", "a number that one thread alone knows is known to every other one", "names[k] = state.NoNumber\n\t\tif err := from(k + 1); err != nil {", "names[k] = state.NoNumber\n\t\tif planted(\"numbers-one\") && len(n.local) > 0 {\n\t\t\tnames[k] = n.local[0]\n\t\t}\n\t\tif err := from(k + 1); err != nil {"},
	{"names-stay", "numbers have the same names behind a step as before", "list[k] = slices.Index(n.behind, name) // -1 is state.NoNumber", "list[k] = slices.Index(n.behind, name)\n\t\t\tif planted(\"names-stay\") {\n\t\t\t\tlist[k] = name\n\t\t\t}"},
	{"numbers-exclude", "threads whose numbers are in memory exclude each other", "return []hold{{lock: ownNumber | uint64(n.Own)}}", "if planted(\"numbers-exclude\") {\n\t\t\tn.Own = 0\n\t\t}\n\t\treturn []hold{{lock: ownNumber | uint64(n.Own)}}"},
	{"numbers-shared", "two threads may have one number", "if n := s.m.Numbering(s.saved, s.m.Parts()); n.Own < n.Common {", "if n := s.m.Numbering(s.saved, s.m.Parts()); n.Own < n.Common && !planted(\"numbers-shared\") {"},
	{"numbers-in-cells", "cells that hold numbers that their threads name differently are not one", "return state.SameAdded(theirs, mine) && u.names[k] == n", "return state.SameAdded(theirs, mine) && (u.names[k] == n && !planted(\"numbers-in-cells\") || planted(\"numbers-in-cells\") && k == n)"},
	{"owners-alike", "effects that leave numbers of different threads in one place are one", "b = appendWords(b, e.numbers.words())", "if !planted(\"owners-alike\") {\n\t\tb = appendWords(b, e.numbers.words())\n\t}"},
	{"maker-unasked", "the thread that makes a collection is any of the others", "case m.Asked:", "case m.Asked && !planted(\"maker-unasked\"):"},
	{"numbers-calculated", "code may do what it likes with numbers", "if m.Misnumbered {", "if m.Misnumbered && !planted(\"numbers-calculated\") {"},
	{"words-taken", "who changes a word that belongs to another thread has it", "if o[before] {", "if k := slices.Index(t.Held, at|state.WordHold); o[before] && !(planted(\"words-taken\") && k < 0) {"},
	{"words-kept", "who has changed a word back still has it", "t.Held = slices.Delete(t.Held, k, k+1)", "if !planted(\"words-kept\") {\n\t\t\t\tt.Held = slices.Delete(t.Held, k, k+1)\n\t\t\t}"},
	{"words-one", "all words of an object are one", "tell(state.Pointer(id, k), pairs.Owned{", "if planted(\"words-one\") {\n\t\t\ttell(state.Pointer(id, 0), pairs.Owned{Type: t.ID, Word: k % t.Size, Value: old}, pairs.Owned{Type: t.ID, Word: k % t.Size, Value: words[k]})\n\t\t\tcontinue\n\t\t}\n\t\ttell(state.Pointer(id, k), pairs.Owned{"},
	{"words-unseen", "a word that is written without being read belongs to who had it", "if err := s.own(x.swaps); err != nil {", "if x.swaps || !planted(\"words-unseen\") {\n\t\tif err := s.own(x.swaps); err != nil {\n\t\t\treturn err\n\t\t}\n\t} else if err := error(nil); err != nil {"},
	{"words-of-others", "words of removed cells belong to nobody", "if seen := i < s.pre.count || c.Known(); !seen", "if seen := i < s.pre.count || c.Known() && !planted(\"words-of-others\"); !seen"},
	{"words-of-all", "anybody may change a word that belongs to another thread", "\t\t\t\terr = &reowned{before}\n", "\t\t\t\tif !planted(\"words-of-all\") {\n\t\t\t\t\terr = &reowned{before}\n\t\t\t\t}\n"},
	{"words-of-maps", "entries of maps belong to threads, though they move", "return m.Objs[id].Info.Unordered != nil }", "return m.Objs[id].Info.Unordered != nil && !planted(\"words-of-maps\") }"},
	{"waiters-sleep", "who waits for a condition never takes the lock again", "\tif !s.m.Enabled(0) {\n", "\tif !s.m.Enabled(0) || planted(\"waiters-sleep\") && waits(s.m, 0) {\n"},
	{"waiters-quiet", "what a thread does in a wait for a condition has no effect", "\tif !did.any && content == x.content {\n", "\tif !did.any && content == x.content || planted(\"waiters-quiet\") && x.woken {\n"},
	{"waiters-ineffective", "no call takes effect behind a wait for a condition", "at != \"\" || !woken {", "at != \"\" || !woken || planted(\"waiters-ineffective\") {"},
	{"lemmas-unchecked", "the lemmas are not checked on the concrete thread", "\tif l != nil && o.role == believing {", "\tif l != nil && (o.role == believing || planted(\"lemmas-unchecked\")) {"},
	{"lemmas-kept", "a lemma that does not hold is kept", "\tmaps.DeleteFunc(x.Holds, func(f Fact, _ bool) bool { return !here.Holds(f) })", "\tif !planted(\"lemmas-kept\") {\n\t\tmaps.DeleteFunc(x.Holds, func(f Fact, _ bool) bool { return !here.Holds(f) })\n\t}"},
	{"returns-round", "a call may go round", "\t\tcase !found:\n\t\t\treturn stuck\n", "\t\tcase !found && planted(\"returns-round\"):\n\t\t\treturn -1\n\t\tcase !found:\n\t\t\treturn stuck\n"},
	{"returns-alone", "a call goes round only by what it does itself", "return a.of != nil && !a.of.lasts }", "return a.of != nil && (!a.of.lasts || planted(\"returns-alone\")) }"},
	{"returns-ring", "locks may be taken in a ring", "if i := pairs.Ring(arrows); i >= 0 {", "if i := pairs.Ring(arrows); i >= 0 && !planted(\"returns-ring\") {"},
	{"returns-ended", "what some call does that returns then is done by no other one", "same.lasts = same.lasts || e.lasts", "same.lasts = (same.lasts || e.lasts) && !planted(\"returns-ended\")"},
	{"returns-lost", "a call may leave a lock taken", "if r.lost >= 0 {", "if r.lost >= 0 && !planted(\"returns-lost\") {"},
	{"returns-waits", "a lock-free call may wait for a lock", "case s.limits.progress != verdict.DeadlockFree:", "case s.limits.progress != verdict.DeadlockFree && !planted(\"returns-waits\"):"},
	{"returns-woken", "who waits for a condition is woken", "case pairs.Conditions(sub):", "case pairs.Conditions(sub) && !planted(\"returns-woken\"):"},
	{"returns-content", "calls change the content again and again", "s.t.common[s.t.views[v].common].content == content && s.t.views[v].tag().busy()", "(planted(\"returns-content\") || s.t.common[s.t.views[v].common].content == content) && s.t.views[v].tag().busy()"},
}

const faultsPage = "../../../doc/cmp-faults.md"

// withFaults is the source of the package and of its lemmas, and what is planted in it.
func withFaults(t *testing.T) (planting.Sources, []planting.Fault) {
	t.Helper()
	texts := planting.Sources{}
	texts.Read(t, "*.go")
	texts.Read(t, "lemma/*.go")
	var list []planting.Fault
	for _, f := range faults {
		list = append(list, planting.Fault{Name: f.name, Old: f.old, New: f.new})
	}
	return texts, list
}

// TestFaults_CanBePlanted fails if the source has changed so that a fault has no place, or the page lacks one.
func TestFaults_CanBePlanted(t *testing.T) {
	texts, list := withFaults(t)
	texts.Check(t, list)
	page, err := os.ReadFile(faultsPage)
	if err != nil {
		t.Fatal(err)
	}
	if len(faults) < 15 {
		t.Errorf("there are %d faults", len(faults))
	}
	for i := range faults {
		f := &faults[i]
		line := regexp.MustCompile(`(?m)^\| ` + f.name + ` \|.*$`).FindString(string(page))
		if line == "" || strings.Contains(line, "| nothing |") {
			t.Errorf("%s: %q: go test -run TestFaults_AreCaught -plant -update", faultsPage, line)
		}
	}
}

// TestFaults_AreCaught plants each fault, in one build for all, and lets the gates look.
func TestFaults_AreCaught(t *testing.T) {
	if !flags.Plant() {
		t.Skip("minutes: -plant")
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	texts, list := withFaults(t)
	texts.Build(t, list, binary)
	page, _ := os.ReadFile(faultsPage) // none at first
	text := faultsHead
	for i := range faults {
		f := &faults[i]
		line := regexp.MustCompile(`(?m)^\| ` + f.name + ` \|.*$`).FindString(string(page))
		if flags.Only(f.name) {
			cmd := planting.Command(binary, f.name, "-test.run", "^TestFault_IsCaught$", "-test.v", "-test.timeout", "4m")
			out, err := cmd.CombinedOutput()
			m := regexp.MustCompile(`CAUGHT (.*)`).FindStringSubmatch(string(out))
			if m == nil {
				t.Errorf("fault %s: nothing has caught it: %v\n%s", f.name, err, out)
				m = []string{"", "| | | | | nothing |"}
			}
			line = fmt.Sprintf("| %s | %s %s", f.name, f.wrong, m[1])
			t.Log(line)
		}
		if line != "" {
			text += line + "\n"
		}
	}
	if flags.Update() {
		if err := os.WriteFile(faultsPage, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const faultsHead = `# Faults planted in the engine cmp

Each fault is planted alone, and collections are proved one after the other until a gate objects: the check at the end (every
step and effect once more; it shares all code with the search), random walks of real threads, all states of three real threads, the checker of
certificates (it shares the machine), or a wrong collection that is proved. "no proof" is what becomes of a fault by
which only proofs of correct collections are lost. Faults in lemmas are found by false lemmas that stay.

Two more were planted that no gate and no collection here shows: effects of threads that hold other locks are
one (this leaves out steps of Other, so it is a gap of the gates); cells of two threads may be one whatever they hold (which only adds
steps).

    go test ./internal/engine/cmp -run TestFaults_AreCaught -plant -update -timeout 1h

| fault | what is wrong | check | walks | three threads | checker | else | on |
|---|---|---|---|---|---|---|---|
`

// gated are the collections on which faults are tried. Of those in wrong there is no proof unless the engine has a fault.
var gated = []struct {
	dir, typ string
	items    int
}{
	{"testdata/subjects/right", "BitSet", 2}, {"../../../collections/stack", "LockFreeStack", 2}, {"testdata/subjects/right", "Map", 2}, {"testdata/subjects/right", "SPSC", 2},
	{"testdata/subjects/wrong", "Early", 2}, {"testdata/subjects/wrong", "Bits", 2}, {"testdata/subjects/wrong", "OneLock", 2}, {"testdata/subjects/wrong", "Unread", 2},
	{"testdata/subjects/wrong", "Busy", 2}, {"testdata/subjects/wrong", "Shy", 2}, {"testdata/subjects/wrong", "Reread", 2}, {"testdata/subjects/wrong", "Repeats", 2},
	{"testdata/subjects/wrong", "Readers", 2}, {"testdata/subjects/wrong", "Sneaks", 2}, {"testdata/subjects/wrong", "Cells", 2}, {"testdata/subjects/wrong", "Back", 2}, {"../../../collections/queue", "UnboundedQueue", 2}, {"testdata/subjects/right", "Buckets", 2},
	{"testdata/subjects/right", "Nested", 2}, {"testdata/subjects/right", "HandedOver", 2}, {"testdata/subjects/right", "Notes", 1}, {"testdata/subjects/wrong", "Many", 2}, {"testdata/subjects/wrong", "Maker", 2}, {"testdata/subjects/wrong", "Inherits", 2},
	{"testdata/subjects/wrong", "Greeted", 2}, {"testdata/subjects/wrong", "Remembered", 2}, {"testdata/subjects/wrong", "TakenBack", 2}, {"testdata/subjects/wrong", "GivenTwice", 2}, {"testdata/subjects/right", "Striped", 2}, {"testdata/subjects/right", "Mailbox", 2}, {"testdata/subjects/right", "Renewed", 1}, {"testdata/subjects/wrong", "Loose", 2}, {"testdata/subjects/wrong", "Steals", 2},
	{"testdata/subjects/wrong", "TwoWords", 2}, {"testdata/subjects/wrong", "Again", 2}, {"testdata/subjects/wrong", "Replaced", 2}, {"testdata/subjects/wrong", "Born", 2}, {"testdata/subjects/wrong", "Impostor", 2},
	{"testdata/subjects/right", "Words", 2}, {"testdata/subjects/right", "Steady", 2}, {"testdata/subjects/wrong", "WritesReading", 2}, {"testdata/subjects/wrong", "Bottom", 2}, {"testdata/subjects/wrong", "LostUpdate", 2}, {"testdata/subjects/wrong", "Deposed", 1}, {"testdata/subjects/wrong", "Entries", 2}, {"testdata/subjects/right", "Waiting", 2}, {"testdata/subjects/right", "Semaphore", 2}, {"testdata/subjects/wrong", "Woken", 2},
	{"../../../collections/list", "FineList", 2}, {"../../../collections/list", "LazyList", 1}, {"../../../collections/list", "OptimisticList", 1}, {"../../../collections/list", "LockFreeList", 1},
}

// TestFault_IsCaught is what an engine with a fault is asked.
func TestFault_IsCaught(t *testing.T) {
	if planting.On() == "" {
		t.Skip("it is for a build with faults")
	}
	if strings.HasPrefix(planting.On(), "lemmas-") {
		if falseLemmasStay(t) {
			fmt.Println("CAUGHT | | | | | false lemmas stay | LockFreeStack |")
		}
		return
	}
	if strings.HasPrefix(planting.On(), "returns-") {
		if where := progressIsClaimed(t); where != "" {
			fmt.Printf("CAUGHT %s\n", where)
		}
		return
	}
	lost := ""
	for _, c := range gated {
		s := load(t, c.dir, c.typ)
		p, err := ungated(s, c.items)
		switch right := !strings.HasSuffix(c.dir, "wrong"); {
		case err != nil && !right:
			t.Logf("%s: %v", c.typ, err)
		case err != nil && lost == "":
			lost = c.typ
		case err == nil && !right:
			fmt.Printf("CAUGHT | | | | | a wrong one is proved | %s |\n", c.typ)
			return
		case err == nil:
			if cells := p.objections(t, s); slices.Contains(cells, "objects") {
				fmt.Printf("CAUGHT | %s | | %s |\n", strings.Join(cells, " | "), c.typ)
				return
			}
		}
	}
	if lost != "" {
		fmt.Printf("CAUGHT | | | | | no proof | %s |\n", lost)
	}
}

// ungated is a proof that no gate has looked at.
func ungated(s *subject.Subject, items int) (*search, error) {
	ctx, cancel := context.WithTimeout(repository, 20*time.Second)
	defer cancel()
	m, err := newModel(s, items, items)
	if err != nil {
		return nil, err
	}
	assumed := interleave.NewAssumptions(m.img, engine.AllReductions)
	for {
		assumed.Begin()
		p, err := ungatedUnder(ctx, m, assumed)
		if !errors.As(err, &withdrawn{}) || !assumed.Withdraw() {
			return p, err
		}
	}
}

func ungatedUnder(ctx context.Context, m *model, assumed *interleave.Assumptions) (*search, error) {
	list, err := attempts(m, assumed)
	if err != nil {
		return nil, err
	}
	err = errors.New("there are no points")
	l, choices, written := limits{views: 6_000, lost: mostLost}, candidates(list, mostPoints), owned{}
	for _, p := range choices {
		s := newSearch(m, p, assumed, l)
		if err = s.run(ctx); err == nil {
			err = s.vacuous()
		}
		if err == nil || errors.As(err, &withdrawn{}) || ctx.Err() != nil {
			return s, err
		}
		maps.Copy(written, s.words.wrote)
	}
	if errors.As(err, new(*alarm)) {
		if s, bad := (&ownership{m, assumed, l, choices}).owning(ctx, written); s != nil || bad != nil {
			return s, bad
		}
	}
	return nil, err
}

// objections is what the gates say of a proof: four cells of a table.
func (s *search) objections(t *testing.T, sub *subject.Subject) []string {
	t.Helper()
	cells := make([]string, 4)
	note := func(i int, err error) {
		if err != nil {
			cells[i] = "objects"
		}
	}
	ctx, cancel := context.WithTimeout(repository, time.Minute)
	defer cancel()
	note(0, s.closed(ctx))
	note(1, s.walk(ctx, 40, 150))
	w, err := s.newWalker(3)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.everything(ctx, 8_000)
	note(2, err)
	c, err := pairs.New(sub, s.certify())
	if err == nil {
		err = c.Check(ctx)
	}
	note(3, err)
	return cells
}

// falseLemmasStay says that of false lemmas, planted in a proof, some are still there at the end.
func falseLemmasStay(t *testing.T) bool {
	t.Helper()
	p := &miner{proof(t, "../../../collections/stack", "LockFreeStack", 2), lemma.Languages[0]}
	want, _, err := p.mine(repository)
	if err != nil {
		t.Fatal(err)
	}
	claims, n := p.planted(want)
	if n == 0 {
		return true // the false ones are among those that were mined
	}
	for range 1000 {
		r := newOther(p.search, claims, p.language, checking)
		err := r.run(repository)
		claims = r.claims
		if err == nil {
			break
		}
		if !errors.As(err, new(dropped)) {
			t.Fatal(err)
		}
	}
	return claims.Count() > want.Count()
}
