// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
)

// The HTTP interface (package farm has the list of requests).

type dialer func() (net.Conn, error)

// The greatest sizes of what clients send.
const (
	largestAsk = 64 << 20 // bytes
	longestOf  = 1 << 10  // bytes of a collection's name, and of the origin of its sources
)

// rechecks is how long a worker whose token is withdrawn may stay connected.
const rechecks = 2 * time.Second

// gathers is how long an answer waits for further results behind the first.
const gathers = 30 * time.Millisecond

// Handler serves the interface.
func (g *Gateway) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+farm.PathFarm, g.only(func(w http.ResponseWriter, r *http.Request) { write(w, g.info()) }, Client, Labour))
	mux.HandleFunc("POST "+farm.PathRuns+"{run}", g.only(g.ask, Client))
	mux.HandleFunc("DELETE "+farm.PathRuns+"{run}", g.only(func(w http.ResponseWriter, r *http.Request) {
		g.leave(context.WithoutCancel(r.Context()), r.PathValue("run"))
	}, Client))
	mux.HandleFunc("PUT "+farm.PathBundles+"{digest}", g.only(g.putBundle, Client))
	mux.HandleFunc("GET "+farm.PathBundles+"{digest}", g.only(g.getBundle, Labour))
	mux.HandleFunc("POST "+farm.PathWorkers, g.only(g.hello, Labour))
	mux.HandleFunc("GET "+farm.PathQueue, g.only(g.connect, Labour))
	mux.HandleFunc("GET "+PathState, g.only(g.page, Client))
	mux.HandleFunc("GET "+PathState+"/events", g.only(g.events, Client))
	mux.HandleFunc("GET "+PathState+".js", g.only(script, Client))
	if g.History != nil {
		mux.HandleFunc("GET /", g.only(g.History.ServeHTTP, Client))
	} else {
		mux.HandleFunc("GET /{$}", g.only(g.page, Client))
	}
	mux.HandleFunc("GET /metrics", g.only(g.metrics, Client, Labour))
	return g.ours(http.NewCrossOriginProtection().Handler(mux))
}

// ours refuses, without tokens, requests that call the server by a name other than localhost: a page of somebody else's, under a name that
// leads to this machine, could else read and give orders.
func (g *Gateway) ours(serve http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if g.Tokens == nil && net.ParseIP(strings.Trim(host, "[]")) == nil && !strings.EqualFold(host, "localhost") {
			http.Error(w, "this farm does not answer to that name: use its address, such as 127.0.0.1, or localhost", http.StatusMisdirectedRequest)
			return
		}
		serve.ServeHTTP(w, r)
	})
}

func write(w http.ResponseWriter, what any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(what) // who has gone does not read it
}

// read reads a body as JSON; false: it is none, and the client has been told.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, largestAsk)).Decode(into)
	if err != nil {
		http.Error(w, fmt.Sprintf("the request is no JSON of the right form: %v", err), http.StatusBadRequest)
	}
	return err == nil
}

func (g *Gateway) info() farm.Info {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := farm.Info{Farm: farm.Version, Tool: g.Tool, Largest: g.Queue.Largest(), Trouble: g.trouble, Workers: []farm.Worker{}, Open: g.Tokens == nil}
	for _, w := range g.workers {
		i.Workers = append(i.Workers, farm.Worker{Tool: w.Tool, Slots: w.Slots})
	}
	return i
}

func (g *Gateway) putBundle(w http.ResponseWriter, r *http.Request) {
	digest := r.PathValue("digest")
	unshared, err := g.Bundles.put(r.Context(), digest, http.MaxBytesReader(w, r.Body, farm.LargestBundle))
	if unshared != nil {
		g.complain("the shared store does not take the sources of tasks: " + unshared.Error())
	}
	switch {
	case errors.Is(err, errOther) || errors.Is(err, errUnread):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case err != nil:
		g.complain(err.Error())
		http.Error(w, err.Error(), http.StatusInsufficientStorage)
	}
}

func (g *Gateway) getBundle(w http.ResponseWriter, r *http.Request) {
	f, err := g.Bundles.get(r.Context(), r.PathValue("digest"))
	if err != nil {
		http.Error(w, farm.ErrNoBundle.Error(), http.StatusNotFound)
		return
	}
	defer f.Close()
	_, _ = io.Copy(w, f) // the worker compares the digest
}

