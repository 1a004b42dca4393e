// SPDX-License-Identifier: BSD-3-Clause

// Package html prints results as one page that needs nothing but a browser: an overview of
// all verdicts, and each violation to be stepped through, with the threads as lanes, the
// source with the lines where they stand, their variables and locks, and the memory as a
// graph; of a proof what threads may see, place by place.
//
// It takes plain data (package verdict) and a writer, and sees nothing else: scenes and
// source are in the witness if they were asked for (verdict.Scene). The page is written
// when it is closed. Script, style and the library that lays out the graph (dagre, from the
// npm registry, with its licence) are files of the directory assets, and embedded.
package html

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"pangolin/report/story"
	"pangolin/verdict"
)

//go:embed assets
var assets embed.FS

// mostSteps is how many steps of an execution a page shows; the page says what is missing.
const mostSteps = 3000

// Page collects results.
type Page struct {
	out      io.Writer
	verdicts []row
	runs     []run
	judged   []drawnHistory
}

// row is a line of the overview.
type row struct {
	verdict.Verdict
	Run int // the number of the violation's section, from 1; 0: it has none
}

// New makes a page that is written to out.
func New(out io.Writer) *Page { return &Page{out: out} }

// Show takes a result: a verdict, an execution by itself, or a recorded history.
func (p *Page) Show(r any) error {
	switch r := r.(type) {
	case verdict.Verdict:
		if r.Outcomes != nil {
			p.outcomes(r.Outcomes)
			return nil
		}
		shown := 0
		if r.Violation != nil && r.Violation.Execution != nil {
			shown = p.add(r.Violation.Execution)
		}
		if r.Engine != "" || r.Status == verdict.NotJudged || r.Status == verdict.NotShared || r.Status == verdict.Unchanged { // a replay's is about one execution, and covers nothing
			p.verdicts = append(p.verdicts, row{r, shown})
		}
	case verdict.Tested:
		if r.Verdict != nil {
			p.outcomes(r.Verdict.Outcomes)
		}
	case *verdict.Witness:
		p.add(r)
	case Judged:
		p.judged = append(p.judged, r.draw())
	}
	return nil
}

// add adds the section of an execution, and gives its number.
func (p *Page) add(w *verdict.Witness) int {
	p.runs = append(p.runs, runOf(w))
	n := len(p.runs)
	p.runs[n-1].Number = n
	return n
}

// outcomes takes the executions of a program.
func (p *Page) outcomes(o *verdict.Outcomes) {
	for i := range o.List {
		if w := o.List[i].Execution; w != nil {
			p.add(w)
		}
	}
}

// run is an execution as the script wants it.
type run struct {
	Number   int               `json:"-"` // of its section, from 1
	Title    string            `json:"title"`
	Sentence string            `json:"sentence"`
	Class    string            `json:"class"`
	Client   string            `json:"client"`
	Program  bool              `json:"program"` // its threads are goroutines, of which main is 0
	Threads  int               `json:"threads"`
	Names    []string          `json:"names"` // of the threads
	Loop     int               `json:"loop"`
	Damage   int               `json:"damage"`
	Cut      int               `json:"cut"` // steps that are not shown
	Steps    []step            `json:"steps"`
	Calls    []call            `json:"calls"`
	Orders   []order           `json:"orders"`
	Waiting  []string          `json:"waiting"`
	Source   map[string][]line `json:"source"`
	// Each object and each standing once, and for each step the numbers of those there are.
	Objects   []verdict.Object   `json:"objects"`
	Standings []verdict.Standing `json:"standings"`
	Scenes    [][]int            `json:"scenes"`
	Stands    [][]int            `json:"stands"`
}

