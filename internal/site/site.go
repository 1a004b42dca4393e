// SPDX-License-Identifier: BSD-3-Clause

// Package site is a web page over a directory of results: packages and types with their newest verdicts, the history of a type, two
// revisions compared, the page of each result that is kept (report/html), and the processes that are at work.
//
//	http.Serve(listener, site.New(dir, ""))
//
// It reads the directory's log (task.Entry) and results, and writes nothing. Of a farm it shows the results that commands were given, which
// are elsewhere (Source). Every page works without a script; the script adds keys
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

// Source is what a site is about.
type Source struct {
	Log     *cache.Log
	Result  func(key string) (*task.Result, error) // what is kept under a key
	Running func() []task.Work                     // what is being done
	Where   string                                 // the place in which the results are kept, for people
	Example string                                 // a command whose results are shown
	Status  string                                 // the address of a page about the farm; "": there is none
	Alert   func() string                          // what is wrong, for the top of each page; "": nothing
	// Called says whether a Host header names the server.
	Called func(host string) bool
}

// ErrDiffers is the error of Source.Result if there are two different results under a key.
var ErrDiffers = errors.New("the same task has had two different results, and nobody knows which is right")

// Site answers requests.
type Site struct {
	Source
	history *history
	mux     *http.ServeMux
	pages   *template.Template
	streams chan struct{} // slots of those who watch
}

// mostStreams is how many pages may watch at a time.
const mostStreams = 64

// New makes the site of a directory. Requests may call it by a name, if that is not "".
func New(dir *cache.Dir, name string) *Site {
	kept := task.Kept{Cache: dir}
	return Of(&Source{Log: dir.Log(), Result: kept.Get, Running: func() []task.Work { return running(dir) }, Where: dir.Path(), Example: "pangolin verify ./...",
		Alert: func() string { return "" }, Called: func(host string) bool { return called(host, name) }})
}

// Of makes the site of a source.
func Of(source *Source) *Site {
	s := &Site{Source: *source, history: newHistory(source.Log), mux: http.NewServeMux(), streams: make(chan struct{}, mostStreams)}
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
	if !s.Called(r.Host) {
		http.Error(w, "This server does not answer to the name of the request: use its address, such as 127.0.0.1, or localhost.", http.StatusMisdirectedRequest)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// called says whether a Host header names a server by an address, by localhost or by a name, if that is not "".
func called(host, own string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	return net.ParseIP(host) != nil || strings.EqualFold(host, "localhost") || own != "" && strings.EqualFold(host, own)
}

// page is what every page shows.
type page struct {
	Title   string
	Query   string // what is searched for
	Running []task.Work
	Status  string // Source.Status
	Alert   string // Source.Alert
	Content any
}

// show writes a page of a template.
func (s *Site) show(w http.ResponseWriter, name string, p page) {
	p.Running, p.Status, p.Alert = s.Running(), s.Status, s.Alert()
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
	if err := s.pages.ExecuteTemplate(&b, "problem.tmpl", page{Title: http.StatusText(code), Status: s.Status, Content: text}); err != nil {
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
	one, err := s.Result(r.PathValue("key"))
	var conflict *cache.Conflict
	switch {
	case errors.As(err, &conflict) || errors.Is(err, ErrDiffers):
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
