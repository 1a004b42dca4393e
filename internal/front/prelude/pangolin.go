//go:build prelude

//pangolin:for pangolin

package prelude

import (
	"pangolin"
	"testing"
)

// What a test asks to be verified is no part of its execution.

//pangolin:model pangolin.Check
func check(t testing.TB, r pangolin.Request) []*int { return nil }

type checksOf[T any] struct{}

//pangolin:model pangolin.CheckNew
func (checksOf[T]) checkNew(t testing.TB, newCollection func() T) []*int { return nil }

// SPDX-License-Identifier: BSD-3-Clause
