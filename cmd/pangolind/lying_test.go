// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/worker"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// A worker that accuses whatever it is given, and has no witness, is named; the exit code is that of a tool that has failed, and nobody is
// told the verdict, then or later.
func TestVerify_NamesAWorkerThatLies(t *testing.T) {
	f := install(t, 0)
	server, err := farm.At(f.url(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	info, err := server.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conn, id, err := worker.Connect(t.Context(), server, info.Tool)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	q, err := queue.Join(conn)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(&task.Result{Verdicts: []verdict.Verdict{{Type: "verdict", Package: "pangolin/collections/stack", Subject: verdict.Subject{Collection: "stack.LockFreeStack", Property: "linear"},
		Status: verdict.Violated, Findings: verdict.Findings{Violation: &verdict.Violation{Class: "panic", Summary: "it is slow"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	liar := &worker.Worker{ID: id, Tool: info.Tool, Slots: 1, Fetch: server.Bundle, Queue: q, Patience: time.Minute, Log: func(text string) { t.Log(text) },
		Run: func(context.Context, *farm.Job, func(uint64)) (*farm.Output, error) {
			return &farm.Output{Text: text, Same: text, Lasting: true}, nil
		}}
	working, stop := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- liar.Work(working) }()
	defer func() {
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
	}()
	for range 2 {
		p := f.pangolin(".", "verify", "-on", f.url(), "-format", "json", "pangolin/collections/stack.LockFreeStack")
		if p.code != 2 || strings.Contains(p.out, `"violated"`) || !strings.Contains(p.err, "worker "+id+" is wrong, and is not used: of the verdict on linear: the violation has no witness") {
			t.Errorf("exit code %d, want 2; it prints\n%s%s", p.code, p.out, p.err)
		}
	}
}
