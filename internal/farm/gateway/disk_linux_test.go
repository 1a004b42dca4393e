// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// On a full disk there is no wrong result, and when there is room again all go on, without a restart and with one.
func TestFarm_WaitsForRoomOnAFullDisk(t *testing.T) {
	level.SkipShort(t, "half a minute of waiting")
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("a small disk cannot be mounted: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	p := startIn(t, filepath.Join(disk, "farm"), 2)
	c := p.open()
	if o, err := send(t.Context(), c, "0"); wrong("0", o, err) != "" {
		t.Fatal(wrong("0", o, err))
	}
	for round, restart := range []bool{false, true} {
		fill := filepath.Join(disk, "fill")
		f, err := os.Create(fill)
		if err != nil {
			t.Fatal(err)
		}
		block := make([]byte, 1<<10)
		for err == nil {
			_, err = f.Write(block)
		}
		f.Close()
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		results := make(chan string, 5)
		for i := range 5 {
			number := strconv.Itoa(100*round + i + 1)
			go func() {
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				o, err := send(ctx, c, number)
				results <- wrong(number, o, err)
			}()
		}
		time.Sleep(4 * time.Second)
		if restart {
			kill(p.server)
			p.server = p.process("server", p.dir)
			time.Sleep(3 * time.Second)
		}
		if err := os.Remove(fill); err != nil {
			t.Fatal(err)
		}
		if p.server.ProcessState != nil || syscall.Kill(p.server.Process.Pid, 0) != nil || restart {
			kill(p.server) // it may have ended, as it could not write; whoever runs it starts it again
			p.server = p.process("server", p.dir)
		}
		for range 5 {
			if what := <-results; what != "" {
				t.Errorf("round %d: a task %s", round, what)
			}
		}
	}
}
