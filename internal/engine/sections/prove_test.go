// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/proving"
	"pangolin/verdict"
)

// The subjects.
const (
	right = "testdata/subjects/right"
	wrong = "testdata/subjects/wrong"
)

// rights are types of package right that are proved.
var rights = []string{
	"Registry", "Ages", "Sorted", "Cloned", "InClosure", "Callback", "ByPointer", "Embeds", "Inside", "Tree", "Ring", "Fails", "Clocked", "Limits", "Replaced",
	"Builds", "Shapes", "Early", "Guarded", "Hook", "Keys", "AnyLock", "Counted", "Listed", "Made", "Shows", "Words", "Unread", "Hooks",
	"Hits", "Claim", "CopyOnWrite", "Settings", "Closes", "Looks", "Shards", "Visits", "Config", "Users", "UnderReaders", "Pages", "Upper", "Handlers", "Sessions", "Striped", "References",
	"Seats", "Spare", "Post", "Gate", "EitherBox", "Batch", "Common", "Stops", "Subscribes", "Enrolled", "Tallied", "Lends",
}

// refused are types of package right that are not proved; each says why.
var refused = []string{"Retries", "TwoLocks", "Recovers", "Tries", "Once", "Table", "RecoversOuter", "Explains", "Either", "Most", "Meet", "Roomy", "OfferMeets"}

// wrongs are the types of package wrong.
var wrongs = []string{
	"SharedMap", "Holds", "Appended", "TriesOnce",
	"Returned", "ReturnedMap", "Part", "Pointed", "Kept", "KeptInside", "KeptByCaller", "KeptByClosure", "KeptDeferred", "KeptSlice", "KeptInterface", "OtherLock",
	"Replaces", "Overwrites", "OverwritesElement", "Copied", "Snapshot", "Checks", "Upgrades", "Unlocked", "UnlockedAtomic", "Aliased", "ByInt", "ByNamedInt",
	"ByArray", "ByArrayOfSlice", "ByMapType", "ByMethod", "ByInterface", "Stored", "Reader", "ReaderAppends", "ReaderSorts", "ReaderMoves", "Inner", "Early",
	"Behind", "OneWay", "Recovers", "RecoversKept", "RecoversHeld", "Unwound", "Thrown", "BoxedFunc", "PickedFunc", "ByValue", "ByReadLocker", "LastMade",
	"Starts", "Timed", "Scratch", "ScratchMap", "Alias", "Mixed", "Joined", "Buffered", "Times", "Lazy", "Twice", "Converted", "Elements", "CastByMaker",
	"GivesGlobal", "ReadsGlobal", "InField", "Formats", "FormatsDeep", "FormatsLock", "FormatsGlobal", "InGlobal", "InAtomicGlobal", "InReflectedGlobal",
	"StartsLater", "HeldName", "RecoversLate", "RecoversAgain", "Finalized",
	"LooksFirst", "CountsBehind", "CountsDeferred", "TwoCounters", "AddsTwice", "ReadsPlainly", "ReadsLocked", "WritesBehind", "WritesLocked", "CountsReading",
	"LoadsAndStores", "OneUnlocked", "Branches", "CopiesTally", "GivesCounter", "RecoversMoment",
	"ChecksMap", "MapBehind", "WritesStored", "WritesLoaded", "KeepsPut", "Counts", "CopiesValue", "ReusesPage", "TakesData", "OneStore", "ReadersStore", "SumsStriped", "Boxed", "BoundCopy", "CopiesOwn",
	"BoxCounts", "CountsBesides", "WritesSent", "WritesReceived", "SendsBehind", "SendsDeferred", "TwoBoxes", "DrainsBox", "ClosesLate", "SendsTwice", "LooksForRoom", "KeepsWhatItSends",
	"FormatMethod", "FormatVerbose", "FormatRare", "FormatLocks", "FormatWithin", "FormatBehind", "StringWithin", "FormatReflected",
	"Enrolled", "EnrolledCell", "EnrolledPrinted", "EnrolledAtomic",
}

// attempt asks for a proof, and says what comes of it.
func attempt(t testing.TB, s *subject.Subject) (v verdict.Verdict, text string) {
	t.Helper()
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Certify: true}}
	v, _, err := Attempt(context.Background(), j, engine.Events{})
	switch {
	case err != nil:
		t.Fatal(err)
	case v.Status != verdict.Proved:
		return v, v.Reason
	}
	return v, fmt.Sprintf("proved with %d states and %d effects: %s", v.Proof.Views, v.Proof.Effects, v.Proof.Content)
}

