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
	"runtime/metrics"
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

// collectLater lets the heap grow to 256 MiB before it is collected, and again behind each collection: most commands that verify one type need less,
// and would spend up to a third of their processor time on collections. Of a heap whose live part is larger than half of that all is as usual.
// The user's GOGC wins.
func collectLater() {
	if os.Getenv("GOGC") == "" {
		spareCollections()
	}
}

// spareCollections sets how far the heap may grow from what is live now, and does so anew behind the next collection.
func spareCollections() {
	const (
		roomy = 256 << 20 // bytes
		small = 4 << 20   // bytes: what a heap counts as, at least
		usual = 100       // percent
	)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	bytes := max(small, live[0].Value.Uint64())
	debug.SetGCPercent(max(usual, int(100*roomy/bytes)-100))
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) { spareCollections() })
}
