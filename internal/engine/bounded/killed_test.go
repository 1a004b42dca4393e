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

	"pangolin"
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
	text, _ := leaves(t, long[i].r, dir, 50, true, func(int) bool { return false })
	if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Processes are killed at random moments, each going on where the last one was killed, until one has a verdict: that of one run.
func TestCheckpoints_SurviveKill(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	kills, cases := 0, 0
	for i, c := range long {
		if level.OutOf(i, len(long), 9) {
			continue
		}
		cases++
		list, err := pangolin.Verify(modules.Context, c.r)
		if err != nil {
			t.Fatal(err)
		}
		want := plain(t, list)
		dir, out := t.TempDir(), filepath.Join(t.TempDir(), "verdict")
		for n := 0; ; n++ {
			child := exec.Command(os.Args[0], "-test.run=^TestKilled_Child$")
			child.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s %s", childOf, i, dir, out))
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			if n < 8 { // then it may live
				time.Sleep(time.Duration(100+rng.IntN(500)) * time.Millisecond)
				if child.Process.Kill() == nil {
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
			if n > 8 {
				t.Fatalf("%s: the process that is not killed has no verdict", c.name)
			}
		}
	}
	t.Logf("%d kills in %d cases", kills, cases)
}
