// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// lock makes sure that no other server uses a directory. The lock ends with the process.
func lock(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the directory of the queue cannot be used: %w (-dir names another one)", err)
	}
	if err := hold(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("another server uses %s (-dir names another directory)", dir)
	}
	return func() { f.Close() }, nil
}
