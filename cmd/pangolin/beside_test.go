// SPDX-License-Identifier: BSD-3-Clause

package main

import "testing"

func TestCompiledBeside(t *testing.T) {
	for file, want := range map[string]bool{
		"/p/list/checked.go": true, "/p/list/_checked.go": false, "/p/list/.checked.go": false, "/p/list/checked.txt": false, "/p/checked.go": false,
	} {
		if got := compiledBeside(file, "/p/list/lazy.go"); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
}