func TestAttempt_SaysWhatItDoesOfEachSubject(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	var lines []string
	for _, typ := range rights {
		v, text := attempt(t, proving.Load(t, right, typ))
		if lines = append(lines, typ+": "+text); v.Status != verdict.Proved || !v.Proof.Checked {
			t.Errorf("%s: %s", typ, text)
		}
	}
	for _, list := range []struct {
		dir   string
		types []string
	}{{right, refused}, {wrong, wrongs}} {
		for _, typ := range list.types {
			v, text := attempt(t, proving.Load(t, list.dir, typ))
			if lines = append(lines, typ+": "+text); v.Status != verdict.Unknown || strings.HasPrefix(text, "no proof") {
				t.Errorf("%s: %s", typ, text)
			}
		}
	}
	proving.Compare(t, "testdata/subjects.txt", lines)
}

// Results that the harness does not look at may lead to what calls write: the verdict says which words.
// A variant that the original judges may do at one moment what the original never does.
func TestAttempt_ProvesNoVariant(t *testing.T) {
	o := proving.Order(t, right, "Registry")
	original, err := o.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutant.All(t.Context(), o, original)
	if err != nil {
		t.Fatal(err)
	}
	s, err := list[len(list)-1].Subject(t.Context(), o, original)
	if err != nil {
		t.Fatal(err)
	}
	if v, text := attempt(t, s); v.Status == verdict.Proved {
		t.Error(text)
	}
}

func TestAttempt_NamesWhatCallersMayNotRead(t *testing.T) {
	v, text := attempt(t, proving.Load(t, right, "Unread"))
	if v.Status != verdict.Proved || !slices.Contains(v.Assumptions, "callers of Give do not read Secret.uses in what it returns, which calls write") {
		t.Errorf("%s: %q", text, v.Assumptions)
	}
}

func TestAttempt_NamesWhatCallersMayNotReadInside(t *testing.T) {
	v, text := attempt(t, proving.Load(t, right, "Lends"))
	for _, want := range []string{
		"callers of View do not read a map[int]int in what it returns, which calls write",
		"callers of Rows do not read a map[string]int in what it returns, which calls write",
		"callers of Reader do not read Buffer.buf in what it returns, which calls write",
		"callers of Far do not read far5.n in what it returns, which calls write",
	} {
		if v.Status != verdict.Proved || !slices.Contains(v.Assumptions, want) {
			t.Errorf("%s: %q", text, v.Assumptions)
		}
	}
}

// Nor does the harness write to what it has given away.
func TestAttempt_NamesWhatCallersMayNotWrite(t *testing.T) {
	for typ, want := range map[string]string{
		"Spare":      "callers of Put do not write to the []uint8 that they have given it",
		"References": "callers of Keep do not write to the *int that they have given it",
		"Registry":   "",
	} {
		v, text := attempt(t, proving.Load(t, right, typ))
		said := slices.IndexFunc(v.Assumptions, func(a string) bool { return strings.Contains(a, "do not write to") })
		if v.Status != verdict.Proved || (said >= 0) != (want != "") || said >= 0 && v.Assumptions[said] != want {
			t.Errorf("%s: %s: %q", typ, text, v.Assumptions)
		}
	}
}

// Nor does the harness use channels or call functions inside of results.
func TestAttempt_NamesWhatCallersMayNotUse(t *testing.T) {
	v, text := attempt(t, proving.Load(t, right, "Subscribes"))
	for _, want := range []string{
		"callers of Subscribe do not use a channel of *int in what it returns, which calls use with the lock",
		"callers of Subscribe do not call functions in what it returns",
	} {
		if v.Status != verdict.Proved || !slices.Contains(v.Assumptions, want) {
			t.Errorf("%s: %q", text, v.Assumptions)
		}
	}
}

// harder are wrong types of which nothing goes wrong in small scopes: one needs a longer buffer, one a second collection, and the others need
// what the machine does not execute, as three copies of a sync.Map that was used, and methods Format.
var harder = []string{"Buffered", "InReflectedGlobal", "Finalized", "SharedMap", "Boxed", "BoundCopy", "CopiesOwn", "FormatMethod", "FormatVerbose", "FormatRare", "FormatLocks", "FormatWithin", "FormatBehind", "FormatReflected"}

// What is in package wrong is wrong, and what is in package right is right in small scopes.
func TestWrong_IsWrong(t *testing.T) {
	if !level.More() {
		t.Skip("-level more searches each type: a minute")
	}
	for _, typ := range append(slices.Clone(rights), refused...) {
		if class := proving.GoesWrong(t, proving.Load(t, right, typ), proving.Scope{Threads: 2, Steps: 3, Values: 2}); class != "" {
			t.Errorf("%s: %s", typ, class)
		}
	}
	for _, typ := range wrongs {
		s := proving.Load(t, wrong, typ)
		class := ""
		for _, scope := range [][2]int{{2, 2}, {2, 3}, {3, 3}, {2, 4}} {
			if class = proving.GoesWrong(t, s, proving.Scope{Threads: scope[0], Steps: scope[1], Values: 2}); class != "" {
				break
			}
		}
		if (class == "") != slices.Contains(harder, typ) {
			t.Errorf("%s goes wrong: %q", typ, class)
		}
		t.Log(typ, class)
	}
}

