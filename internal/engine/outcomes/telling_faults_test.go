// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/corpus"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/internal/vm"
)

// Faults in what orders accesses: each edge of doc/races.md left out once, or one added, and each operation that tells without
// ordering taken for one that does not tell.

// leftOut is a fault by which a synchronisation orders nothing, and added one by which it orders more.
func leftOut(kind string) planting.Fault {
	name := "no-edge-" + kind
	return planting.Fault{Name: name, Old: hunts, New: hunts + fmt.Sprintf("\tif planted(%q) && s.kind == %s {\n\t\treturn\n\t}\n", name, kind)}
}

func added(name, kind, do string) planting.Fault {
	return planting.Fault{Name: name, Old: hunts, New: hunts + fmt.Sprintf("\tif planted(%q) && s.kind == %s {\n\t\t%s\n\t}\n", name, kind, do)}
}

const hunts = "\tt, u, p := s.t, s.u, s.p\n"

func orderFaults() []planting.Fault {
	var list []planting.Fault
	for _, kind := range []string{"AtomicRead", "AtomicWrite", "AtomicUpdate", "Locked", "Unlocked", "ReadLocked", "ReadUnlocked", "Sent", "Received", "Met",
		"Closed", "ReceivedClosed", "Started", "GroupDone", "GroupWaited", "Signalled", "Awaited", "Released", "Acquired"} {
		list = append(list, leftOut(kind))
	}
	return append(list,
		added("store-reads", "AtomicWrite", "m.Learns(t, p, partWord)"),
		added("load-writes", "AtomicRead", "m.Tells(t, p, partWord)"),
		added("reader-orders-readers", "ReadUnlocked", "m.Tells(t, p, partWord)"),
		added("receive-acquires-close", "Received", "m.Learns(t, p, partClosed)"),
		added("send-acquires-receives", "Sent", "for i := range 4 {\n\t\t\tm.Learns(t, p, partSlot+uint64(i))\n\t\t}"),
		added("closed-acquires-receives", "ReceivedClosed", "for i := range 4 {\n\t\t\tm.Learns(t, p, partSlot+uint64(i))\n\t\t}"),
		planting.Fault{Name: "store-keeps", Old: "m.Silences(p, partWord)\n\t\tm.Tells", New: "if !planted(\"store-keeps\") {\n\t\t\tm.Silences(p, partWord)\n\t\t}\n\t\tm.Tells"},
		planting.Fault{Name: "slots-stay", Old: "c.P == p && c.Part > partSlot {", New: "c.P == p && c.Part > partSlot && !planted(\"slots-stay\") {"},
		planting.Fault{Name: "failed-swap-writes", Old: "kind = AtomicRead\n", New: "if !planted(\"failed-swap-writes\") {\n\t\t\t\tkind = AtomicRead\n\t\t\t}\n"},
		planting.Fault{Name: "len-tells-not", Old: "m.tellsOf(o)\n\tregs[in.Dst]", New: "if !planted(\"len-tells-not\") {\n\t\tm.tellsOf(o)\n\t}\n\tregs[in.Dst]"},
		planting.Fault{Name: "only-shared-tells", Old: "if o.Room() > 0 {\n\t\tm.tells()", New: "if o.Room() > 0 && (!planted(\"only-shared-tells\") || o.Flags&state.IsShared != 0) {\n\t\tm.tells()"},
		planting.Fault{Name: "default-tells-not", Old: "if c.ch != 0 && !m.region {", New: "if c.ch != 0 && !m.region && !planted(\"default-tells-not\") {"},
		planting.Fault{Name: "receive-tells-not", Old: "if o.Room() > 1 || o.Count == 0 {", New: "if (o.Room() > 1 || o.Count == 0) && !planted(\"receive-tells-not\") {"},
		planting.Fault{Name: "end-tells-not", Old: "\tcase closed:\n\t\tm.tellsReceived(o)\n", New: "\tcase closed:\n\t\tif !planted(\"end-tells-not\") {\n\t\t\tm.tellsReceived(o)\n\t\t}\n"},
		planting.Fault{Name: "send-on-closed-tells-not", Old: "m.tells()\n\t\treturn m.throwPlain(t, \"send on", New: "if !planted(\"send-on-closed-tells-not\") {\n\t\t\tm.tells()\n\t\t}\n\t\treturn m.throwPlain(t, \"send on"},
		planting.Fault{Name: "close-of-closed-tells-not", Old: "m.tells()\n\t\treturn m.throwPlain(t, \"close of", New: "if !planted(\"close-of-closed-tells-not\") {\n\t\t\tm.tells()\n\t\t}\n\t\treturn m.throwPlain(t, \"close of"},
		planting.Fault{Name: "trylock-tells-not", Old: "\t\t\tc.out[0] = 1\n\t\t\treturn ctlNext\n\t\t}\n\t\tc.m.tells()", New: "\t\t\tc.out[0] = 1\n\t\t\treturn ctlNext\n\t\t}\n\t\tif planted(\"trylock-tells-not\") {\n\t\t\treturn ctlNext\n\t\t}\n\t\tc.m.tells()"},
		planting.Fault{Name: "tryrlock-tells-not", Old: "\t\treturn addReader(c)\n\t}\n\tc.m.tells()", New: "\t\treturn addReader(c)\n\t}\n\tif planted(\"tryrlock-tells-not\") {\n\t\treturn ctlNext\n\t}\n\tc.m.tells()"},
		planting.Fault{Name: "count-tells-not", Old: "\tc.m.tells()\n\tc.out[0] = c.m.goroutines()", New: "\tif !planted(\"count-tells-not\") {\n\t\tc.m.tells()\n\t}\n\tc.out[0] = c.m.goroutines()"},
		planting.Fault{Name: "done-tells-not", Old: "counter == int32(delta) {\n\t\tc.m.tells()", New: "counter == int32(delta) {\n\t\tif planted(\"done-tells-not\") {\n\t\t\treturn ctlNext\n\t\t}\n\t\tc.m.tells()"},
		planting.Fault{Name: "unlock-tells-not", Old: "c.m.tells()    // who comes", New: "if !planted(\"unlock-tells-not\") {\n\t\t\t\tc.m.tells()\n\t\t\t} // who comes"},
		planting.Fault{Name: "stop-tells-not", Old: "case tellsOnly:\n\t\tm.tells()", New: "case tellsOnly:\n\t\tif !planted(\"stop-tells-not\") {\n\t\t\tm.tells()\n\t\t}"},
		planting.Fault{Name: "pool-gets-all", Old: "case ordersWhatGets:\n\t\tif wrote {", New: "case ordersWhatGets:\n\t\tif wrote || planted(\"pool-gets-all\") {"},
		planting.Fault{Name: "map-loads-write", Old: "case ordersWrites:\n\t\tif wrote {", New: "case ordersWrites:\n\t\tif wrote || planted(\"map-loads-write\") {"},
		planting.Fault{Name: "goroutines-uncounted", Old: "if m.img.counts && !m.gate(true) {", New: "if m.img.counts && !planted(\"goroutines-uncounted\") && !m.gate(true) {"},
	)
}

