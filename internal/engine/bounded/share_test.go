package bounded_test

import (
	"context"
	"os"
	"testing"

	"pangolin/internal/front"
	"pangolin/internal/sparing/sources"
)

// repository is a context for tests that verify packages of this module, which do not change meanwhile: the go command is asked about each of them once.
var repository = front.Share(context.Background())

// modules are those of the tests' own sources.
var modules = sources.New()

func TestMain(m *testing.M) { os.Exit(modules.Main(m)) }
