// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/worker"
)

// A server that is used for minutes or days, at a low rate, and what becomes of its memory.

var (
	soakTime = flag.Duration("soak", 0, "soak a server for this `time`, such as 24h (go test ./cmd/pangolind -run Soak -soak 24h -timeout 0 -v)")
	soakRate = flag.Int("soak.rate", 5, "soak with `n` tasks a second")
)

// A server that is used for long has at most 200 MB in memory, and no more at the end than when it was warm, but for the index of the
// results that it has stored meanwhile (largestIndex bytes each). Half of the tasks are new, half had results before; workers and commands
// come and go.
func TestServe_SoaksFlat(t *testing.T) {
	if *soakTime == 0 {
		t.Skip("hours: -soak 24h -timeout 0")
	}
	const room, largestIndex = 200_000_000, 600
	f := install(t, 0)
	server, err := farm.At(f.url(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	info, err := server.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	end := time.Now().Add(*soakTime)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for time.Now().Before(end) {
				soakWorker(t, server, info.Tool, time.Minute)
			}
		})
	}
	var mu sync.Mutex
	asked := 0
	all.Go(func() {
		for time.Now().Before(end) {
			n := soakClient(t, server, info.Tool, asked, min(time.Until(end), 30*time.Second))
			mu.Lock()
			asked += n
			mu.Unlock()
		}
	})
	var samples []sample
	pace := max(time.Second, *soakTime/240)
	for time.Until(end) > 0 {
		time.Sleep(pace)
		s := look(t, f)
		if samples = append(samples, s); len(samples)%20 == 0 {
			t.Logf("after %v: %d MB in memory, %d goroutines, %d results", (*soakTime - time.Until(end)).Round(time.Second), s.memory/1e6, s.goroutines, s.results)
		}
	}
	all.Wait()
	last := look(t, f)
	warm, late := middle(samples[len(samples)/4:len(samples)/2]), middle(samples[len(samples)*3/4:])
	most := slices.MaxFunc(samples, func(a, b sample) int { return a.memory - b.memory })
	t.Logf("%v at %d tasks a second: %d tasks asked for, %d results. In memory: %d MB in the second quarter, %d MB in the last, %d MB at most. Goroutines: %d, %d. Stored: %d kB",
		*soakTime, *soakRate, asked, last.results, warm.memory/1e6, late.memory/1e6, most.memory/1e6, warm.goroutines, late.goroutines, stored(t, f.dir)>>10)
	if most.memory > room {
		t.Errorf("%d MB in memory, want at most %d", most.memory/1e6, room/1_000_000)
	}
	if grown := late.memory - warm.memory - largestIndex*(late.results-warm.results); grown > 10_000_000 {
		t.Errorf("the server has %d MB more at the end than when it was warm, without the index of %d results", grown/1e6, late.results-warm.results)
	}
	if late.goroutines > warm.goroutines*5/4+10 {
		t.Errorf("the server has %d goroutines at the end, and %d when it was warm", late.goroutines, warm.goroutines)
	}
}

// soakWorker does tasks that take no time, for a while.
func soakWorker(t *testing.T, server *farm.Server, tool string, long time.Duration) {
	ctx, stop := context.WithTimeout(t.Context(), long)
	defer stop()
	conn, id, err := worker.Connect(ctx, server, tool)
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	q, err := queue.Join(conn)
	if err != nil {
		t.Error(err)
		return
	}
	w := &worker.Worker{ID: id, Tool: tool, Slots: 2, Fetch: server.Bundle, Queue: q, Patience: time.Minute, Log: func(string) {},
		Run: func(_ context.Context, j *farm.Job, _ func(uint64)) (*farm.Output, error) {
			return &farm.Output{Text: j.Task, Same: j.Task, Lasting: true}, nil
		}}
	if err := w.Work(ctx); err != nil {
		t.Error(err)
	}
}

// soakClient wants tasks for a while, new ones and old ones, and gives the number of the new ones. from is how many there were.
func soakClient(t *testing.T, server *farm.Server, tool string, from int, long time.Duration) int {
	c := &client.Client{Server: server, Tool: tool, Note: func(string) {}}
	if err := c.Open(t.Context()); err != nil {
		t.Error(err)
		return 0
	}
	defer c.Close()
	bundle := []byte("sources")
	var orders sync.WaitGroup
	tick := time.NewTicker(time.Second / time.Duration(*soakRate))
	defer tick.Stop()
	sent := 0
	for begun := time.Now(); time.Since(begun) < long; <-tick.C {
		number := from + sent
		if sent++; sent%2 == 0 {
			number = (number * 7919) % (from + sent)
		}
		text := fmt.Appendf(nil, "task %d %2000d", number, 0) // results of 2 kB
		orders.Go(func() {
			o, err := c.Send(t.Context(), &farm.Order{Name: fmt.Sprint("collection", number%100), Task: text, Bundle: farm.Digest(bundle)}, bundle, func(uint64) {})
			if err != nil || string(o.Text) != string(text) {
				t.Errorf("task %d: %v, %q", number, err, o.Text)
			}
		})
	}
	orders.Wait()
	return sent
}

// sample is what a server has at a time.
type sample struct{ memory, goroutines, results int }

var metric = regexp.MustCompile(`(?m)^pangolind_(goroutines|results) (\d+)$`)

// look asks the server's figures, and the system for its memory.
func look(t *testing.T, f *installed) (s sample) {
	t.Helper()
	resp, err := http.Get(f.url() + "/metrics")
	if err != nil {
		t.Error(err)
		return s
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	for _, m := range metric.FindAllStringSubmatch(string(text), -1) {
		n, _ := strconv.Atoi(m[2])
		switch m[1] {
		case "goroutines":
			s.goroutines = n
		case "results":
			s.results = n
		}
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", f.server.Process.Pid))
	if err != nil {
		t.Error(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	var kilobytes int
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		t.Error(err)
	}
	s.memory = kilobytes << 10
	return s
}

// middle is the median of each figure.
func middle(list []sample) sample {
	of := func(get func(sample) int) int {
		var all []int
		for _, s := range list {
			all = append(all, get(s))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return sample{of(func(s sample) int { return s.memory }), of(func(s sample) int { return s.goroutines }), of(func(s sample) int { return s.results })}
}

// stored is the size of the files in a directory.
func stored(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			n += info.Size()
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return n
}
