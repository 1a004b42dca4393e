//go:build prelude

//pangolin:for pangolin/check

package prelude

import "testing"

// As in the file about package pangolin.

//pangolin:model pangolin/check.Verify
func verify(t testing.TB, arguments ...string) {}

type newOf[T any] struct{}

//pangolin:model pangolin/check.New
func (newOf[T]) checkMade(t testing.TB, newCollection func() T, flags ...string) {}

// SPDX-License-Identifier: BSD-3-Clause
