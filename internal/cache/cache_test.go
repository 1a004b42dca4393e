// SPDX-License-Identifier: BSD-3-Clause

package cache_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/test/level"
)

// A directory of results gives what was put, or nothing: also with damaged files, with two different results under one key, with many
// processes at the same time, and with processes that are killed while they write.

func key(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func open(t *testing.T) *cache.Dir {
	t.Helper()
	d, err := cache.Open(filepath.Join(t.TempDir(), "results"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func put(t *testing.T, d *cache.Dir, name, text string) {
	t.Helper()
	if err := d.Put(key(name), cache.Entry{Text: []byte(text)}); err != nil {
		t.Fatal(err)
	}
}

// files are those of a directory with an ending.
func files(t *testing.T, d *cache.Dir, ending string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(d.Path(), "*", "*"+ending))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestDir_GivesWhatWasPut(t *testing.T) {
	d := open(t)
	if _, err := d.Get(key("a")); !errors.Is(err, cache.ErrNone) {
		t.Errorf("an empty directory has a result: %v", err)
	}
	for name, text := range map[string]string{"a": "first", "b": "", "c": "line\nline\n", "d": strings.Repeat("x", 1<<20)} {
		put(t, d, name, text)
		if got, err := d.Get(key(name)); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v; want the %d that were put", name, len(got), err, len(text))
		}
	}
	if s, err := d.Stat(); err != nil || s.Results != 4 {
		t.Errorf("4 results were put, and Stat says %+v, %v", s, err)
	}
}

func TestDir_RefusesWhatIsNoKey(t *testing.T) {
	d := open(t)
	for _, k := range []string{"", "ab", "../../etc/passwd", strings.Repeat("x", 64), key("a") + "00"} {
		if err := d.Put(k, cache.Entry{}); err == nil {
			t.Errorf("%q is taken for a key by Put", k)
		}
		if _, err := d.Get(k); err == nil || errors.Is(err, cache.ErrNone) {
			t.Errorf("%q is taken for a key by Get: %v", k, err)
		}
	}
}

func TestPut_IgnoresAnEqualResult(t *testing.T) {
	d := open(t)
	for _, text := range []string{"verified in 3 s", "verified in 5 s"} {
		if err := d.Put(key("a"), cache.Entry{Text: []byte(text), Same: []byte("verified")}); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := d.Get(key("a")); err != nil || string(got) != "verified in 3 s" {
		t.Errorf("%q, %v: the first result stays", got, err)
	}
}

func TestPut_KeepsBothOfTwoDifferentResults(t *testing.T) {
	d := open(t)
	put(t, d, "a", "verified")
	var c *cache.Conflict
	if err := d.Put(key("a"), cache.Entry{Text: []byte("violated")}); !errors.As(err, &c) {
		t.Fatalf("a different result was taken: %v", err)
	}
	for file, text := range map[string]string{c.First: "verified", c.Other: "violated"} {
		if all, err := os.ReadFile(file); err != nil || !strings.HasSuffix(string(all), "\n"+text) {
			t.Errorf("%s: %q, %v; want %s", file, all, err, text)
		}
	}
	if text, err := d.Get(key("a")); !errors.As(err, &c) {
		t.Errorf("one of two different results is given: %q, %v", text, err)
	}
	if s, err := d.Stat(); err != nil || len(s.Conflicts) != 1 {
		t.Errorf("%+v, %v: Stat tells no conflict", s, err)
	}
	if err := d.Clean(); err != nil {
		t.Fatal(err)
	}
	if put(t, d, "a", "violated"); len(files(t, d, ".conflict")) != 0 {
		t.Error("Clean has left a conflict")
	}
}

// Every single damage of a file is noticed, and the next result replaces it.
func TestGet_TakesNoDamagedFile(t *testing.T) {
	d := open(t)
	put(t, d, "a", "verified: 1,234 states")
	put(t, d, "b", "another result")
	file := files(t, d, key("a")+".result")[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var broken [][]byte
	for i := range whole {
		flipped := append([]byte{}, whole...)
		flipped[i] ^= 1 << rand.IntN(8)
		broken = append(broken, flipped, whole[:i])
	}
	broken = append(broken, append(append([]byte{}, whole...), '!'))
	other, err := os.ReadFile(files(t, d, key("b")+".result")[0])
	if err != nil {
		t.Fatal(err)
	}
	broken = append(broken, other)
	for _, text := range broken {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		// The digest of what equal results have in common only decides about conflicts.
		if got, err := d.Get(key("a")); !errors.Is(err, cache.ErrNone) && string(got) != "verified: 1,234 states" {
			t.Fatalf("a damaged file gives %q, %v:\n%q", got, err, text)
		}
	}
	if s, err := d.Check(); err != nil || len(s.Damaged) != 1 {
		t.Errorf("Check finds %v damaged, %v; want one", s.Damaged, err)
	}
	put(t, d, "a", "verified: 1,234 states")
	if got, err := d.Get(key("a")); err != nil || string(got) != "verified: 1,234 states" {
		t.Errorf("a damaged file stays: %q, %v", got, err)
	}
}

func TestTrim_RemovesWhatWasNotUsedForLongest(t *testing.T) {
	d := open(t)
	var size int64
	for i := range 10 {
		name := strconv.Itoa(i)
		put(t, d, name, "0123456789")
		file := files(t, d, key(name)+".result")[0]
		used := time.Now().Add(-time.Duration(10-i) * 24 * time.Hour)
		if err := os.Chtimes(file, used, used); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		size = info.Size()
	}
	if _, err := d.Get(key("0")); err != nil { // a use
		t.Fatal(err)
	}
	if err := d.Trim(3 * size); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		_, err := d.Get(key(strconv.Itoa(i)))
		if stays := i == 0 || i >= 8; stays != (err == nil) {
			t.Errorf("result %d: %v", i, err)
		}
	}
}

// Processes that put the same results into one directory are killed all the time. What is there is whole, and nothing conflicts.
func TestDir_SurvivesKilledProcesses(t *testing.T) {
	if dir := os.Getenv("CACHE_TEST_WRITES"); dir != "" {
		write(dir)
	}
	kills := 40
	switch {
	case testing.Short():
		kills = 5
	case level.More():
		kills = 500
	}
	d := open(t)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range kills / 2 {
				cmd := exec.Command(os.Args[0], "-test.run", "^TestDir_SurvivesKilledProcesses$")
				cmd.Env = append(os.Environ(), "CACHE_TEST_WRITES="+d.Path())
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Duration(10+rand.IntN(40)) * time.Millisecond)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}
		})
	}
	wg.Wait()
	s, err := d.Check()
	if err != nil || len(s.Conflicts)+len(s.Damaged) > 0 {
		t.Errorf("%+v, %v: want neither conflicts nor damaged files", s, err)
	}
	if s.Results == 0 {
		t.Error("nothing was written before the processes were killed")
	}
	for i := range numbers {
		if text, err := d.Get(key(strconv.Itoa(i))); err == nil && string(text) != contentOf(i) {
			t.Errorf("result %d is wrong", i)
		}
	}
	t.Logf("%d kills, %d results", kills, s.Results)
}

const numbers = 2000

func contentOf(i int) string { return strings.Repeat(fmt.Sprintf("result %d\n", i), 1+i%500) }

// write puts results until it is killed.
func write(dir string) {
	d, err := cache.Open(dir)
	if err != nil {
		panic(err)
	}
	for {
		i := rand.IntN(numbers)
		if err := d.Put(key(strconv.Itoa(i)), cache.Entry{Text: []byte(contentOf(i))}); err != nil {
			panic(err)
		}
	}
}
