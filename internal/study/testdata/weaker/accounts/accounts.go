// SPDX-License-Identifier: BSD-3-Clause

// Package accounts has accounts that are added up while others move what is on them.
package accounts

import "sync/atomic"

// Moving has two accounts with ten in all. Total misses what is being moved.
//
//pangolin:overlaps Total:quiet
type Moving struct{ a, b atomic.Int64 }

func NewMoving() *Moving {
	var x Moving
	x.a.Store(10)
	return &x
}

func (x *Moving) Move()        { x.a.Add(-1); x.b.Add(1) }
func (x *Moving) Total() int64 { return x.a.Load() + x.b.Load() }

// Later moves it a little later, when Move has returned.
//
//pangolin:oracle Moving
//pangolin:overlaps Total:quiet
type Later struct{ a, b atomic.Int64 }

func NewLater() *Later {
	var x Later
	x.a.Store(10)
	return &x
}

func (x *Later) Move() {
	x.a.Add(-1)
	go x.b.Add(1)
}

func (x *Later) Total() int64 { return x.a.Load() + x.b.Load() }
