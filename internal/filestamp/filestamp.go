// SPDX-License-Identifier: BSD-3-Clause

// Package filestamp tells from what the file system records of a file, without reading it, whether the
// file may have been written. It does not look at contents.
package filestamp

import (
	"fmt"
	"os"
	"time"
)

// Stamp is what the file system records of a file or directory.
type Stamp struct {
	// Text differs whenever the file was written, replaced or renamed, unless that happened within
	// Resolution of Changed. On Linux it has device, inode, size and the times of the last writing
	// and of the last change of anything; elsewhere size and the time of the last writing.
	Text    string
	Changed time.Time // the latest of the times in Text
	// Sure says that Changed cannot be set back by a program, as the time of the last writing can.
	Sure bool
}

// Times of files are those of the last tick of the kernel, of which there are 100 in a second or more;
// but some file systems have whole seconds, or two (FAT).
const (
	tick       = 20 * time.Millisecond
	Resolution = 2 * time.Second
)

// Of is the stamp of a file.
func Of(info os.FileInfo) Stamp {
	s := Stamp{Text: fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano()), Changed: info.ModTime()}
	s.refine(info)
	return s
}

// Before reports whether the file was last changed so long before a moment that any later change
// shows in the stamp.
func (s *Stamp) Before(t time.Time) bool {
	margin := tick
	if s.Changed.Nanosecond() == 0 {
		margin = Resolution
	}
	return s.Changed.Before(t.Add(-margin))
}
