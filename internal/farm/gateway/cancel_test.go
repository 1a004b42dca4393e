// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

// A task that a command does not want any more is stopped while the command goes on; one that somebody else waits for is not.
func TestFarm_StopsWhatACommandDoesNotWantAnyMore(t *testing.T) {
	t.Setenv(compare, "0")
	p := start(t, 1)
	c := p.open()
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := send(ctx, c, "1 slow")
		gone <- err
	}()
	for range 200 {
		if _, err := os.Stat(p.log); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	begun := time.Now()
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	o, err := send(t.Context(), c, "2") // the only worker was busy for a minute
	if what := wrong("2", o, err); what != "" || time.Since(begun) > 20*time.Second {
		t.Errorf("%s after %v", what, time.Since(begun))
	}
	both, cancel := context.WithCancel(t.Context())
	other := make(chan error, 2)
	go func() { _, err := send(both, c, "3 late"); other <- err }()
	go func() { _, err := send(t.Context(), c, "3 late"); other <- err }()
	time.Sleep(300 * time.Millisecond)
	cancel()
	if first, second := <-other, <-other; errors.Is(first, context.Canceled) == errors.Is(second, context.Canceled) || first != nil && second != nil {
		t.Errorf("of two callers one is there: %v, %v", first, second)
	}
}
