// SPDX-License-Identifier: BSD-3-Clause

// Command pangolin executes Go programs under every interleaving and reports what can happen in them.
//
// It parses the command line, calls package pangolin and prints the results. Exit codes and the JSON lines are a contract (see README.md).
// It decides nothing itself.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

func main() {
	collectLater()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := execute(ctx, os.Args[1:], &console{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}

// collectLater postpones the first garbage collection to a heap of 256 MiB: most commands that verify one type need less, and spend a sixth
// of their processor time on collections otherwise. From the first one on all is as usual. The user's GOGC wins.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(6400) // of the 4 MiB that a heap counts as, at least
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) { debug.SetGCPercent(usual) })
}
