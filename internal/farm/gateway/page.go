// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"pangolin/internal/farm/queue"
)

// The server's page, and its figures for Prometheus.

// figures are what the page and the metrics show.
type figures struct {
	Trouble         string
	Waiters         []waiter
	Runs, Waiting   int
	Queued, Results int
	Workers         []queue.Presence
	Conflicts       []queue.Facts
	Busy, Verdicts  bool // some worker is doing something; there is a site of verdicts
}

// waiter is a command of which is known whose it is.
type waiter struct {
	Name   string
	Wanted int // results that are not there yet
}

func (g *Gateway) figures() *figures {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bury()
	f := &figures{Trouble: g.trouble, Runs: len(g.runs), Waiting: len(g.waiting), Queued: g.queued, Results: g.stored, Conflicts: slices.Clone(g.differ), Verdicts: g.History != nil}
	for _, id := range slices.Sorted(maps.Keys(g.workers)) {
		f.Workers = append(f.Workers, g.workers[id].Presence)
		f.Busy = f.Busy || len(g.workers[id].Busy) > 0
	}
	for _, r := range g.runs {
		if r.name != "" {
			f.Waiters = append(f.Waiters, waiter{r.name, len(r.wants)})
		}
	}
	slices.SortFunc(f.Waiters, func(a, b waiter) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Wanted, b.Wanted)) })
	return f
}

var page = template.Must(template.New("").Funcs(template.FuncMap{"seconds": func(s float64) string { return time.Duration(s * float64(time.Second)).Round(time.Second).String() }}).Parse(`{{define "state"}}
{{with .Trouble}}<p class="bad" role="alert">{{.}}</p>{{end}}
<p>Commands that wait for results: {{.Runs}}. Tasks that wait: {{.Waiting}}; in the queue or being done: {{.Queued}}. Results that are kept: {{.Results}}.</p>
{{if .Waiters}}<table><tr><th>who waits<th class="n">for results</tr>{{range .Waiters}}<tr><td>{{.Name}}<td class="n">{{.Wanted}}</tr>{{end}}</table>{{end}}
{{if .Conflicts}}<h2 class="bad">Conflicts: tasks with two different results</h2>
<table><tr><th>collection<th>worker<th>key</tr>{{range .Conflicts}}<tr class="bad"><td>{{.Name}}<td>{{.Worker}}<td>{{.Key}}</tr>{{end}}</table>{{end}}
<h2>Workers</h2>
{{if not .Workers}}<p>There is none at present.</p>{{else}}<table><tr><th>worker<th>machine<th>version<th class="n">at a time<th class="n">done</tr>
{{range .Workers}}<tr><td>{{.ID}}<td>{{.Host}}<td>{{printf "%.12s" .Tool}}<td class="n">{{.Slots}}<td class="n">{{.Done}}</tr>{{end}}</table>{{end}}
<h2>Being done</h2>
{{if not .Busy}}<p>Nothing at present.</p>{{else}}<table><tr><th>collection<th>worker<th class="n">states<th class="n">for</tr>{{range $w := .Workers}}{{range .Busy}}<tr><td>{{.Name}}{{if .Copy}} (a second time){{end}}<td>{{$w.ID}}<td class="n">{{.States}}<td class="n">{{seconds .Seconds}}</tr>{{end}}{{end}}</table>{{end}}
{{end}}<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>pangolind</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<noscript><meta http-equiv="refresh" content="2"></noscript><script src="/farm.js" defer></script>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5em auto; max-width: 60em; padding: 0 1em; color: #222; background: #fff } a { color: #0b57d0 }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .2em .8em .2em 0; border-bottom: 1px solid #ddd; overflow-wrap: anywhere }
td.n, th.n { text-align: right } .bad { color: #b00020; font-weight: 600 } h2 { font-size: 1.1em; margin-top: 1.5em }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #161616 } th, td { border-color: #444 } .bad { color: #ff6b81 } a { color: #8ab4f8 } }
</style></head><body>
<h1>pangolind</h1>
{{if .Verdicts}}<p><a href="/">Verdicts</a> that were given, and their history</p>{{end}}
<main>{{template "state" .}}</main>
</body></html>
`))

// PathState is the address of the page about the farm.
const PathState = "/farm"

func (g *Gateway) page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'")
	_ = page.Execute(w, g.figures()) // who has gone does not read it
}

// script replaces what the page says by what the stream of events says.
func script(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	fmt.Fprint(w, `"use strict";
const source = new EventSource("/farm/events");
source.onmessage = (e) => { document.querySelector("main").innerHTML = JSON.parse(e.data); };
addEventListener("pagehide", () => source.close());
`)
}

// A page may watch for watches; then the browser asks again, and shows its token. At most mostWatch do so at a time.
const (
	watches   = time.Minute
	mostWatch = 64
)

// events sends what the page says, as a stream of events of HTML in JSON, each second in which it is something else.
func (g *Gateway) events(w http.ResponseWriter, r *http.Request) {
	defer g.watching.Add(-1)
	if g.watching.Add(1) > mostWatch {
		http.Error(w, "too many pages are watching", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	ctx, stop := context.WithTimeout(r.Context(), watches)
	defer stop()
	said := ""
	for ctx.Err() == nil {
		var b strings.Builder
		if page.ExecuteTemplate(&b, "state", g.figures()) != nil {
			return
		}
		if b.String() != said {
			said = b.String()
			text, err := json.Marshal(said)
			if err != nil {
				return
			}
			if _, err := fmt.Fprintf(w, "data: %s\n\n", text); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
		}
		pause(ctx, time.Second)
	}
}

// Workers are those that have shown themselves in the last seconds, with the tasks that they are doing.
func (g *Gateway) Workers() []queue.Presence { return g.figures().Workers }

// Conflicts is how many tasks have had different results.
func (g *Gateway) Conflicts() int { return len(g.figures().Conflicts) }

// metrics writes the figures in the text format of Prometheus.
func (g *Gateway) metrics(w http.ResponseWriter, _ *http.Request) {
	f := g.figures()
	slots, busy := 0, 0
	for _, one := range f.Workers {
		slots, busy = slots+one.Slots, busy+len(one.Busy)
	}
	trouble := 0
	if f.Trouble != "" {
		trouble = 1
	}
	var b strings.Builder
	for _, one := range []struct {
		name, help string
		value      int
	}{
		{"runs", "Commands that wait for results.", f.Runs},
		{"tasks_open", "Tasks that somebody waits for: in the queue, being done, or neither yet. The number of workers may follow it.", f.Waiting + f.Queued},
		{"tasks_waiting", "Tasks that are not in the queue yet.", f.Waiting},
		{"tasks_queued", "Tasks in the queue, or being done.", f.Queued},
		{"workers", "Workers.", len(f.Workers)},
		{"worker_slots", "Tasks that the workers can do at a time.", slots},
		{"worker_slots_busy", "Tasks that workers are doing.", busy},
		{"results", "Results that are kept.", f.Results},
		{"conflicts", "Results that differ from another one of the same task.", len(f.Conflicts)},
		{"trouble", "1 if the queue takes no tasks.", trouble},
		{"goroutines", "Goroutines of the server.", runtime.NumGoroutine()},
	} {
		fmt.Fprintf(&b, "# HELP pangolind_%s %s\n# TYPE pangolind_%s gauge\npangolind_%s %d\n", one.name, one.help, one.name, one.name, one.value)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	_, _ = w.Write([]byte(b.String()))
}
