// SPDX-License-Identifier: BSD-3-Clause
//go:build prelude

//pangolin:for internal/godebug

package prelude

import "internal/godebug"

// No setting of GODEBUG differs from its default.

//pangolin:model internal/godebug.New
func godebugNew(name string) *godebug.Setting { return new(godebug.Setting) }

//pangolin:model (*internal/godebug.Setting).Value
func godebugValue(s *godebug.Setting) string { return "" }

//pangolin:model (*internal/godebug.Setting).IncNonDefault
func godebugIncNonDefault(s *godebug.Setting) {}

// SPDX-License-Identifier: BSD-3-Clause
