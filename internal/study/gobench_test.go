// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"testing"
	"time"

	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// exceptions are the kernels of which not every named leak is found, with the reason.
var exceptions = map[string]string{
	"Cockroach3710":  "converts a pointer to uintptr",
	"Cockroach10214": "converts a pointer to uintptr",
	"Moby7559":       "package net uses cgo",
	"Moby27782":      "no schedule leaks: readLogs holds the mutex that Close takes until it returns",
}

// TestKernels_LeakWhatTheirTestsName explores the kernels of Go's distribution. Every leak that its tests name is found, none
// is reported of those that leak nothing, and nothing is reported that the tests do not name.
func TestKernels_LeakWhatTheirTestsName(t *testing.T) {
	all, err := kernels()
	if err != nil || len(all) == 0 {
		t.Skipf("this Go has no kernels: %v", err)
	}
	limit := 5 * time.Second
	if level.More() {
		limit = time.Minute
	}
	o := &Options{Timeout: limit, Workers: 1}
	for i, k := range all {
		if level.Short() && i%8 != 0 {
			continue
		}
		r, err := k.ask(context.Background(), o)
		if err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		bad := r.Judgement() == verdict.Violated || len(r.Further) > 0 || r.Complete && len(r.Missing) > 0
		if why := exceptions[k.name]; why == "" && (bad || level.More() && len(r.Missing) > 0) || why != "" && len(r.Missing) == 0 {
			t.Errorf("%s (%s)", r.Told(), why)
		}
	}
}
