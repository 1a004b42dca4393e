// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"pangolin/internal/farm/client"
	"pangolin/internal/test/level"
)

// all sends tasks with numbers from one on, and says what is wrong with the outcomes.
func all(t *testing.T, c *client.Client, from, n int) {
	t.Helper()
	var senders sync.WaitGroup
	for i := range n {
		senders.Go(func() {
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			number := strconv.Itoa(from + i)
			o, err := send(ctx, c, number)
			if what := wrong(number, o, err); what != "" {
				t.Errorf("task %s %s", number, what)
			}
		})
	}
	senders.Wait()
}

// A byte of each file of the server is another one after a restart. What is damaged is computed again, and no result is another one.
func TestFarm_NeverGivesADamagedResult(t *testing.T) {
	rounds := 1
	if level.More() {
		rounds = 10
	}
	for range rounds {
		p := start(t, 2)
		c := p.open()
		all(t, c, 0, 30)
		c.Close()
		kill(p.server)
		flipped := 0
		err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil || len(text) == 0 {
				return err
			}
			text[rand.IntN(len(text))] ^= 1 << rand.IntN(8)
			flipped++
			return os.WriteFile(path, text, 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
		p.server = p.process("server", p.dir)
		before := p.executions()
		all(t, p.open(), 0, 30)
		t.Logf("%d files were damaged, %d of 30 results were computed again", flipped, p.executions()-before)
	}
}

// Processes that stand still for longer than a lease, and then go on, do no harm.
func TestFarm_SurvivesStops(t *testing.T) {
	level.SkipShort(t, "processes stand still for ten seconds")
	p := start(t, 2)
	c := p.open()
	all(t, c, 0, 5)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for round := range 4 {
			all(t, c, 100*(round+1), 30)
		}
	}()
	for _, stopped := range []*os.Process{p.workers[0].Process, p.server.Process, p.workers[1].Process} {
		if err := stopped.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if err := stopped.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	<-done
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}
