// SPDX-License-Identifier: BSD-3-Clause

package schedules

import (
	"context"

	"pangolin/internal/native"
)

// Runner is what executes clients.
type Runner = runner

// RunWith has clients executed by another runner until the function that it returns is called.
func RunWith(of func(context.Context, native.Subject) (Runner, error)) (back func()) {
	usual := newRunner
	newRunner = of
	return func() { newRunner = usual }
}
