// SPDX-License-Identifier: BSD-3-Clause

package filestamp

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// refine adds the time of the last change, which no program can set, and the file's identity.
func (s *Stamp) refine(info os.FileInfo) {
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	changed := time.Unix(sys.Ctim.Unix())
	s.Text = fmt.Sprintf("%s %d %d %d", s.Text, sys.Dev, sys.Ino, changed.UnixNano())
	if changed.After(s.Changed) {
		s.Changed = changed
	}
	s.Sure = true
}
