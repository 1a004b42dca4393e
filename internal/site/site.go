// SPDX-License-Identifier: BSD-3-Clause

// Package site is a web page over a directory of results: packages and types with their newest verdicts, the history of a type, two
// revisions compared, the page of each result that is kept (report/html), and the processes that are at work.
//
//	http.Serve(listener, site.New(dir, ""))
//
// It reads the directory's log (task.Entry) and results, and writes nothing. Every page works without a script; the script adds keys
// and what is going on now. Nothing is fetched from anywhere else. A request must name the server by an IP address, by localhost or by the
// name that the user gave: a name that an attacker lets point to 127.0.0.1 is refused.
package site

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strings"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/task"
	"pangolin/report/html"
)

//go:embed assets
var assets embed.FS

// policy is the content security policy of the site's own pages.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Site answers requests.
type Site struct {
	dir     *cache.Dir
	name    string // by which requests may call the server, beside addresses and localhost; "": none
	history *history
	mux     *http.ServeMux
	pages   *template.Template
	streams chan struct{} // slots of those who watch
}

// mostStreams is how many pages may watch at a time.
const mostStreams = 64

// New makes the site of a directory. Requests may call it by a name, if that is not "".
func New(dir *cache.Dir, name string) *Site {
	s := &Site{dir: dir, name: name, history: newHistory(dir), mux: http.NewServeMux(), streams: make(chan struct{}, mostStreams)}
	s.pages = template.Must(template.New("").Funcs(template.FuncMap{"when": when, "seconds": seconds}).ParseFS(assets, "assets/*.tmpl"))
	s.mux.HandleFunc("GET /{$}", s.overview)
	s.mux.HandleFunc("GET /type", s.typePage)
	s.mux.HandleFunc("GET /revisions", s.revisions)
	s.mux.HandleFunc("GET /compare", s.compare)
	s.mux.HandleFunc("GET /result/{key}", s.result)
	s.mux.HandleFunc("GET /events", s.events)
	for _, name := range []string{"site.css", "site.js"} {
		s.mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			http.ServeFileFS(w, r, assets, "assets/"+name)
		})
	}
	s.mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		s.problem(w, http.StatusNotFound, "There is no such page.")
	})
	return s
}

// ServeHTTP answers a request, unless it calls the server by a name that is not its own.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	if !s.called(r.Host) {
		http.Error(w, "This server does not answer to the name of the request: use its address, such as 127.0.0.1, or localhost.", http.StatusMisdirectedRequest)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// called says whether a Host header names the server.
func (s *Site) called(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	return net.ParseIP(host) != nil || strings.EqualFold(host, "localhost") || s.name != "" && strings.EqualFold(host, s.name)
}

// page is what every page shows.
type page struct {
	Title   string
	Query   string // what is searched for
	Running []task.Work
	Content any
}

// show writes a page of a template.
func (s *Site) show(w http.ResponseWriter, name string, p page) {
	p.Running = s.running()
	var b bytes.Buffer
	if err := s.pages.ExecuteTemplate(&b, name, p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = b.WriteTo(w) // who has gone away gets nothing
}

// problem writes a page that says what is wrong.
func (s *Site) problem(w http.ResponseWriter, code int, text string) {
	var b bytes.Buffer
	if err := s.pages.ExecuteTemplate(&b, "problem.tmpl", page{Title: http.StatusText(code), Content: text}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, _ = b.WriteTo(w)
}

// failed writes a page about an error of ours.
func (s *Site) failed(w http.ResponseWriter, err error) {
	s.problem(w, http.StatusInternalServerError, "The directory of results cannot be read: "+err.Error())
}

// result shows what is kept under a key.
func (s *Site) result(w http.ResponseWriter, r *http.Request) {
	kept := task.Kept{Cache: s.dir}
	one, err := kept.Get(r.PathValue("key"))
	var conflict *cache.Conflict
	switch {
	case errors.As(err, &conflict):
		s.problem(w, http.StatusConflict, err.Error())
		return
	case err != nil:
		s.problem(w, http.StatusNotFound, "This result is not kept any more: results that were not used for the longest time are removed. Verify it again to see it.")
		return
	}
	var b bytes.Buffer
	p := html.New(&b)
	for _, v := range one.Verdicts {
		err = errors.Join(err, p.Show(v))
	}
	if err = errors.Join(err, p.Close()); err != nil {
		s.failed(w, err)
		return
	}
	w.Header().Set("Content-Security-Policy", html.Policy()+"; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = b.WriteTo(w)
}

// when is a time for people.
func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// seconds is how long a search took.
func seconds(s float64) string { return fmt.Sprintf("%.2f", s) }
