// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
	"pangolin/internal/farm/gateway"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/worker"
)

// begun is a server in this process, until the test ends. Its gateway may be changed before it starts.
func begun(tb testing.TB, change func(*gateway.Gateway)) (*httptest.Server, *queue.Server) {
	tb.Helper()
	dir := tb.TempDir()
	bundles, err := gateway.OpenBundles(filepath.Join(dir, "bundles"))
	if err != nil {
		tb.Fatal(err)
	}
	s, err := queue.Serve(filepath.Join(dir, "queue"), nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.End)
	conn, err := s.Connect()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(conn.Close)
	q, err := queue.Create(tb.Context(), conn, queue.Usual)
	if err != nil {
		tb.Fatal(err)
	}
	g := &gateway.Gateway{Tool: tool, Lease: time.Minute, Queue: q, Bundles: bundles, Dial: s.InProcessConn, Enrol: s.Enrol, Log: func(text string) { tb.Log(text) }}
	if change != nil {
		change(g)
	}
	if err := g.Start(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	h := httptest.NewServer(g.Handler())
	tb.Cleanup(h.Close)
	return h, s
}

// within is a client of such a server, which has one worker.
func within(tb testing.TB, run farm.Runner, change func(*gateway.Gateway)) *client.Client {
	tb.Helper()
	h, _ := begun(tb, change)
	must := func(err error) {
		if err != nil {
			tb.Helper()
			tb.Fatal(err)
		}
	}
	server, err := farm.At(h.URL, "", nil)
	must(err)
	ctx, stop := context.WithCancel(tb.Context())
	labourer, id, err := worker.Connect(ctx, server, tool)
	must(err)
	tb.Cleanup(labourer.Close)
	theirs, err := queue.Join(labourer)
	must(err)
	log := func(text string) { tb.Log(text) }
	w := &worker.Worker{ID: id, Tool: tool, Slots: 4, Fetch: server.Bundle, Queue: theirs, Patience: time.Minute, Log: log, Run: run}
	var all sync.WaitGroup
	all.Go(func() { _ = w.Work(ctx) })
	tb.Cleanup(func() { stop(); all.Wait() })
	c := &client.Client{Server: server, Tool: tool, Note: log}
	must(c.Open(ctx))
	tb.Cleanup(c.Close)
	return c
}

// A whole farm in this process, for a profile of where its time goes (-cpuprofile); cmd/pangolind has a benchmark of what it costs.
func BenchmarkFarm(b *testing.B) {
	c := within(b, func(_ context.Context, j *farm.Job, _ func(uint64)) (*farm.Output, error) {
		return &farm.Output{Text: j.Task, Same: j.Task, Lasting: true}, nil
	}, nil)
	salt := time.Now().UnixNano()
	b.ResetTimer()
	var orders sync.WaitGroup
	slots := make(chan struct{}, 256)
	for i := range b.N {
		slots <- struct{}{}
		orders.Go(func() {
			defer func() { <-slots }()
			if _, err := send(b.Context(), c, fmt.Sprintf("task %d %1000d", i, salt)); err != nil {
				b.Error(err)
			}
		})
	}
	orders.Wait()
	b.StopTimer()
}
