// SPDX-License-Identifier: BSD-3-Clause

package study_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/sources"
	"pangolin/verdict"
)

// The published defects: their witnesses replay, and each has its page.

const defects = "../../doc/defects"

// Every defect page's witness shows its violation, executed without any reduction, and what the file
// says of the execution is what happens: pages speak of its steps by their numbers.
func TestDefects_WitnessesReplay(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(defects, "witnesses", "*.json"))
	if err != nil || len(files) < 18 {
		t.Fatalf("%d witnesses: %v", len(files), err)
	}
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			if !flags.Update() && level.Out(i, 6) {
				t.Skip("some witnesss will do; -level more replays all")
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w, err := verdict.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			now, err := pangolin.Replay(sources.Repository, "../..", w) // from there places are named as on the pages
			if err != nil {
				t.Fatal(err)
			}
			if now.Class != w.Class || now.Client != w.Client {
				t.Errorf("%s by %s, was %s by %s", now.Class, now.Client, w.Class, w.Client)
			}
			again, err := now.Text()
			if err != nil {
				t.Fatal(err)
			}
			if flags.Update() {
				err = os.WriteFile(file, again, 0o666)
			} else if !bytes.Equal(again, text) {
				err = errors.New("the execution has other steps than the file says: -update writes it, and its page may speak of them")
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDefects_EveryWitnessHasAPage(t *testing.T) {
	var pages strings.Builder
	files, _ := filepath.Glob(filepath.Join(defects, "*.md"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages.Write(text)
	}
	witnesses, _ := filepath.Glob(filepath.Join(defects, "witnesses", "*.json"))
	for _, w := range witnesses {
		if !strings.Contains(pages.String(), "witnesses/"+filepath.Base(w)) {
			t.Errorf("no page refers to %s", w)
		}
	}
}

// The refinable cuckoo set does not end if five values have equal hashes; four are not
// enough, and configuration C has at most three. The repaired set holds any number.
func TestRefinableCuckoo_ResizesWithoutEndFromFiveEqualHashesOn(t *testing.T) {
	level.SkipShort(t, "verifies four hash sets")
	for _, c := range []struct {
		collection, steps string
		want              verdict.Status
	}{
		{"RefinableCuckooHashSet", "1..4", verdict.Verified},
		{"RefinableCuckooHashSet", "1..5", verdict.Violated},
		{"RefinableCuckooHashSetRepaired", "1..6", verdict.Verified},
		{"StripedCuckooHashSetRepaired", "1..6", verdict.Verified},
	} {
		if !level.More() {
			if c.steps == "1..4" || strings.HasPrefix(c.collection, "Striped") {
				continue // the same set with a call fewer, and the same repair of another set
			}
			c.steps = "1..5" // as many as the published set needs
		}
		list, err := pangolin.Verify(sources.Repository, pangolin.Request{
			Packages: []string{"pangolin/collections/hashset"}, Type: c.collection,
			New:   "New" + c.collection + "(Cuckoo[int]{Capacity: 1, ProbeSize: 2, Threshold: 1, Limit: 8, Hash0: Chosen(6, 1)})",
			Ops:   []string{"Add"},
			Scope: pangolin.Scope{Threads: "1", Steps: pangolin.Range(c.steps), PreAdds: "0"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if list[0].Status != c.want {
			t.Errorf("%s, steps %s: %s %s", c.collection, c.steps, list[0].Status, list[0].Reason)
		}
		if v := list[0].Violation; v != nil && v.Class != "infinite" {
			t.Errorf("%s, steps %s: %s", c.collection, c.steps, v.Class)
		}
	}
}

// Of two concurrent additions of one value, both of which find their probe sets full, one
// says true. The published set's witness is that of page 16.
func TestRefinableCuckooRepaired_AddsOneValueOnceAfterResizing(t *testing.T) {
	level.SkipShort(t, "verifies a hash set")
	list, err := pangolin.Verify(context.Background(), pangolin.Request{
		Packages: []string{"pangolin/collections/hashset"}, Type: "RefinableCuckooHashSetRepaired",
		New: `NewRefinableCuckooHashSetRepaired(Cuckoo[int]{Capacity: 1, ProbeSize: 2, Threshold: 1, Limit: 8,
			Hash0: func(x int) uint { return uint(4 * x) }, Hash1: func(x int) uint { return uint(4 * x) }})`,
		Ops:   []string{"Add"},
		Scope: pangolin.Scope{Threads: "2", Steps: "2", PreAdds: "4..4", Values: 5},
	})
	if err != nil {
		t.Fatal(err)
	}
	if list[0].Status != verdict.Verified {
		t.Errorf("%s %s", list[0].Status, list[0].Reason)
	}
}
