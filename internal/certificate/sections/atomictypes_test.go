// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/level"
	"pangolin/internal/test/proving"
)

// Whole types with atomic words.

const (
	atomicRights = "testdata/atomic/right"
	atomicWrongs = "testdata/atomic/wrong"
)

func TestCheck_AcceptsAtomicWords(t *testing.T) {
	for _, typ := range typesIn(t, atomicRights+"/right.go") {
		s := proving.Load(t, atomicRights, typ)
		x, err := fill(s)
		if err != nil {
			t.Errorf("%s: %v", typ, err)
			continue
		}
		var b bytes.Buffer
		if err := x.Write(&b); err != nil {
			t.Fatal(err)
		}
		if out, err := CheckFile(context.Background(), s, b.Bytes(), io.Discard); err != nil || !out.Holds || len(x.Head.Atomic) == 0 {
			t.Errorf("%s: %+v, %v", typ, out, err)
		}
	}
}

// reasons are what is said of types with atomic words that are refused.
var reasons = map[string]string{
	"CountsLater":      "behind the moment",
	"DeferredLater":    "behind the moment",
	"TwoCounters":      "behind the moment",
	"ReadTwice":        "behind the moment",
	"TwoInSection":     "behind the moment",
	"WritesAsReader":   "behind the moment",
	"WritesUnlocked":   "behind the moment",
	"Loops":            "behind the moment",
	"Waits":            "behind the moment",
	"TwoIterated":      "behind the moment",
	"FirstOfTwo":       "behind the moment",
	"ReadsConfigTwice": "behind the moment",
	"FlagFirst":        "Lock in the phase after",
	"Joins":            "Lock in the phase after",
	"LockedTwice":      "Lock in the phase after",
	"TwoByPointers":    "some int64 is accessed, and field v of atomic.Int64 is atomic",
	"PlainRead":        "field n of wrong.PlainRead is accessed",
	"PlainUnderLock":   "field n of wrong.PlainUnderLock is accessed",
	"PlainByPointer":   "some int64 is accessed",
	"CopiedStruct":     "field n of wrong.inner is accessed",
	"ChangesWhole":     "field n of wrong.inner is accessed",
	"OtherStruct":      "field n of wrong.first is accessed",
	"Slotted":          "field n of wrong.first is accessed",
	"InArray":          "some int64 is accessed, and an element",
	"Copies":           "an element or variable of type int64 is accessed",
	"Cleared":          "an element or variable of type int64 is accessed",
	"WrittenLater":     "shared memory is written in the phase after",
	"Taken":            "shared memory is written in the phase after",
	"WrittenInSection": "field n of wrong.item is read in the phase after",
	"InPlace":          "the entries of map[string]int is read in the phase after",
	"Recovers":         "where a panic may be recovered",
	"Formats":          "formats what others may have",
	"Returns":          "in the harness",
	"LockInAtomic":     "which is not the lock",
	"Global":           "what a package variable leads to",
	"ClockBehind":      "reads the clock in the phase after",
	"Installed":        "shared memory is written in the phase after",
	"InCallee":         "shared memory is written in the phase after",
	"InDeferred":       "shared memory is written in the phase after",
	"Boxed":            "shared memory is written in the phase after",
	"Chained":          "behind the moment",
	"CopiedWord":       "field v of atomic.Int64 is accessed",
	"Renamed":          "behind the moment",
	"SliceData":        "the data of a slice is taken",
	"ClonedData":       "the data of a slice is taken",
	"Entries":          "field n of wrong.item is read in the phase after",
}

func TestCheck_RefusesAtomicWords(t *testing.T) { refusesTypes(t, atomicWrongs, reasons) }

// refusesTypes looks whether no certificate of the types in wrong.go of a directory holds, for the reason of each; of a fifth of them in short tests.
func refusesTypes(t *testing.T, dir string, reasons map[string]string) {
	t.Helper()
	for i, typ := range typesIn(t, dir+"/wrong.go") {
		if level.Short() && i%5 > 0 {
			continue
		}
		_, err := fill(proving.Load(t, dir, typ))
		if want := reasons[typ]; !refuses(err) || want == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", typ, want, err)
		}
	}
}

// A certificate whose head says less of atomic classes than there is to say, or more, is refused.
func TestCheck_RefusesOtherAtomicClasses(t *testing.T) {
	s := proving.Load(t, atomicRights, "Flagged")
	whole, err := fill(s)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(h *Head){
		"none atomic":      func(h *Head) { h.Atomic, h.Kept = nil, nil },
		"none kept":        func(h *Head) { h.Kept = nil },
		"kept, not atomic": func(h *Head) { h.Atomic = nil },
		"atomic twice":     func(h *Head) { h.Atomic = append(h.Atomic, h.Atomic...) },
		"atomic and fixed": func(h *Head) { h.Fixed = append(h.Fixed, h.Atomic...) },
		"all that may be": func(h *Head) {
			all := slices.DeleteFunc(everyClass(newTypes(s.Prog)), func(text string) bool { return strings.HasPrefix(text, "map ") })
			h.Atomic, h.Fixed = all, nil
		},
	} {
		x := copyOf(whole)
		if damage(&x.Head); !refuses(Check(context.Background(), s, x)) {
			t.Error(name)
		}
	}
}