// endless are the classes of calls that do not return.
var endless = []string{string(bounded.Deadlock), string(bounded.Livelock), string(bounded.Nontermination), string(bounded.Infinite)}

// unproved reports whether a proof says nothing of what goes wrong: a call does not return, or panics, where it is alone, too.
func unproved(t *testing.T, s *subject.Subject, class string) bool {
	alone := proving.GoesWrong(t, s, proving.Scope{Threads: 1, Steps: 4, Values: 2})
	return slices.Contains(endless, class) && slices.Contains(endless, alone) || class == string(bounded.Panic) && alone == class
}

// Whether calls return rests on what they do alone: a type whose calls take a lock is deadlock-free and no more, one whose calls take none is wait-free.
func TestAttempt_ProvesThatCallsReturn(t *testing.T) {
	for _, one := range []struct {
		typ    string
		waits  string // what is said where it is not shown to be wait-free
		proves string // why calls return, of one that is deadlock-free
	}{
		{"Hits", "", "they wait for nothing"},
		{"Registry", "a call may wait for the lock", "they wait for mu alone, which who has it gives back"},
		{"Looks", "a call may wait for the lock", "they wait for mu alone, which who has it gives back"},
		{"Users", "a call may wait for another one within", "they wait for nothing but another one within"},
		{"Retries", "", ""}, // not proved
	} {
		for _, p := range verdict.OfProgress() {
			v, suspicious, err := Attempt(context.Background(), &engine.Job{Subject: proving.Load(t, right, one.typ), Property: p, Search: engine.Search{Certify: true}}, engine.Events{})
			if err != nil || suspicious {
				t.Fatal(v, suspicious, err)
			}
			proved := one.proves != "" && (p == verdict.DeadlockFree || one.waits == "")
			switch {
			case proved != (v.Status == verdict.Proved), proved != slices.Contains(v.Assumptions, verdict.ReturnsAlone):
				t.Errorf("%s is %s: %+v", one.typ, p, v)
			case proved && (len(v.Proof.Progress) != 1 || !strings.HasPrefix(v.Proof.Progress[0], one.proves) || !v.Proof.Checked):
				t.Errorf("%s is %s: %+v", one.typ, p, v.Proof)
			case !proved && !strings.Contains(v.Reason, one.waits):
				t.Errorf("%s is %s: %s", one.typ, p, v.Reason)
			}
		}
	}
}

// Of the mutants of the types that are proved none is proved that goes wrong in a scope, but for calls that do not return, or panic where they are alone, of which a proof says nothing; and none is proved by the engine and refused by
// the checker. The table says what becomes of each.
func TestAttempt_ProvesNoMutantThatGoesWrong(t *testing.T) {
	if !level.All() {
		t.Skip("takes minutes; -level all")
	}
	var lines []string
	for _, typ := range rights {
		lines = append(lines, mutants(t, right, typ)...)
	}
	if len(lines) < 100 {
		t.Errorf("there are %d mutants", len(lines))
	}
	proving.Compare(t, "testdata/mutants.txt", lines)
}

// mutants says what becomes of each mutant of a type.
func mutants(t *testing.T, dir, typ string) (lines []string) {
	ctx := context.Background()
	o := proving.Order(t, dir, typ)
	original, err := o.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutant.All(ctx, o, original)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		variant, err := m.Subject(ctx, o, original)
		if errors.As(err, new(*subject.Invalid)) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, text := attempt(t, variant); !strings.HasPrefix(text, "not modelled: the oracle is other code") {
			t.Errorf("judged by the original: %s", text)
		}
		changed := *o // a type of its own, that judges itself
		changed.Listed = o.Listed.Overlay(map[string][]byte{m.File.Path: m.Text()})
		s, err := changed.Load(ctx)
		if errors.As(err, new(*subject.SetupError)) {
			continue // none can be made
		}
		if err != nil {
			t.Fatal(err)
		}
		_, text := attempt(t, s)
		if strings.HasPrefix(text, "no proof") {
			t.Errorf("%d: %s\n%s", m.ID, text, m.Diff())
		}
		if strings.HasPrefix(text, "proved") {
			for _, scope := range [][2]int{{2, 3}, {2, 4}} {
				if class := proving.GoesWrong(t, s, proving.Scope{Threads: scope[0], Steps: scope[1], Values: 2}); class != "" && !unproved(t, s, class) {
					t.Errorf("%d is proved, and %d threads with %d calls go wrong (%s):\n%s", m.ID, scope[0], scope[1], class, m.Diff())
				}
			}
		}
		line := fmt.Sprintf("%s %d, line %d, %s: %s", typ, m.ID, m.Line, m.Operator, text)
		t.Log(line)
		lines = append(lines, line)
	}
	return lines
}
