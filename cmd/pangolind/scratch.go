// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// young is the age of a directory below which its worker may not have locked it yet.
const young = time.Minute

// scratch makes a worker's directory below another one, and removes those of workers that were
// killed: they are this user's, and nobody holds their lock any more.
func scratch(below string) (dir string, end func(), err error) {
	const name = "pangolind-worker-"
	old, _ := fs.Glob(os.DirFS(below), name+"*") // the pattern is well formed
	for _, of := range old {
		dir := filepath.Join(below, of)
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < young || !mine(info) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, "lock")); err != nil {
			continue
		}
		if unlock, err := lock(dir); err == nil {
			remove(dir, unlock)
		}
	}
	if dir, err = os.MkdirTemp(below, name); err != nil {
		return "", nil, fmt.Errorf("there is no directory to work in: %w", err)
	}
	unlock, err := lock(dir)
	if err != nil {
		return "", nil, err
	}
	return dir, func() { remove(dir, unlock) }, nil
}

// remove removes a locked directory, and unlocks it: first most of it while nobody else can take it, and then what Windows keeps of it as long as the lock's file is open.
func remove(dir string, unlock func()) {
	os.RemoveAll(dir)
	unlock()
	os.RemoveAll(dir)
}
