// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"fmt"
	"os"
	"testing"

	"pangolin/internal/test/sources"
)

// TestMain: the go command lists some hundred programs for the tests, in directories that are new in each run. It builds
// them to do so.
func TestMain(m *testing.M) {
	if err := sources.Cached(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
