// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"os"
	"testing"

	"pangolin/internal/test/sources"
)

// repository is a context in which the go command is asked about each package once.
var repository = sources.Repository

// modules are those of the tests' own sources.
var modules = sources.New()

func TestMain(m *testing.M) {
	os.Setenv("PANGOLIN_CACHE", "off") // every test computes its verdicts, but for those of the cache
	os.Exit(modules.Main(m))
}
