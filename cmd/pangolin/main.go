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
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := execute(ctx, os.Args[1:], &console{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}
