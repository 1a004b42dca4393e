// SPDX-License-Identifier: BSD-3-Clause

package filestamp

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func of(t *testing.T, file string) Stamp {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return Of(info)
}

func TestOf_DiffersBehindEachWriting(t *testing.T) {
	file, other := filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "other")
	write := func(file string) {
		if err := os.WriteFile(file, []byte("text"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(file)
	first := of(t, file)
	back := func() { // the time of the last writing can be set, that of the last change cannot
		if err := os.Chtimes(file, first.Changed, first.Changed); err != nil {
			t.Fatal(err)
		}
	}
	for what, change := range map[string]func(){
		"written again":                  func() { write(file) },
		"written, and its time set back": func() { write(file); back() },
		"replaced by one as old": func() {
			write(other)
			if err := os.Rename(other, file); err != nil {
				t.Fatal(err)
			}
			back()
		},
	} {
		if what != "written again" && runtime.GOOS != "linux" {
			continue
		}
		before := of(t, file)
		time.Sleep(2 * tick)
		if now := time.Now(); !before.Before(now) {
			t.Fatalf("%s: a stamp of %v is not before %v", what, before.Changed, now)
		}
		change()
		if now := of(t, file); now.Text == before.Text {
			t.Errorf("the file was %s, and its stamp is the same: %s", what, now.Text)
		} else if !now.Changed.After(before.Changed) {
			t.Errorf("the file was %s at %v, which is not after %v", what, now.Changed, before.Changed)
		}
	}
}

func TestBefore_AllowsForTheResolutionOfTheFileSystem(t *testing.T) {
	whole := time.Unix(1_800_000_000, 0)
	for _, c := range []struct {
		changed time.Time
		after   time.Duration
		want    bool
	}{
		{whole, time.Second, false}, {whole, 3 * time.Second, true},
		{whole.Add(1), time.Millisecond, false}, {whole.Add(1), time.Second, true}, {whole.Add(1), -time.Second, false},
	} {
		if s := (Stamp{Changed: c.changed}); s.Before(c.changed.Add(c.after)) != c.want {
			t.Errorf("changed at %v, %v before: Before is %t", c.changed, c.after, !c.want)
		}
	}
}
