package right

import (
	"sync"
	"time"
)

// A Deadline has, within a few calls, two times of which a certificate's reader sees the same: "another time".
type Deadline struct {
	mu sync.Mutex
	at time.Time
}

func (d *Deadline) Get() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.at
}

func (d *Deadline) Set(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = t
}

func (d *Deadline) Extend(by time.Duration) time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = d.at.Add(by)
	return d.at
}

// SPDX-License-Identifier: BSD-3-Clause
