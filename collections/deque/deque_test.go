package deque_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"pangolin/collections/deque"
)

// The deques of work stealing, held against a slice and under load.

type workStealing interface {
	PushBottom(x int)
	PopBottom() (int, bool)
	PopTop() (int, bool)
}

const capacity = 1 << 12

// deques names every deque; a published defect is the reason for which tests that
// empty it by PopTop fail.
var deques = []struct {
	name   string
	fresh  func() workStealing
	defect string
}{
	{"BoundedDEQueue", func() workStealing { return deque.NewBoundedDEQueue[int](capacity) },
		"as printed, PopBottom may bring items back that thieves have taken (section 16.5.1)"},
	{"BoundedDEQueuePatched", func() workStealing { return deque.NewBoundedDEQueuePatched[int](capacity) }, ""},
	{"UnboundedDEQueue", func() workStealing { return deque.NewUnboundedDEQueue[int](1) }, ""},
}

func TestDeques_BehaveLikeASliceSequentially(t *testing.T) {
	for _, d := range deques {
		t.Run(d.name, func(t *testing.T) {
			if d.defect != "" {
				t.Skip(d.defect)
			}
			for seed := range uint64(20) {
				runAgainstModel(t, d.fresh(), rand.New(rand.NewPCG(seed, 5)))
			}
		})
	}
}

// runAgainstModel compares the deque with a slice on random operations.
func runAgainstModel(t *testing.T, d workStealing, rng *rand.Rand) {
	t.Helper()
	var model []int
	for step := range 400 {
		switch rng.IntN(3) {
		case 0:
			d.PushBottom(step)
			model = append(model, step)
		case 1:
			got, ok := d.PopBottom()
			check(t, "PopBottom", got, ok, model, len(model)-1)
			model = model[:max(0, len(model)-1)]
		default:
			got, ok := d.PopTop()
			check(t, "PopTop", got, ok, model, 0)
			model = model[min(1, len(model)):]
		}
	}
}

func check(t *testing.T, operation string, got int, ok bool, model []int, at int) {
	t.Helper()
	if ok != (len(model) > 0) || ok && got != model[at] {
		t.Fatalf("%s = (%d, %t) with %v inside", operation, got, ok, model)
	}
}

func TestBoundedDEQueue_BringsItemsBackAsPublished(t *testing.T) {
	d := deque.NewBoundedDEQueue[int](4)
	d.PushBottom(1)
	d.PushBottom(2)
	d.PopTop()
	d.PopTop()
	d.PopBottom()
	if x, ok := d.PopTop(); !ok || x != 1 {
		t.Errorf("PopTop = (%d, %t): the printed deque would bring 1 back", x, ok)
	}
}

// One owner pushes and pops, thieves steal: every item must come out exactly once.
func TestDeques_LoseAndDuplicateNothingUnderLoad(t *testing.T) {
	for _, d := range deques {
		t.Run(d.name, func(t *testing.T) {
			if d.defect != "" {
				t.Skip(d.defect)
			}
			for range 20 {
				stress(t, d.fresh())
			}
		})
	}
}

func stress(t *testing.T, d workStealing) {
	t.Helper()
	const items, thieves = 1000, 3
	var times [items]atomic.Int64
	var done atomic.Bool
	var wg sync.WaitGroup
	for range thieves {
		wg.Go(func() {
			for !done.Load() {
				if x, ok := d.PopTop(); ok {
					times[x].Add(1)
				}
			}
		})
	}
	for x := range items {
		d.PushBottom(x)
		if x%3 == 0 {
			if y, ok := d.PopBottom(); ok {
				times[y].Add(1)
			}
		}
	}
	for y, ok := d.PopBottom(); ok; y, ok = d.PopBottom() {
		times[y].Add(1)
	}
	done.Store(true)
	wg.Wait()
	for x := range times {
		if n := times[x].Load(); n != 1 {
			t.Fatalf("item %d came out %d times", x, n)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
