// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/walk"
	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/oracle"
)

// Faults that are planted in this prover, and which of its gates stops each.

var (
	plantIn = flag.String("plant.binary", "", "with -plant, a `file` for the build with faults, which is used if it is there")
)

const faultPage = "../../../doc/prover-faults.md"

// withFaults is the provers' source, and what is planted in it.
func withFaults(t *testing.T) (planting.Sources, []planting.Fault) {
	t.Helper()
	texts := planting.Sources{}
	for _, dir := range []string{"shape", "transfer", "content", "interference", "fixpoint"} {
		texts.Read(t, dir+"/*.go")
	}
	var list []planting.Fault
	for _, f := range faults {
		list = append(list, planting.Fault{Name: f.name, Old: f.old, New: f.new})
	}
	return texts, list
}

// TestProverFaults_CanBePlanted fails if the source has changed so that a fault has no place.
func TestProverFaults_CanBePlanted(t *testing.T) {
	texts, list := withFaults(t)
	texts.Check(t, list)
	for i, f := range list {
		if file, err := texts.Place(f); err == nil && filepath.Dir(file) != faults[i].area {
			t.Errorf("fault %s is in %s, not in %s", f.Name, file, faults[i].area)
		}
	}
	page, err := os.ReadFile(faultPage)
	if err != nil {
		t.Fatal(err)
	}
	for i := range faults {
		if !strings.Contains(string(page), "| "+faults[i].name+" |") {
			t.Errorf("%s does not have the fault %s: go test -run TestProverFaults_AreCaught -plant -update", faultPage, faults[i].name)
		}
	}
}

// TestProverFaults_AreCaught plants each fault, in one build for all, and lets the gates look.
func TestProverFaults_AreCaught(t *testing.T) {
	if !flags.Plant() {
		t.Skip("minutes: -plant")
	}
	binary := *plantIn
	if binary == "" {
		binary = filepath.Join(t.TempDir(), "planted.test")
	}
	if _, err := os.Stat(binary); err != nil {
		texts, list := withFaults(t)
		texts.Build(t, list, binary)
	}
	page, _ := os.ReadFile(faultPage) // none at first
	lines := map[string]string{}
	for _, line := range strings.Split(string(page), "\n") {
		if cells := strings.Split(line, "|"); len(cells) == 10 {
			lines[strings.TrimSpace(cells[1])] = line
		}
	}
	for i := range faults {
		f := &faults[i]
		if !flags.Only(f.area + "/" + f.name) {
			continue
		}
		cmd := planting.Command(binary, f.name, "-test.run", "^TestProverFault_IsCaught$", "-test.v", "-test.timeout", "5m")
		out, err := cmd.CombinedOutput()
		m := regexp.MustCompile(`CAUGHT (.*)`).FindStringSubmatch(string(out))
		switch {
		case m != nil:
			lines[f.name] = fmt.Sprintf("| %s | %s | %s | %s |", f.name, f.area, f.wrong, m[1])
		case err != nil:
			t.Errorf("fault %s: %v\n%s", f.name, err, out)
			continue
		default:
			lines[f.name] = fmt.Sprintf("| %s | %s | %s | | | | | **nothing** |", f.name, f.area, f.wrong)
			t.Errorf("fault %s is not caught: %s", f.name, f.wrong)
		}
		t.Log(lines[f.name])
		if flags.Update() { // at once: there may be a time limit
			writeFaults(t, lines)
		}
	}
}

