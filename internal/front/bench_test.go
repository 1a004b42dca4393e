// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"testing"
)

// BenchmarkLoad_SmallPackage loads and compiles a program that imports sync
// and sync/atomic. The aim is half a second with a warm build cache.
func BenchmarkLoad_SmallPackage(b *testing.B) {
	for b.Loop() {
		_, err := Load(context.Background(), Request{Patterns: []string{"testdata/bench/small.go"}, Roots: []string{"main"}})
		if err != nil {
			b.Fatal(err)
		}
	}
}
