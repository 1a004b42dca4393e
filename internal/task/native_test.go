// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"strings"
	"testing"

	"pangolin/internal/inquiry"
)

// What came as text, from another machine, executes nothing natively.
func TestTask_AsTextExecutesNothingNatively(t *testing.T) {
	sent := Task{Place: Place{Package: "m", Patterns: []string{"./..."}}, Terms: &inquiry.Terms{Engine: "schedules"}}
	err := sent.found(context.Background(), &Here{Dir: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "natively") {
		t.Errorf("%v", err)
	}
}
