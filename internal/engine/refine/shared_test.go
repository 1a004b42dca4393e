// SPDX-License-Identifier: BSD-3-Clause

package refine_test

import (
	"os"
	"testing"

	"pangolin/internal/test/sources"
)

var repository = sources.Repository

// modules are those of the tests' own sources.
var modules = sources.New()

func TestMain(m *testing.M) { os.Exit(modules.Main(m)) }
