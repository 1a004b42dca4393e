//go:build prelude

//pangolin:for internal/abi

package prelude

import "unsafe"

//pangolin:model internal/abi.NoEscape
func noEscape(p unsafe.Pointer) unsafe.Pointer { return p }

type escape[T any] struct{}

//pangolin:model internal/abi.Escape
func (escape[T]) call(x T) T { return x }

// SPDX-License-Identifier: BSD-3-Clause
