// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// childOf names, for a process of this test, the case, the directory, and the file for the verdict.
const childOf = "PANGOLIN_TEST_KILLED"

// TestKilled_Child is what is killed.
func TestKilled_Child(t *testing.T) {
	var i int
	var dir, out string
	if _, err := fmt.Sscanf(os.Getenv(childOf), "%d %s %s", &i, &dir, &out); err != nil {
		t.Skip("it is for the processes that TestCheckpoints_SurviveKill starts")
	}
	text, _ := leaves(t, long[i].r, dir, 10, true, func(int) bool { return false })
	if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Processes are killed with SIGKILL, each a short while after it has left a checkpoint, and each goes on where the last one was killed, until
// one has a verdict: that of one run.
func TestCheckpoints_SurviveKill(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	kills, cases := 0, 0
	for k := 0; k < len(long) || level.All() && kills < 100 && k < 20*len(long); k++ { // on a busy machine many end before they are killed
		i, c := k%len(long), long[k%len(long)]
		if level.OutOf(i, len(long), 9) {
			continue
		}
		cases++
		want, _ := verified(t, c.r)
		dir, out := t.TempDir(), filepath.Join(t.TempDir(), "verdict")
		for n := 0; ; n++ {
			child := exec.Command(os.Args[0], "-test.run=^TestKilled_Child$")
			child.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s %s", childOf, i, dir, out))
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			if n < 12 { // then it may live
				if left(dir, out, lastLeft(dir)) {
					time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
				}
				if _, err := os.Stat(out); err != nil && child.Process.Kill() == nil {
					kills++
				}
			}
			_ = child.Wait()
			if text, err := os.ReadFile(out); err == nil {
				if string(text) != want {
					t.Errorf("%s, behind %d kills:\n%s\nwant\n%s", c.name, n, text, want)
				}
				break
			}
			if n > 12 {
				t.Fatalf("%s: the process that is not killed has no verdict", c.name)
			}
		}
	}
	if t.Logf("%d kills in %d cases", kills, cases); level.All() && kills < 100 {
		t.Errorf("only %d processes were killed", kills)
	}
}

// lastLeft is when the last checkpoint in a directory was written.
func lastLeft(dir string) (last time.Time) {
	list, _ := filepath.Glob(filepath.Join(dir, "*", "*.checkpoint"))
	for _, file := range list {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// left waits for a checkpoint that is later than one. It reports whether there is one before the verdict.
func left(dir, out string, than time.Time) bool {
	for range 60_000 {
		if lastLeft(dir).After(than) {
			return true
		}
		if _, err := os.Stat(out); err == nil {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