func orderSources(t *testing.T) planting.Sources {
	s := planting.Sources{}
	s.Read(t, filepath.Join("..", "..", "vm", "*.go"))
	return s
}

func TestOrderFaults_CanBePlanted(t *testing.T) { orderSources(t).Check(t, orderFaults()) }

// TestOrderFaults_AreFound plants each fault and looks which of the three tables, or of random programs, shows it.
func TestOrderFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: minutes")
	}
	chosen := slices.DeleteFunc(orderFaults(), func(f planting.Fault) bool { return !flags.Only(f.Name) })
	orderSources(t).EachIsFound(t, chosen, "TestOrderFault_IsFound")
}

// TestOrderFault_IsFound runs in the binary with the faults and says which row shows the one that is switched on.
func TestOrderFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("a part of TestOrderFaults_AreFound")
	}
	if got := counted(t, vm.AllReductions); !slices.Equal(got, countings) {
		t.Logf("FOUND goroutines that are counted: %q", got)
		return
	}
	list := corpus.Tellings()
	var programs []corpus.Program
	for _, a := range list {
		programs = append(programs, corpus.Program{Source: a.Source()}, corpus.Program{Source: a.Untold()}, corpus.Program{Source: a.Local()})
	}
	for i, load := range together(t, programs) {
		prog, err := load()
		if err != nil {
			t.Fatal(err)
		}
		a := &list[i/3]
		r, err := explore(prog, outcomes.Options{Reductions: vm.AllReductions})
		if err != nil {
			t.Logf("FOUND %s: %v", a.Name, err)
			return
		}
		if got := slices.ContainsFunc(r.Outcomes, func(o outcomes.Outcome) bool { return o.Kind == outcomes.Race }); got != a.Race {
			t.Logf("FOUND %s: a race: %v", a.Name, got)
			return
		}
	}
}

// counting is a program whose goroutines are counted while they come and go.
const counting = `package main

import "runtime"

func main() {
	done := make(chan int, 2)
	go func() { done <- runtime.NumGoroutine() }()
	go func() { done <- 0 }()
	println(<-done+<-done, runtime.NumGoroutine())
}
`

// countings are what it prints: a goroutine begins, and ends, in a step of its own.
var countings = []string{"2 1", "2 2", "2 3", "3 1", "3 2", "3 3"}

func counted(t *testing.T, set vm.Reductions) (got []string) {
	t.Helper()
	prog, err := load(writeProgram(t, corpus.Program{Name: "counting", Source: counting}))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore(prog, outcomes.Options{Reductions: set})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range r.Outcomes {
		got = append(got, strings.TrimSpace(o.Stderr))
	}
	slices.Sort(got)
	return got
}

func TestExplore_CountsGoroutines(t *testing.T) {
	for _, set := range []vm.Reductions{vm.AllReductions, vm.Fusing, vm.Symmetry, 0} {
		if got := counted(t, set); !slices.Equal(got, countings) {
			t.Errorf("with %v: %q, want %q", set, got, countings)
		}
	}
}
