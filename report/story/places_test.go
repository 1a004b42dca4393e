// SPDX-License-Identifier: BSD-3-Clause

package story

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pangolin/verdict"
)

// What stands first is the operation whose answer is wrong, or that waits, not a helper that it calls.
func TestSpots_BeginInTheOperation(t *testing.T) {
	for _, c := range []struct {
		file  string
		first []string // the first places, as FILE:LINE
	}{
		{"19-snarkdeque.json", []string{"snark.go:35", "snark.go:162"}},                           // PopLeft, and in load
		{"01-lockfreelist.json", []string{"lockfree.go:121", "atomicref.go:59"}},                  // Remove, and in CompareAndSet
		{"08-finegrainedheap-deadlock.json", []string{"heap.go:161", "lock.go:86", "heap.go:57"}}, // Add, the lock's Lock, RemoveMin
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", "doc", "defects", "witnesses", c.file))
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range Spots(w) {
			got = append(got, fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line))
		}
		for i, want := range c.first {
			if i >= len(got) || got[i] != want {
				t.Errorf("%s: %v, want %v first", c.file, got, c.first)
				break
			}
		}
	}
}
