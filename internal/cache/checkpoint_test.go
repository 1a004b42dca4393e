// SPDX-License-Identifier: BSD-3-Clause

package cache_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"pangolin/internal/cache"
)

// Checkpoints are given as they were written, or not at all: also damaged ones, those of another search, and those whose writing failed.

func save(t *testing.T, d *cache.Dir, name string, number int, content string) {
	t.Helper()
	if err := d.Save(key(name), number, func(w io.Writer) error { _, err := io.WriteString(w, content); return err }); err != nil {
		t.Fatal(err)
	}
}

func resume(t *testing.T, d *cache.Dir, name string, number int) (string, error) {
	t.Helper()
	c, err := d.Resume(key(name), number)
	if err != nil {
		return "", err
	}
	defer c.Close()
	text, err := io.ReadAll(c)
	if err != nil || int64(len(text)) != c.Size() || time.Since(c.Written) > time.Hour {
		t.Errorf("%d bytes of %d, written at %v, %v", len(text), c.Size(), c.Written, err)
	}
	return string(text), nil
}

func TestCheckpoint_IsReadAsItWasWritten(t *testing.T) {
	d := open(t)
	if _, err := resume(t, d, "a", 1); err != cache.ErrNone {
		t.Errorf("there is a checkpoint in an empty directory: %v", err)
	}
	save(t, d, "a", 1, "first")
	save(t, d, "a", 1, "")
	save(t, d, "a", 1, "second")
	save(t, d, "a", 12, "of another search")
	save(t, d, "b", 1, "of another task")
	for _, c := range []struct {
		name   string
		number int
		want   string
	}{{"a", 1, "second"}, {"a", 12, "of another search"}, {"b", 1, "of another task"}} {
		if got, err := resume(t, d, c.name, c.number); err != nil || got != c.want {
			t.Errorf("%s %d: %q, %v; want %q", c.name, c.number, got, err, c.want)
		}
	}
	numbers := d.Saved(key("a"))
	slices.Sort(numbers)
	if !slices.Equal(numbers, []int{1, 12}) {
		t.Errorf("checkpoints %v; want 1 and 12", numbers)
	}
	if s, err := d.Check(); err != nil || s.Checkpoints != 3 || s.Results != 0 || len(s.Damaged) > 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := d.Discard(key("a")); err != nil {
		t.Fatal(err)
	}
	if _, err := resume(t, d, "a", 12); err != cache.ErrNone || len(d.Saved(key("a"))) > 0 || len(d.Saved(key("b"))) != 1 {
		t.Errorf("what was discarded is there, or what was not is gone: %v", err)
	}
	if err := d.Clean(); err != nil || len(d.Saved(key("b"))) > 0 {
		t.Errorf("Clean leaves a checkpoint: %v", err)
	}
}

// Every flipped bit, every shorter file and the file of another search count as damaged.
func TestResume_TakesNoDamagedCheckpoint(t *testing.T) {
	d := open(t)
	save(t, d, "a", 1, "frames and states")
	save(t, d, "a", 2, "frames of others ")
	file := files(t, d, key("a")+"-1.checkpoint")[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(files(t, d, key("a")+"-2.checkpoint")[0])
	if err != nil {
		t.Fatal(err)
	}
	broken := [][]byte{other, append(slices.Clone(whole), 0), append([]byte{0}, whole...)}
	for i := range whole {
		flipped := slices.Clone(whole)
		flipped[i] ^= 1 << rand.IntN(8)
		broken = append(broken, flipped, whole[:i])
	}
	for _, text := range broken {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := resume(t, d, "a", 1); !errors.Is(err, cache.ErrNone) || err == cache.ErrNone {
			t.Fatalf("a damaged file gives %q, %v:\n%q", got, err, text)
		}
	}
	if s, err := d.Check(); err != nil || len(s.Damaged) != 1 {
		t.Errorf("Check finds %v damaged, %v; want one", s.Damaged, err)
	}
	save(t, d, "a", 1, "later")
	if got, err := resume(t, d, "a", 1); err != nil || got != "later" {
		t.Errorf("a damaged checkpoint stays: %q, %v", got, err)
	}
}

// Where writing fails in the middle, the checkpoint before stays, and nothing is left of the attempt.
func TestSave_WritesWholeOrNotAtAll(t *testing.T) {
	d := open(t)
	save(t, d, "a", 1, "whole")
	before := listed(t, d)
	failure := errors.New("no room")
	for _, written := range []int{0, 1, 1 << 20} {
		err := d.Save(key("a"), 1, func(w io.Writer) error {
			_, _ = w.Write(bytes.Repeat([]byte("x"), written))
			return failure
		})
		if got, failed := resume(t, d, "a", 1); !errors.Is(err, failure) || failed != nil || got != "whole" {
			t.Errorf("%v, then %q, %v", err, got, failed)
		}
	}
	if after := listed(t, d); !slices.Equal(before, after) {
		t.Errorf("files %q; want %q", after, before)
	}
	for _, k := range []string{"", "../../x", key("a") + "0"} {
		if err := d.Save(k, 1, func(io.Writer) error { return nil }); err == nil {
			t.Errorf("%q is taken for a key", k)
		}
		if _, err := d.Resume(k, 1); err == nil || errors.Is(err, cache.ErrNone) {
			t.Errorf("%q is taken for a key by Resume: %v", k, err)
		}
		if d.Saved(k) != nil {
			t.Errorf("%q has checkpoints", k)
		}
	}
}

// listed are all files of a directory.
func listed(t *testing.T, d *cache.Dir) (list []string) {
	t.Helper()
	if err := os.CopyFS(t.TempDir(), os.DirFS(d.Path())); err != nil { // all can be read
		t.Fatal(err)
	}
	return files(t, d, "*")
}
