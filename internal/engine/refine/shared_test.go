package refine_test

import (
	"context"

	"pangolin/internal/front"
)

// repository is a context for tests that verify packages of this module, which do not change meanwhile: the go command is asked about each of them once.
var repository = front.Share(context.Background())
