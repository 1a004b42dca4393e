// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package filestamp

import "os"

func (s *Stamp) refine(os.FileInfo) {}
