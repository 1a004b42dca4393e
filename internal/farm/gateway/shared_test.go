// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"pangolin/internal/farm/shared"
)

// files is a shared store in a directory.
type files string

func (f files) Has(_ context.Context, name string) (bool, error) {
	_, err := os.Stat(filepath.Join(string(f), name))
	return err == nil, nil
}

func (f files) Get(_ context.Context, name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(string(f), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, shared.ErrNone
	}
	return text, err
}

func (f files) Put(_ context.Context, name string, text []byte) error {
	at := filepath.Join(string(f), name)
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	return os.WriteFile(at, text, 0o600)
}

func (f files) Check(context.Context) error { return nil }

// list waits until the store has so many results, and gives their files.
func (f files) list(t *testing.T, n int) (list []string) {
	t.Helper()
	for range 200 {
		if list, _ = filepath.Glob(filepath.Join(string(f), "result", "*")); len(list) >= n {
			return list
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the store has %d results, want %d", len(list), n)
	return nil
}

// A farm whose directory is lost, or another one, has the results and the sources of a shared store. What is damaged there is computed; what
// is different there is a conflict; a store that does not work is done without.
func TestFarm_SharesResults(t *testing.T) {
	dir := files(t.TempDir())
	t.Setenv(store, string(dir))
	t.Setenv(compare, "0")
	p := start(t, 1)
	all(t, p.open(), 0, 10)
	list := dir.list(t, 10)

	second := start(t, 1)
	c := second.open()
	all(t, c, 0, 10)
	if _, err := os.Stat(second.log); err == nil {
		t.Errorf("%d of 10 tasks were computed again by a second farm", second.executions())
	}
	if sources, _ := os.ReadDir(filepath.Join(second.dir, "bundles")); len(sources) != 1 {
		t.Errorf("the second farm has %d bundles of the shared store, want 1", len(sources))
	}

	for _, one := range list[:3] {
		text, err := os.ReadFile(one)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)/2] ^= 1
		if err := os.WriteFile(one, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	third := start(t, 1)
	c = third.open()
	all(t, c, 0, 10)
	if n := third.executions(); n != 3 {
		t.Errorf("%d executions for 3 damaged results", n)
	}

	if o, err := send(t.Context(), p.open(), "77 differ"); wrong("77", o, err) == "" {
		t.Error("the result is the usual one: this test wants another each time")
	}
	dir.list(t, 11)
	if err := os.Rename(filepath.Join(string(dir), "result"), filepath.Join(string(dir), "away")); err != nil {
		t.Fatal(err)
	}
	if o, err := send(t.Context(), c, "77 differ"); err != nil { // another result, by the third farm
		t.Error(err, o)
	}
	_ = dir.list(t, 1)
	if err := os.RemoveAll(filepath.Join(string(dir), "result")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(string(dir), "away"), filepath.Join(string(dir), "result")); err != nil {
		t.Fatal(err)
	}
	c = third.open()
	for range 100 {
		if _, err := send(t.Context(), c, "77 differ"); err != nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if _, err := send(t.Context(), third.open(), "77 differ"); err == nil {
		t.Error("a result that differs from the shared one was given")
	}

	if err := os.RemoveAll(string(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(string(dir), nil, 0o600); err != nil { // it fails from now on
		t.Fatal(err)
	}
	last := start(t, 1)
	c = last.open()
	for i := range 3 {
		if o, err := send(t.Context(), c, strconv.Itoa(i)); wrong(strconv.Itoa(i), o, err) != "" {
			t.Errorf("without the store: %s", wrong(strconv.Itoa(i), o, err))
		}
	}
}