// writeFaults writes the page.
func writeFaults(t *testing.T, lines map[string]string) {
	t.Helper()
	text := faultHead
	for i := range faults {
		if line := lines[faults[i].name]; line != "" {
			text += line + "\n"
		}
	}
	if err := os.WriteFile(faultPage, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const faultHead = `# Faults planted in the prover

Each fault is planted alone, and the collections of the prover's tests are proved one after the
other until one of the gates objects: a comparison of merging with what writes do to random small
memories, the check that the invariant is inductive (it shares steps and merging with the
prover), the walk of the real machine, and the checker of certificates (it shares nothing;
"claims the same" if the invariant is right all the same, though not what the prover meant). "no proof" is what becomes of a fault by which the prover only loses
proofs of correct collections, which the tables of proofs and mutants show; "panics" of one that ends the prover.

    go test ./internal/engine/unbounded -run TestProverFaults_AreCaught -plant -update -timeout 1h

| fault | in | what is wrong | merging | inductive | walk | checker | on |
|---|---|---|---|---|---|---|---|
`

// gated are the collections on which faults are tried, cheap ones first. Of those in package wrong
// there is no proof unless the prover has a fault.
var gated = [][2]string{{"right", "CoarseStack"}, {"stack", "LockFreeStack"}, {"right", "CoarseQueue"}, {"list", "CoarseList"}, {"queue", "UnboundedQueue"},
	{"wrong", "HiddenRace"}, {"wrong", "Twice"}, {"wrong", "Doubled"}, {"wrong", "Frontal"}, {"wrong", "Swapped"}, {"wrong", "LateEmpty"}, {"wrong", "Recycled"}, {"wrong", "Resigned"}, {"wrong", "Attempting"},
	{"conditional", "CCAS"}, {"right", "Register"}, {"right", "Constant"}, {"wrong", "Twofold"}, {"wrong", "Careless"}, {"wrong", "Early"}, {"wrong", "Eager"}, {"wrong", "Hasty"}, {"wrong", "Borrowed"}, {"wrong", "Mixed"},
	{"wrong", "Peek"}, {"wrong", "Again"}, {"wrong", "Rash"}, {"wrong", "Liar"}, {"wrong", "Stubborn"}, {"wrong", "Yielding"}, {"wrong", "Cancelling"}, {"wrong", "Remembering"}, {"wrong", "Crossed"}, {"right", "CountedStack"}, {"wrong", "Likes"}, {"wrong", "Answering"}, {"wrong", "Undecided"},
	{"wrong", "Withdrawn"}, {"wrong", "Generous"}, {"wrong", "Lavish"}, {"wrong", "Owed"}, {"wrong", "Emptied"}, {"wrong", "Abandoned"}, {"right", "MeetingStack"}, {"right", "HindsightSet"}, {"list", "FineList"},
	{"queue", "LockFreeQueue"}, {"right", "DGLMQueue"}, {"list", "DerivedList"}, {"stack", "EliminationBackoffStack"}}

// TestProverFault_IsCaught is what a prover with a fault is asked.
func TestProverFault_IsCaught(t *testing.T) {
	if planting.On() == "" {
		t.Skip("it is for a build with faults")
	}
	merging, lost, on, list := "", "", "", gated
	defer func() { // what panics proves nothing
		if recover() != nil {
			fmt.Printf("CAUGHT | panics | | | %s\n", on)
		}
	}()
	for _, c := range stages {
		if on = c[1]; merging == "" {
			merging = mergingSays(newStage(t, c[0], c[1], 1))
		}
	}
	if merging != "" {
		list = gated[:8]
	}
	for _, c := range list {
		on = c[1]
		by, proof := caughtOn(t, c[0], c[1])
		if by != "" {
			fmt.Printf("CAUGHT %s | %s | %s\n", merging, by, c[1])
			return
		}
		if !proof && c[0] != "wrong" && lost == "" {
			lost = c[1]
		}
	}
	switch {
	case merging != "":
		fmt.Printf("CAUGHT %s | | | | \n", merging)
	case lost != "":
		fmt.Printf("CAUGHT | no proof | | | %s\n", lost)
	}
}

// mergingSays is what the comparison of merging with small memories says of a prover, which may
// go round in circles.
func mergingSays(s *stage) string {
	done := make(chan string, 1)
	go func() { done <- s.mergeFault(6_000) }()
	select {
	case text := <-done:
		if text != "" {
			text = "objects"
		}
		return text
	case <-time.After(30 * time.Second):
		return "does not end"
	}
}

// caughtOn proves a collection and says which gates object: three cells of a table. proof says
// that there was one.
func caughtOn(t *testing.T, pkg, typ string) (by string, proof bool) {
	s := load(t, pkg, typ)
	p, err := fragment.Of(s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	d := shape.NewDomain(p.Prog, p.Kind == oracle.Set)
	for _, m := range p.Maps(d) {
		inv, _, err := fixpoint.Compute(ctx, &fixpoint.Task{Program: p, Domain: d, Map: m}, fixpoint.Options{MaxViews: 6000})
		if err != nil || inv == nil {
			continue
		}
		cells := make([]string, 3)
		if err := inv.Check(ctx); err != nil {
			cells[0] = "objects"
		}
		if r, err := walk.Run(inv, walk.Options{Walks: 60, Steps: 120}); err != nil || r.Missing != nil {
			cells[1] = "objects"
		}
		c, err := checker.New(s, inv.Certificate(certificate.NewHead(s.Source, s.Prog)))
		if err == nil {
			_, err = c.Fit(ctx)
		}
		switch {
		case errors.As(err, new(*checker.Rejection)):
			cells[2] = "objects"
		case err != nil:
			cells[2] = "cannot read it"
		case cells[0] != "" || cells[1] != "": // it may claim the same with fewer or other views
			cells[2] = "claims the same"
			if missing := unclaimed(t, s, inv, c); missing != nil {
				t.Errorf("the checker accepts a certificate that does not claim what happens: %v", missing)
			}
		}
		if by := strings.Join(cells, " | "); by != " |  | " {
			return by, true
		}
		return "", true
	}
	return "", false
}

// unclaimed walks, and gives a view of a real execution that an accepted certificate does not claim.
func unclaimed(t *testing.T, s *subject.Subject, inv *fixpoint.Invariant, c *checker.Checker) error {
	t.Helper()
	w := fixpoint.NewCertifier(inv)
	r, err := walk.Run(inv, walk.Options{Walks: 60, Steps: 120, Claimed: func(v *shape.View) bool {
		written := w.View(v)
		claims, err := c.Claims(&written)
		return err == nil && claims
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Missing != nil {
		return r.Missing
	}
	return nil
}

// TestChecker_ClaimsWhatHappens holds certificates that the checker accepts against the machine.
func TestChecker_ClaimsWhatHappens(t *testing.T) {
	level.SkipShort(t, "proves collections, which other tests do")
	for i, c := range proved {
		t.Run(c.typ, func(t *testing.T) {
			if c.long && !level.All() {
				t.Skip("takes long")
			}
			if level.Out(i, 5) {
				t.Skip("some will do; -level more proves all")
			}
			s := load(t, c.pkg, c.typ)
			p, err := fragment.Of(s)
			if err != nil {
				t.Fatal(err)
			}
			found, err := Search(context.Background(), p, fixpoint.Options{})
			if err != nil {
				t.Fatal(err)
			}
			x, err := checker.New(s, found.Invariant.Certificate(certificate.NewHead(s.Source, s.Prog)))
			if err != nil {
				t.Fatal(err)
			}
			if missing := unclaimed(t, s, found.Invariant, x); missing != nil {
				t.Error(missing)
			}
		})
	}
}
