// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"strings"
	"testing"
)

func TestPrograms_AreManyAndMostlyExact(t *testing.T) {
	exact := 0
	programs := corpus(t)
	for _, p := range programs {
		if p.Expect.Exact {
			exact++
		}
	}
	if len(programs) < 150 || exact < 120 {
		t.Errorf("%d programs, %d of them exact", len(programs), exact)
	}
}

// TestPrograms_CoverEveryConstruct looks for words in the constructs of all
// headers, so that deleting a program cannot silently drop its subject.
func TestPrograms_CoverEveryConstruct(t *testing.T) {
	var all strings.Builder
	for _, p := range corpus(t) {
		all.WriteString(strings.Join(p.Expect.Constructs, "; ") + "\n")
	}
	for _, word := range []string{
		"TryLock", "RWMutex", "waiting writer", "Cond Signal", "Broadcast", "WaitGroup", "Once", "OnceFunc", "OnceValue", "Pool", "sync.Map",
		"atomic.Value", "And and Or", "atomic.Pointer[T]", "CompareAndSwap", "atomic.Uintptr", "unsafe.Pointer",
		"context", "time.Sleep", "time.After", "NewTimer", "NewTicker", "AfterFunc", "Gosched", "Goexit", "os.Exit", "math/rand",
		"unbuffered channel", "buffered channel", "close", "range over channel", "nil channel", "select with default", "select with several ready",
		"panic in a goroutine", "recover", "defer", "deadlock", "data race", "map iteration order", "generic type", "range over func",
		"method values", "embedded struct", "labeled break", "goto", "loop variables", "interior pointers", "slices that share", "mark.Choose", "mark.Thread",
		"litmus SB", "litmus MP", "litmus LB", "litmus IRIW", "litmus 2+2W", "litmus WRC", "litmus CoRR", "litmus Peterson", "litmus Dekker", "litmus bakery",
		"livelock", "ABA", "ticket lock", "spin lock", "sequence lock", "barrier", "double-checked locking",
	} {
		if !strings.Contains(all.String(), word) {
			t.Errorf("no program's construct mentions %q", word)
		}
	}
}

func TestParseExpectation_RejectsIncompleteHeaders(t *testing.T) {
	for _, header := range []string{
		"// outcomes: exact\n// outcome: \"a\"\n// why: a good enough argument\n",
		"// construct: x\n// outcome: \"a\"\n",
		"// construct: x\n// outcomes: exact\n// outcome: \"a\"\n",
		"// construct: x\n// outcomes: subset\n",
		"// construct: x\n// outcomes: subset\n// outcome: \"a\n",
		"// construct: x\n// outcomes: subset\n// colour: red\n// outcome: \"a\"\n",
	} {
		if _, err := parseExpectation(header + "package main\n"); err == nil {
			t.Errorf("accepted\n%s", header)
		}
	}
}

func TestParseExpectation_JoinsContinuationLines(t *testing.T) {
	e, err := parseExpectation("// construct: a, b\n// outcomes: exact\n// outcome: deadlock\n// waits: select, chan send\n// why: one\n//\ttwo: and\n//\tthree\npackage main\n")
	if err != nil {
		t.Fatal(err)
	}
	if e.Why != "one two: and three" || len(e.Constructs) != 2 || e.Outcomes[0].Waits[0] != "chan send" {
		t.Errorf("got %+v", e)
	}
}
