// SPDX-License-Identifier: BSD-3-Clause

// Package farm is what the command, the server and the workers of a farm say to each other, and the
// command's side of it.
//
// A farm computes results of tasks (package task) on other machines. The command sends an Order: a
// task as text, and the digest of a bundle that holds the task's sources. A worker gets both as a
// Job, and gives an Output. A result is stored under a Key, which is made of everything that the
// worker gets and of the worker's program, so no client can give a result to somebody else's order.
//
// The command holds the list of what it wants, and asks again for what is missing: nothing that the
// server forgets is lost.
//
// The package uses HTTP only; the queue behind the server is package queue's.
package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Job is what a worker gets.
type Job struct {
	Task   []byte // a task.Task as JSON
	Bundle []byte // its sources, as the command has packed them
	Fresh  bool   // in a process that has done no other task
}

// Output is what came of a job.
type Output struct {
	Text []byte // a task.Result as JSON
	// Same is what equal results have in common: Text without seconds and memory.
	Same []byte
	// Lasting says that each run of the job has this output, so that it may be stored. Otherwise a
	// limit on time or memory was met, or there is an error.
	Lasting bool
}

// Runner does a job. progress is called with the number of states that the searches have visited so
// far, now and then; a worker whose job makes no progress for some minutes gives it up. The error
// says that the job has no output: an ErrRefused, ErrLimit or ErrCrashed, or what the machine lacks.
type Runner func(ctx context.Context, j *Job, progress func(states uint64)) (*Output, error)

// Key is the key of a job's result, in hexadecimal. tool identifies the source of the worker's
// program (cache.Shared).
func Key(task []byte, bundle, tool string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %s %d %s %d ", len(tool), tool, len(bundle), bundle, len(task))
	h.Write(task)
	return hex.EncodeToString(h.Sum(nil))
}

// Natively is the tool of workers that compile and run what they are given, which is another class of tasks: no other worker gets them, and these
// get no others.
func Natively(tool string) string { return Digest([]byte("natively " + tool)) }

// Digest is the name of a bundle: the SHA-256 of its bytes, in hexadecimal.
func Digest(bundle []byte) string {
	sum := sha256.Sum256(bundle)
	return hex.EncodeToString(sum[:])
}