func (g *Gateway) hello(w http.ResponseWriter, r *http.Request) {
	var h farm.Hello
	if !read(w, r, &h) {
		return
	}
	if !named(h.Tool) {
		http.Error(w, "the worker does not say which version it is", http.StatusBadRequest)
		return
	}
	if err := g.admit(r.Context(), h.Tool); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	switch err := g.Enrol(h.Key); {
	case errors.Is(err, queue.ErrNoKey):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case err != nil:
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}

// connect turns the request's connection into one to the queue.
func (g *Gateway) connect(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != farm.Upgrade {
		http.Error(w, "want the header Upgrade: "+farm.Upgrade, http.StatusUpgradeRequired)
		return
	}
	inner, err := g.Dial()
	if err != nil {
		http.Error(w, fmt.Sprintf("the queue cannot be reached: %v", err), http.StatusServiceUnavailable)
		return
	}
	defer inner.Close()
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		http.Error(w, "this connection cannot be turned into another one: want HTTP/1.1", http.StatusHTTPVersionNotSupported)
		return
	}
	raw, early, err := hijacker.Hijack()
	if err != nil {
		return
	}
	outer := farm.Patient(raw)
	defer outer.Close()
	if err := outer.SetDeadline(time.Time{}); err != nil {
		return
	}
	if _, err := fmt.Fprintf(outer, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n", farm.Upgrade); err != nil {
		return
	}
	ctx, over := context.WithCancel(context.WithoutCancel(r.Context()))
	defer over()
	go g.recheck(ctx, r, outer)
	go func() {
		defer inner.Close()
		_, _ = io.Copy(inner, io.MultiReader(io.LimitReader(early, int64(early.Reader.Buffered())), outer))
	}()
	_, _ = io.Copy(outer, inner)
}

// recheck closes a worker's connection when its token is no longer accepted.
func (g *Gateway) recheck(ctx context.Context, r *http.Request, conn net.Conn) {
	for g.Tokens != nil {
		if pause(ctx, rechecks); ctx.Err() != nil {
			return
		}
		secret, _ := secretOf(r)
		if c := g.Tokens.holder(secret); c == nil || !slices.Contains(c.roles, Labour) {
			conn.Close()
			return
		}
	}
}

// ask takes orders and gives what is known of a run.
func (g *Gateway) ask(w http.ResponseWriter, r *http.Request) {
	var a farm.Ask
	if !read(w, r, &a) {
		return
	}
	ctx := r.Context()
	if len(a.Orders) > 0 {
		if why := refusal(&a, g.Queue.Largest()); why != "" {
			http.Error(w, why, http.StatusBadRequest)
			return
		}
		if err := g.admit(ctx, a.Tool); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
	}
	id := r.PathValue("run")
	answer := farm.Answer{}
	one := g.known(id, len(a.Orders) > 0)
	if one == nil {
		answer.Info = g.info()
		write(w, answer)
		return
	}
	answer.Memory = one.memory
	if c, known := ctx.Value(calls{}).(*caller); known {
		g.mu.Lock()
		one.name = c.name
		g.mu.Unlock()
	}
	g.accept(ctx, one, &a, &answer)
	g.collect(ctx, one, &a, &answer)
	answer.Info = g.info()
	write(w, answer)
}

// refusal is why orders are not taken; "": they are. The queue could not take them either, and would be tried again and again.
func refusal(a *farm.Ask, largest int) string {
	if !named(a.Tool) {
		return "the orders do not say for which version they are"
	}
	for i := range a.Orders {
		switch o := &a.Orders[i]; {
		case len(o.Task) > largest:
			return fmt.Sprintf("a task has %d bytes; the most is %d", len(o.Task), largest)
		case len(o.Name) > longestOf || !utf8.ValidString(o.Name) || strings.ContainsFunc(o.Name, func(r rune) bool { return !unicode.IsPrint(r) }):
			return fmt.Sprintf("%.50q is no name of a collection", o.Name)
		case len(o.Origin) > longestOf:
			return fmt.Sprintf("the origin of the sources of %s has %d bytes; the most is %d", o.Name, len(o.Origin), longestOf)
		}
	}
	return ""
}

