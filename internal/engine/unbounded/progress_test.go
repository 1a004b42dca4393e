// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// ranked proves a collection, and looks for a ranking that shows a property of progress. The text is the certificate, or why says why there is none.
func ranked(t testing.TB, s *subject.Subject, property verdict.Property) (text []byte, why string) {
	t.Helper()
	p, err := fragment.Of(s)
	if err != nil {
		t.Fatal(err)
	}
	found, err := fixpoint.Search(t.Context(), p, fixpoint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if found.Invariant == nil {
		t.Fatal(found.Failure.Alarm)
	}
	return rankedBy(t, s, found.Invariant, property)
}

func rankedBy(t testing.TB, s *subject.Subject, inv *fixpoint.Invariant, property verdict.Property) (text []byte, why string) {
	t.Helper()
	x := inv.Certificate(certificate.NewHead(s.Source, s.Prog))
	x.Ask(property)
	text, err := checker.Complete(t.Context(), s, x)
	var no *checker.Unranked
	switch {
	case errors.As(err, &no):
		return nil, no.Why
	case err != nil:
		t.Fatal(err)
	}
	return text, ""
}

// progressing are collections with the properties of progress that are proved; of the others why has a part of the reason.
var progressing = []struct {
	pkg, typ string
	proved   []verdict.Property
	why      string
	long     bool
}{
	{"stack", "LockFreeStack", []verdict.Property{verdict.LockFree, verdict.ObstructionFree, verdict.DeadlockFree}, "no bound is known", false},
	{"right", "CoarseStack", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"right", "CoarseQueue", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"right", "LockedStack", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"right", "CountedStack", []verdict.Property{verdict.LockFree, verdict.ObstructionFree, verdict.DeadlockFree}, "no bound is known", false},
	{"right", "Register", nil, "takes effect by a write of its own", false},
	{"right", "MeetingStack", nil, "takes effect by a write of its own", false},
	{"right", "HindsightSet", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"queue", "UnboundedQueue", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"list", "CoarseList", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"list", "FineList", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"progress", "Nested", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"progress", "Hands", []verdict.Property{verdict.DeadlockFree}, "a call waits for a lock", false},
	{"progress", "Crossed", nil, "no order of the locks is known", false},
	{"progress", "Kept", nil, "with a lock that it does not give back", false},
	{"progress", "Polled", nil, "may take a lock of the collection any number of times", false},
	{"progress", "Spun", nil, "nothing is known that grows less", false},
	{"progress", "Never", nil, "nothing is known that grows less", false},
	{"progress", "Dueling", nil, "write any number of times", false},
	{"progress", "Flagged", nil, "nothing is known that grows less", false},
	{"progress", "Back", nil, "no order of the locks is known", false},
}

func TestComplete_RanksWhatReturns(t *testing.T) {
	for _, c := range progressing {
		t.Run(c.typ, func(t *testing.T) {
			if c.long && !level.All() {
				t.Skip("takes long")
			}
			if c.pkg != "progress" && level.Short() && c.typ != "FineList" && c.typ != "LockFreeStack" {
				t.Skip("some will do")
			}
			s := load(t, c.pkg, c.typ)
			p, err := fragment.Of(s)
			if err != nil {
				t.Fatal(err)
			}
			found, err := fixpoint.Search(t.Context(), p, fixpoint.Options{})
			if err != nil || found.Invariant == nil {
				t.Fatalf("%v, %+v", err, found.Failure)
			}
			reasons := ""
			for _, property := range verdict.OfProgress() {
				text, why := rankedBy(t, s, found.Invariant, property)
				if is, want := text != nil, slices.Contains(c.proved, property); is != want {
					t.Errorf("%s: proved %t, want %t: %s", property, is, want, why)
				}
				if reasons += why + "\n"; text == nil {
					continue
				}
				if err := accept(s, parsed(t, text)); err != nil {
					t.Errorf("%s: %v", property, err)
				}
			}
			if !strings.Contains(reasons, c.why) {
				t.Errorf("the reasons are\n%swant %q", reasons, c.why)
			}
		})
	}
}

func TestExplore(t *testing.T) {
	for _, c := range proved {
		if only := os.Getenv("ONLY"); only == "" || !strings.Contains(","+only+",", ","+c.typ+",") {
			continue
		}
		s := load(t, c.pkg, c.typ)
		for _, p := range strings.Split(os.Getenv("PROP"), ",") {
			began := time.Now()
			text, why := ranked(t, s, verdict.Property(p))
			t.Logf("%s %s: %d bytes, %s %v", c.typ, p, len(text), why, time.Since(began))
			if text != nil {
				x := parsed(t, text)
				t.Log(x.Returns(s.Prog, s.New.Results[0].Elem), "split", len(x.Head.Progress.Split))
				began := time.Now()
				t.Log(accept(s, x), time.Since(began))
			}
		}
	}
}
