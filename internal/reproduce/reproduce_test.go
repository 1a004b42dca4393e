package reproduce

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// TestWitnesses_OfThePublishedDefectsAreReproduced follows every schedule of doc/defects.
func TestWitnesses_OfThePublishedDefectsAreReproduced(t *testing.T) {
	level.SkipShort(t, "compiles the collections with a changed runtime")
	files, err := filepath.Glob("../../doc/defects/witnesses/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	var list []*verdict.Witness
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list = append(list, w)
	}
	results, err := Witnesses(context.Background(), "../..", list)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		t.Logf("%s: %.300s", filepath.Base(files[i]), r.Why)
		if !r.Reproduced {
			t.Errorf("%s (%s): cannot %v: %.1000s", filepath.Base(files[i]), list[i].Class, r.Cannot, r.Why)
		}
	}
}