// known gives a run; if it is new and may begin, a new one.
func (g *Gateway) known(id string, begins bool) *run {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.runs[id]
	if r == nil && begins {
		r = &run{memory: rand.Text(), wants: map[string]*want{}, ready: map[string]farm.Result{}, given: map[string]bool{}, origin: map[string]json.RawMessage{}, wake: make(chan struct{})}
		g.runs[id] = r
	}
	if r != nil {
		r.seen = time.Now()
	}
	return r
}

// accept notes which results have arrived, and takes orders as long as there is room.
func (g *Gateway) accept(ctx context.Context, one *run, a *farm.Ask, answer *farm.Answer) {
	g.mu.Lock()
	for _, key := range a.Have {
		if !one.ready[key].Conflict || one.given[key] { // a conflict that came meanwhile is told as well
			delete(one.ready, key)
		}
		one.given[key] = true
	}
	var gone []*want
	for _, key := range a.Drop {
		if w := one.wants[key]; w != nil {
			delete(one.wants, key)
			gone = append(gone, g.forsake(one, w)...)
		}
	}
	g.mu.Unlock()
	g.remove(ctx, gone)
	missing := map[string]bool{}
	for i := range a.Orders {
		o := &a.Orders[i]
		if missing[o.Bundle] || !g.Bundles.has(ctx, o.Bundle) {
			missing[o.Bundle] = true
			answer.Accepted++
			continue
		}
		if !g.order(ctx, one, a.Tool, o) {
			break
		}
		answer.Accepted++
	}
	for digest := range missing {
		answer.Missing = append(answer.Missing, digest)
	}
	sort.Strings(answer.Missing)
}

// unknown is the cost, in seconds, of a task about a collection that no task was about before.
const unknown = 300.0

// order notes that a run wants a result; false: there is no room.
func (g *Gateway) order(ctx context.Context, one *run, tool string, o *farm.Order) bool {
	key := farm.Key(o.Task, o.Bundle, tool)
	g.mu.Lock()
	if o.Origin != nil {
		one.origin[key] = o.Origin
	}
	w := g.wants[key]
	if w == nil && len(g.wants) >= mostWants {
		g.mu.Unlock()
		return false
	}
	if w == nil {
		cost, known := g.costs[o.Name]
		if !known {
			cost = unknown
		}
		w = &want{Ticket: queue.Ticket{Key: key, Tool: tool, Name: o.Name, Task: o.Task, Bundle: o.Bundle}, cost: cost, came: 10 * math.Floor(time.Since(g.begun).Seconds()/10), number: g.ordered, runs: map[*run]bool{}}
		g.ordered++
		// Beyond what waits, so that nobody puts it into the queue before the store was asked.
		w.added = time.Now()
		g.wants[key] = w
		g.queued++
		w.runs[one], one.wants[key] = true, w
		g.mu.Unlock()
		if !g.fetch(ctx, w) && !g.borrow(ctx, w) {
			g.mu.Lock()
			g.back(w)
			g.mu.Unlock()
			g.nudge()
		}
		return true
	}
	w.runs[one], one.wants[key] = true, w
	g.mu.Unlock()
	return true
}

// collect waits for results of a run.
func (g *Gateway) collect(ctx context.Context, one *run, a *farm.Ask, answer *farm.Answer) {
	wait := min(time.Duration(a.Seconds)*time.Second, farm.LongestPoll)
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	for waited := wait == 0; ; {
		g.mu.Lock()
		n, wake := len(one.ready), one.wake
		g.mu.Unlock()
		if n > 0 && !waited {
			pause(ctx, gathers)
		}
		if n > 0 || waited {
			break
		}
		select {
		case <-wake:
		case <-deadline.C:
			waited = true
		case <-ctx.Done():
			return
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	one.seen = time.Now()
	size := 0
	for key, r := range one.ready {
		if size += len(r.Sealed) + len(r.Text); size > largestAsk && len(answer.Results) > 0 {
			break
		}
		r.Key = key
		answer.Results = append(answer.Results, r)
	}
	for _, w := range g.workers {
		for _, d := range w.Busy {
			if one.wants[d.Key] != nil {
				answer.Doing = append(answer.Doing, farm.Doing{Key: d.Key, States: d.States})
			}
		}
	}
}
