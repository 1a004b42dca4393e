// SPDX-License-Identifier: BSD-3-Clause

package worker_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/worker"
)

// How often a machine could not do a task goes with the task, and the last of ten is told that nobody can.
func TestWorker_CountsMachinesThatCannotDoATask(t *testing.T) {
	s, err := queue.Serve(filepath.Join(t.TempDir(), "queue"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.End()
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	q, err := queue.Create(ctx, conn, queue.Usual)
	if err != nil {
		t.Fatal(err)
	}
	tool := strings.Repeat("a", 64)
	if err := q.Admit(ctx, tool, 2*time.Second); err != nil {
		t.Fatal(err)
	}
	told := make(chan queue.Told, 10)
	if err := q.OnNews(func(one *queue.Told) { told <- *one }, func(*queue.Presence) {}); err != nil {
		t.Fatal(err)
	}
	w := &worker.Worker{ID: "w", Tool: tool, Slots: 2, Queue: q, Patience: time.Minute, Log: func(string) {},
		Fetch: func(context.Context, string) ([]byte, error) { return nil, nil },
		Run: func(context.Context, *farm.Job, func(uint64)) (*farm.Output, error) {
			return nil, errors.New("no space left on device")
		}}
	ended := make(chan error, 1)
	go func() { ended <- w.Work(ctx) }()
	for unfit, want := range map[int]queue.Told{3: {Again: true, Unfit: 4}, 10: {GivenUp: "the task has ended 10 workers"}} {
		text := []byte("1")
		ticket := &queue.Ticket{Key: farm.Key(text, "b", tool), Tool: tool, Name: "some", Task: text, Bundle: "b", Unfit: unfit}
		if err := q.Add(ctx, ticket); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-told:
			if got.Again != want.Again || got.Unfit != want.Unfit || got.GivenUp != want.GivenUp {
				t.Errorf("behind %d machines: %+v; want %+v", unfit, got, want)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("nothing is told of a task that %d machines could not do", unfit)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
