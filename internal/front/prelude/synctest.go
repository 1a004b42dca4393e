//go:build prelude

//pangolin:for testing/synctest

package prelude

import (
	"testing"
	"testing/synctest"
	_ "time" // virtualTime
	"unsafe"
)

// A bubble has the time of the whole program, which has to be virtual: nobody outside of it is taken to move
// meanwhile.

var _ = synctest.Wait

// waitIdle waits until nobody else can move, and time would go on.
func waitIdle()

// waitBubble waits, as waitIdle if *done is not 0, and else until there is no timer either.
func waitBubble(done *int)

// goroutines is the number of goroutines that have not ended.
func goroutines() int

// bubbled says that a bubble is in progress, waiting that somebody waits in it.
var bubbled, waiting bool

//pangolin:model testing/synctest.Test
func synctestTest(t *testing.T, f func(*testing.T)) {
	if !virtualTime() {
		unsupported("testing/synctest.Test wants virtual time: Request.Search.Time any has been asked for")
	}
	if bubbled {
		panic("synctest.Run called from within a synctest bubble")
	}
	bubbled = true
	before := goroutines()
	done := new(int)
	around := testOf(t)
	inside := newTest(around, around.name)
	go func() {
		defer func() { *done = 1 }()
		inside.run(f)
	}()
	waitBubble(done)
	bubbled = false
	if goroutines() > before {
		if *done == 0 {
			panic(bubbleDeadlock("deadlock: all goroutines in bubble are blocked"))
		}
		panic(bubbleDeadlock("deadlock: main bubble goroutine has exited but blocked goroutines remain"))
	}
	inside.begin(false)
	failed := inside.failed
	atomicEnd()
	if failed {
		testFailNow(t)
	}
}

// bubbleDeadlock is the error that a bubble in which nobody can go on ends with.
type bubbleDeadlock string

func (e bubbleDeadlock) Error() string { return string(e) }

//pangolin:model testing/synctest.Wait
func synctestWait() {
	if !bubbled {
		panic("goroutine is not in a bubble")
	}
	atomicBegin(unsafe.Pointer(&waiting), true)
	already := waiting
	waiting = true
	atomicEnd()
	if already {
		panic("wait already in progress")
	}
	waitIdle()
	waiting = false
}

// SPDX-License-Identifier: BSD-3-Clause