type step struct {
	Thread int    `json:"thread"`
	Text   string `json:"text"`
	At     string `json:"at"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Told   bool   `json:"told"`
	Source string `json:"source"`
}

type call struct {
	Thread int    `json:"thread"`
	Text   string `json:"text"`
	From   int    `json:"from"`
	To     int    `json:"to"` // 0: it never returns
}

// order is one that was tried: calls by their numbers, and why it cannot go on.
type order struct {
	Calls    []int       `json:"calls"`
	Rejected []rejection `json:"rejected"`
}

type rejection struct {
	Call int    `json:"call"`
	Text string `json:"text"`
}

type line struct {
	Number int    `json:"n"`
	Text   string `json:"text"`
}

func runOf(w *verdict.Witness) run {
	r := run{Title: w.Title(), Program: w.Source.Program, Names: []string{}, Sentence: story.Sentence(w), Class: w.Class, Client: w.Client,
		Loop: w.Loop, Damage: w.Damage, Steps: []step{}, Calls: []call{}, Orders: []order{}, Waiting: []string{}, Source: map[string][]line{}}
	texts, told := story.Steps(w)
	s := story.Of(w, false)
	n := min(len(w.Steps), mostSteps)
	r.Cut = len(w.Steps) - n
	for i := range w.Steps[:n] {
		x := &w.Steps[i]
		r.Threads = max(r.Threads, x.Thread)
		r.Steps = append(r.Steps, step{x.Thread, texts[i], s.Position(x.Place), x.File, x.Line, told[i], x.Source})
	}
	for t := 1; t <= r.Threads; t++ {
		r.Names = append(r.Names, story.Thread(w, t))
	}
	for i := range w.History {
		if e := &w.History[i]; e.Invoked <= n {
			to := e.Responded
			if to > n {
				to = 0
			}
			r.Calls = append(r.Calls, call{e.Thread, e.String(), e.Invoked, to})
		}
	}
	for _, x := range w.Waiting {
		r.Waiting = append(append(r.Waiting, w.Doing(&x)), w.Origins(&x)...)
	}
	for _, x := range w.Around {
		r.Source[x.File] = append(r.Source[x.File], line{x.Line, x.Text})
	}
	r.orders(w)
	r.scenes(w.Scenes[:min(n, len(w.Scenes))])
	return r
}

func (r *run) orders(w *verdict.Witness) {
	if w.Explanation == nil {
		return
	}
	for _, o := range w.Explanation.Tried {
		x := order{Calls: o.Calls, Rejected: []rejection{}}
		for _, j := range o.Rejected {
			e, text := &w.History[j.Call-1], "it cannot return here"
			for i, how := range j.Allowed {
				if i == 0 {
					text = "here: " + e.Returning(how)
				} else {
					text += " or " + e.Returning(how)
				}
			}
			x.Rejected = append(x.Rejected, rejection{j.Call, text})
		}
		r.Orders = append(r.Orders, x)
	}
}

// scenes notes each object and each standing once: from step to step most stay the same.
func (r *run) scenes(list []verdict.Scene) {
	objects, standings := map[string]int{}, map[string]int{}
	for i := range list {
		var scene, stand []int
		for _, o := range list[i].Objects {
			key := fmt.Sprintf("%q", []any{o.Name, o.Type, o.Kind, o.Fields})
			scene = append(scene, numbered(&r.Objects, objects, key, o))
		}
		for _, t := range list[i].Threads {
			key := fmt.Sprintf("%v %q", []any{t.Idle, t.Waits}, []any{t.Calls, t.Holds})
			stand = append(stand, numbered(&r.Standings, standings, key, t))
		}
		r.Scenes, r.Stands = append(r.Scenes, scene), append(r.Stands, stand)
	}
}

// numbered is where a value with such a key stands in the list; at its end if it is new.
func numbered[T any](list *[]T, known map[string]int, key string, v T) int {
	k, old := known[key]
	if !old {
		k = len(*list)
		known[key] = k
		*list = append(*list, v)
	}
	return k
}

// Close writes the page.
func (p *Page) Close() error {
	page, err := template.New("page.tmpl").Funcs(template.FuncMap{"svg": svg, "join": strings.Join, "counted": verdict.Counted, "more": func(s verdict.SeenAt) int { return s.Count - len(s.Views) }}).ParseFS(assets, "assets/page.tmpl")
	if err != nil {
		return err
	}
	data, err := json.Marshal(p.runs) // escapes what could end a script
	if err != nil {
		return err
	}
	count := map[verdict.Status]int{}
	for i := range p.verdicts {
		count[p.verdicts[i].Status]++
	}
	return page.Execute(p.out, map[string]any{
		"Policy": Policy(), "Style": template.CSS(read("page.css")), "Graph": template.JS(read("dagre.min.js")), "Licence": read("dagre.LICENSE"),
		"Script": template.JS(read("page.js")), "Data": template.JS(data), "Verdicts": p.verdicts, "Runs": p.runs, "Judged": p.judged,
		"Verified": count[verdict.Verified], "Violated": count[verdict.Violated], "Unknown": count[verdict.Unknown], "Proved": count[verdict.Proved], "Missed": count[verdict.NotJudged], "Unshared": count[verdict.NotShared], "Unchanged": count[verdict.Unchanged],
	})
}

// Policy is the content security policy of every page: its own style and scripts, by their digests, and nothing from anywhere. The page has
// it as well; a server that sends a page sends it as a header.
func Policy() string {
	digest := func(name string) string {
		sum := sha256.Sum256([]byte(read(name)))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src " + digest("page.css") +
		"; script-src " + digest("dagre.min.js") + " " + digest("page.js")
}

// read is an embedded file.
func read(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}
