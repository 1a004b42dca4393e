// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
)

// forget removes what is stored of leases where that is damaged, before the server reads it. The server
// believes the file, which has no checksum: it makes room for as many leases as a number in it says,
// which may be 2^60, or counts that far. Tasks whose leases are forgotten are given to workers once
// more. forget gives the directories that it has removed.
func forget(dir string) (removed []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "o.dat" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || consistent(text) {
			return err
		}
		removed = append(removed, filepath.Dir(path))
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			return err
		}
		return fs.SkipDir
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	return removed, err
}

// consistent says whether a file of leases has the form in which the server writes it, from the first
// byte to the last: the bytes 22 and 2, the last numbers that are acknowledged and that were given
// (two each), the leases, and how often tasks were given again. Numbers have a variable length.
func consistent(text []byte) bool {
	if len(text) < 2 || text[0] != 22 || text[1] != 2 {
		return false
	}
	r := &numbers{rest: text[2:]}
	acknowledged := [2]uint64{r.next(), r.next()}
	given := [2]uint64{r.next(), r.next()}
	if n := r.count(3); n > 0 {
		r.next() // the time that the others are relative to
		for range n {
			r.next()
			r.next()
			r.next()
		}
	}
	for range r.count(2) {
		r.next()
		r.next()
	}
	const last = 1 << 62
	return !r.bad && len(r.rest) == 0 && acknowledged[0] <= given[0] && acknowledged[1] <= given[1] && given[0] < last && given[1] < last
}

// numbers reads numbers of variable length.
type numbers struct {
	rest []byte
	bad  bool // there was none where one is needed
}

func (r *numbers) next() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// count reads how many groups of numbers follow, which cannot be more than there are bytes for.
func (r *numbers) count(group int) int {
	n := r.next()
	if n > uint64(len(r.rest)/group) {
		r.bad = true
		return 0
	}
	return int(n)
}
