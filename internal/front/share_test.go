// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestShare_AsksOnceWithinAContext(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n\ngo 1.26\n")
	write("a.go", "package m\n\ntype A int\n")
	scope := func(ctx context.Context) []string {
		list, err := List(ctx, dir, []string{"."})
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := list[0].Types(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return pkg.Scope().Names()
	}
	shared := Share(context.Background())
	if got := scope(shared); len(got) != 1 {
		t.Fatalf("declared are %v", got)
	}
	write("b.go", "package m\n\ntype B int\n")
	if got := scope(shared); len(got) != 1 {
		t.Errorf("within the context the package was listed again: %v", got)
	}
	if got := scope(context.Background()); len(got) != 2 {
		t.Errorf("outside of it declared are %v", got)
	}
	// Another text of a file that is listed is seen all the same, be it as long as the one before.
	write("a.go", "package m\n\ntype C int\n")
	if got := scope(shared); len(got) != 1 || got[0] != "C" {
		t.Errorf("with another text declared are %v", got)
	}
}
