package deque_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"pangolin/collections/deque"
)

// Snark, held against a slice and under load.

type twoEnded interface {
	PushRight(x int)
	PushLeft(x int)
	PopRight() (int, bool)
	PopLeft() (int, bool)
}

func TestSnark_BehavesLikeASliceSequentially(t *testing.T) {
	for name, fresh := range map[string]func() twoEnded{
		"SnarkDeque":        func() twoEnded { return deque.NewSnarkDeque[int]() },
		"SnarkDequePatched": func() twoEnded { return deque.NewSnarkDequePatched[int]() },
	} {
		for seed := range uint64(20) {
			d, rng := fresh(), rand.New(rand.NewPCG(seed, 6))
			var model []int
			for step := range 400 {
				switch rng.IntN(4) {
				case 0:
					d.PushRight(step)
					model = append(model, step)
				case 1:
					d.PushLeft(step)
					model = append([]int{step}, model...)
				case 2:
					got, ok := d.PopRight()
					check(t, name+".PopRight", got, ok, model, len(model)-1)
					model = model[:max(0, len(model)-1)]
				default:
					got, ok := d.PopLeft()
					check(t, name+".PopLeft", got, ok, model, 0)
					model = model[min(1, len(model)):]
				}
			}
		}
	}
}

// Two threads push and pop at either end: every item comes out exactly once.
func TestSnarkPatched_LosesAndDuplicatesNothingUnderLoad(t *testing.T) {
	const items = 2000
	d := deque.NewSnarkDequePatched[int]()
	var times [items]atomic.Int64
	took := func(x int, ok bool) {
		if ok {
			times[x].Add(1)
		}
	}
	var wg sync.WaitGroup
	for thread := range 4 {
		wg.Go(func() {
			for x := thread; x < items; x += 4 {
				if thread%2 == 0 {
					d.PushRight(x)
					took(d.PopLeft())
				} else {
					d.PushLeft(x)
					took(d.PopRight())
				}
			}
		})
	}
	wg.Wait()
	for x, ok := d.PopLeft(); ok; x, ok = d.PopLeft() {
		times[x].Add(1)
	}
	for x := range times {
		if n := times[x].Load(); n != 1 {
			t.Fatalf("item %d came out %d times", x, n)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
