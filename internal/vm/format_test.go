// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"os"
	"testing"

	"pangolin/internal/test/level"
)

func TestFormatting_IsThatOfPackageFmt(t *testing.T) {
	level.SkipShort(t, "compiles a program natively")
	src, err := os.ReadFile("testdata/format.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, got := native(t, string(src)), executed(t, compiled(t, string(src)))
	sameLines(t, got.stdout, want.stdout)
	if want.code != 0 || got.code != 0 || want.stderr != got.stderr {
		t.Errorf("ended with %d (%s), natively with %d (%s)", got.code, got.stderr, want.code, want.stderr)
	}
}
