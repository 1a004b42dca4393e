// SPDX-License-Identifier: BSD-3-Clause

package client_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
)

// forgetful is a server that has lost what it knew, and then takes orders as if nothing had happened. It does an order only if it has
// got it since.
type forgetful struct {
	mu     sync.Mutex
	memory string
	orders []farm.Order // since it has this memory
	given  map[string]bool
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, farm.PathRuns) {
		_ = json.NewEncoder(w).Encode(farm.Info{Farm: farm.Version})
		return
	}
	var a farm.Ask
	_ = json.NewDecoder(r.Body).Decode(&a)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.orders = append(f.orders, a.Orders...)
	answer := farm.Answer{Accepted: len(a.Orders), Memory: f.memory}
	if f.memory == "second" {
		for _, o := range f.orders {
			if key := farm.Key(o.Task, o.Bundle, "tool"); !f.given[key] {
				f.given[key] = true
				answer.Results = append(answer.Results, farm.Result{Key: key, Text: append([]byte("done "), o.Task...)})
			}
		}
	}
	time.Sleep(time.Millisecond)
	_ = json.NewEncoder(w).Encode(answer)
}

func TestClient_SendsAgainWhatTheServerHasForgotten(t *testing.T) {
	f := &forgetful{memory: "first", given: map[string]bool{}}
	h := httptest.NewServer(f)
	defer h.Close()
	s, err := farm.At(h.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &client.Client{Server: s, Tool: "tool", Note: func(text string) { t.Log(text) }}
	if err := c.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	send := func(name string) {
		o, err := c.Send(ctx, &farm.Order{Task: []byte(name)}, nil, func(uint64) {})
		if err != nil || string(o.Text) != "done "+name {
			t.Errorf("%s: %q %v", name, o.Text, err)
		}
	}
	var all sync.WaitGroup
	all.Go(func() { send("early") })
	for early := false; !early && ctx.Err() == nil; time.Sleep(time.Millisecond) {
		f.mu.Lock()
		early = len(f.orders) > 0
		f.mu.Unlock()
	}
	f.mu.Lock()
	f.memory, f.orders = "second", nil
	f.mu.Unlock()
	all.Go(func() { send("late") })
	all.Wait()
}
