// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"context"
	"fmt"
	"net/http"
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

// A whole farm in this process, for a profile of where its time goes (-cpuprofile); cmd/pangolind has a benchmark of what it costs.
func BenchmarkFarm(b *testing.B) {
	dir := b.TempDir()
	bundles, err := gateway.OpenBundles(filepath.Join(dir, "bundles"))
	if err != nil {
		b.Fatal(err)
	}
	s, err := queue.Serve(filepath.Join(dir, "queue"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer s.End()
	conn, err := s.Connect()
	if err != nil {
		b.Fatal(err)
	}
	q, err := queue.Create(b.Context(), conn, queue.Usual)
	if err != nil {
		b.Fatal(err)
	}
	g := &gateway.Gateway{Tool: tool, Lease: time.Minute, Queue: q, Bundles: bundles, Dial: s.InProcessConn, Enrol: s.Enrol, Log: func(text string) { b.Log(text) }}
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	if err := g.Start(ctx); err != nil {
		b.Fatal(err)
	}
	h := httptest.NewServer(http.HandlerFunc(g.Handler().ServeHTTP))
	defer h.Close()
	server, err := farm.At(h.URL, "", nil)
	if err != nil {
		b.Fatal(err)
	}
	labourer, id, err := worker.Connect(ctx, server, tool)
	if err != nil {
		b.Fatal(err)
	}
	defer labourer.Close()
	theirs, err := queue.Join(labourer)
	if err != nil {
		b.Fatal(err)
	}
	w := &worker.Worker{ID: id, Tool: tool, Slots: 4, Fetch: server.Bundle, Queue: theirs, Patience: time.Minute, Log: func(text string) { b.Log(text) },
		Run: func(_ context.Context, j *farm.Job, _ func(uint64)) (*farm.Output, error) {
			return &farm.Output{Text: j.Task, Same: j.Task, Lasting: true}, nil
		}}
	var all sync.WaitGroup
	all.Go(func() { _ = w.Work(ctx) })
	defer func() { stop(); all.Wait() }()
	c := &client.Client{Server: server, Tool: tool, Note: func(text string) { b.Log(text) }}
	if err := c.Open(ctx); err != nil {
		b.Fatal(err)
	}
	defer c.Close()
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
