// SPDX-License-Identifier: BSD-3-Clause

package site

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The pages, each a handler that takes from the history what its template shows.

// perPage is how many rows of the overview a page has.
const perPage = 200

// overviewPage is what the overview shows.
type overviewPage struct {
	Total    version // over all types that the search finds
	Rows     []record
	Found    int
	From, To int
	Asked    asked
	Modules  []moduleLink
	Where    string // Source.Where
	Example  string // Source.Example
}

// asked is what the overview is asked for.
type asked struct {
	Query  string   // words that all have to occur
	Status string   // of the verdicts; "": any
	Module *string  // nil: any
	At     revision // "": the newest
	Page   int      // from 1
}

func askedBy(r *http.Request) asked {
	a := asked{Query: r.FormValue("q"), Status: r.FormValue("status"), At: revision(r.FormValue("at"))}
	if r.Form.Has("module") {
		m := r.FormValue("module")
		a.Module = &m
	}
	a.Page, _ = strconv.Atoi(r.FormValue("page"))
	a.Page = min(max(a.Page, 1), 1<<20) // a number that is larger than any page has no rows
	return a
}

// link is the address of an overview.
func (a asked) link() string {
	v := url.Values{}
	for _, x := range []struct{ name, value string }{{"q", a.Query}, {"status", a.Status}, {"at", string(a.At)}} {
		if x.value != "" {
			v.Set(x.name, x.value)
		}
	}
	if a.Module != nil {
		v.Set("module", *a.Module)
	}
	if a.Page > 1 {
		v.Set("page", strconv.Itoa(a.Page))
	}
	if len(v) == 0 {
		return "/"
	}
	return "/?" + v.Encode()
}

// With is the address of the first page about the verdicts of a status.
func (a asked) With(status string) string {
	a.Status, a.Page = status, 1
	return a.link()
}

// Go is the address of another page.
func (a asked) Go(by int) string {
	a.Page += by
	return a.link()
}

// moduleLink leads to the revisions of a module.
type moduleLink struct{ Name, Link string }

func linkOf(module string) moduleLink {
	name := module
	if name == "" {
		name = "no module"
	}
	return moduleLink{name, "/revisions?" + url.Values{"module": {module}}.Encode()}
}

// overview lists the types with their newest verdicts, or those of a revision.
func (s *Site) overview(w http.ResponseWriter, r *http.Request) {
	o := overviewPage{Asked: askedBy(r), Where: s.Where, Example: s.Example}
	a, words := &o.Asked, strings.Fields(strings.ToLower(r.FormValue("q")))
	var condition func(*record) bool
	if a.At != "" {
		condition = func(r *record) bool { return r.Revision == a.At }
	}
	err := s.history.read(func() {
		for _, id := range s.history.order {
			if a.Module != nil && id.Module != *a.Module {
				continue
			}
			for _, x := range newest(s.history.types[id], condition) {
				if !x.has(words) {
					continue
				}
				o.Total.count(&x)
				if a.Status == "" || a.Status == string(x.Status) {
					if o.Found++; o.Found > (a.Page-1)*perPage && o.Found <= a.Page*perPage {
						o.Rows = append(o.Rows, x)
					}
				}
			}
		}
		for _, m := range s.history.modules() {
			o.Modules = append(o.Modules, linkOf(m))
		}
	})
	if err != nil {
		s.failed(w, err)
		return
	}
	o.From, o.To = min((a.Page-1)*perPage+1, o.Found), min(a.Page*perPage, o.Found)
	title := "Verdicts"
	if a.At != "" {
		title += " of " + a.At.Text()
	}
	s.show(w, "overview.tmpl", page{Title: title, Query: a.Query, Content: o})
}

// has says whether all words occur in what the record is about.
func (r *record) has(words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(strings.Join([]string{r.Module, r.Package, r.typeID.Type, string(r.Property), string(r.Status), r.Engine, r.Answer.Class, string(r.Revision)}, " "))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// typeContent is what the page of a type shows.
type typeContent struct {
	ID      typeID
	Module  moduleLink
	Newest  []record
	History []step
}

// step is a record with what is new in it.
type step struct {
	record
	Changed string // what differs from the one before of the same property; "": nothing, or it is the first
	Compare string // address of the comparison with the revision before; "": it is the same one
}

// typePage shows the history of a type.
func (s *Site) typePage(w http.ResponseWriter, r *http.Request) {
	id := typeID{r.FormValue("module"), r.FormValue("package"), r.FormValue("type")}
	c := typeContent{ID: id, Module: linkOf(id.Module)}
	err := s.history.read(func() {
		list := s.history.types[id]
		c.Newest = newest(list, nil)
		for i := range list {
			x := step{record: list[i]}
			if k := lastOf(list[:i], list[i].Answer); k >= 0 {
				x.Changed = difference(&list[k], &list[i])
				if list[k].Revision != list[i].Revision {
					x.Compare = comparison(id.Module, list[k].Revision, list[i].Revision)
				}
			}
			c.History = append(c.History, x)
		}
	})
	if err != nil {
		s.failed(w, err)
		return
	}
	if len(c.History) == 0 {
		s.problem(w, http.StatusNotFound, "Nothing is known of this type.")
		return
	}
	slices.Reverse(c.History)
	s.show(w, "type.tmpl", page{Title: id.Type, Content: c})
}

// difference says what is new in a record.
func difference(old, now *record) string {
	var parts []string
	for _, x := range []struct{ what, old, now string }{{"verdict", string(old.Status) + " " + old.Answer.Class, string(now.Status) + " " + now.Answer.Class}, {"scope", old.Scope, now.Scope}, {"engine", old.Engine, now.Engine}} {
		if x.old != x.now {
			parts = append(parts, x.what)
		}
	}
	return strings.Join(parts, ", ")
}

func comparison(module string, a, b revision) string {
	return "/compare?" + url.Values{"module": {module}, "a": {string(a)}, "b": {string(b)}}.Encode()
}

// revisionsPage is what the list of revisions shows.
type revisionsPage struct {
	Module   string
	Versions []version
}

// revisions lists the revisions of a module, two of which may be chosen to be compared.
func (s *Site) revisions(w http.ResponseWriter, r *http.Request) {
	c := revisionsPage{Module: r.FormValue("module")}
	if err := s.history.read(func() { c.Versions = s.history.versions(c.Module) }); err != nil {
		s.failed(w, err)
		return
	}
	if len(c.Versions) == 0 {
		s.problem(w, http.StatusNotFound, "Nothing is known of this module.")
		return
	}
	s.show(w, "revisions.tmpl", page{Title: "Revisions of " + linkOf(c.Module).Name, Content: c})
}

// compared are two revisions of a module.
type compared struct {
	Module moduleLink
	A, B   revision
	Groups []group
	Same   int
}

// group are pairs that differ in the same way.
type group struct {
	Title, Text string
	Pairs       []pair
}

// pair are the verdicts of one type and property; nil: there is none.
type pair struct{ Old, New *record }

// One is either of them.
func (p pair) One() *record {
	if p.New != nil {
		return p.New
	}
	return p.Old
}

// The groups of a comparison, in order.
const (
	verdictChanged = iota
	isNew
	isGone
	scopeChanged
	onlyNew
	onlyOld
)

// compare compares two revisions of a module.
func (s *Site) compare(w http.ResponseWriter, r *http.Request) {
	module := r.FormValue("module")
	c := compared{Module: linkOf(module), A: revision(r.FormValue("a")), B: revision(r.FormValue("b"))}
	c.Groups = []group{
		verdictChanged: {Title: "Another verdict"},
		isNew:          {Title: "New", Text: "The package was judged at both revisions, and this only at the second."},
		isGone:         {Title: "Gone", Text: "The package was judged at both revisions, and this only at the first."},
		scopeChanged:   {Title: "Another scope or engine", Text: "The verdict is the same."},
		onlyNew:        {Title: "Not asked at the first revision", Text: "Nothing of the package was judged there."},
		onlyOld:        {Title: "Not asked at the second revision", Text: "Nothing of the package was judged there."},
	}
	judged := 0
	err := s.history.read(func() { judged = s.history.compare(module, &c) })
	switch {
	case err != nil:
		s.failed(w, err)
	case judged == 0:
		s.problem(w, http.StatusNotFound, "Nothing is known of these revisions.")
	default:
		s.show(w, "compare.tmpl", page{Title: c.A.Text() + " and " + c.B.Text(), Content: c})
	}
}

// compare sorts what is known of two revisions into groups, and counts it.
func (h *history) compare(module string, c *compared) (judged int) {
	var pairs []pair
	first, second := map[string]bool{}, map[string]bool{} // packages with verdicts
	for _, id := range h.order {
		if id.Module != module {
			continue
		}
		old := newest(h.types[id], func(r *record) bool { return r.Revision == c.A })
		now := newest(h.types[id], func(r *record) bool { return r.Revision == c.B })
		for i := range old {
			first[id.Package] = true
			p := pair{Old: &old[i]}
			if k := lastOf(now, old[i].Answer); k >= 0 {
				p.New = &now[k]
			}
			pairs = append(pairs, p)
		}
		for i := range now {
			second[id.Package] = true
			if lastOf(old, now[i].Answer) < 0 {
				pairs = append(pairs, pair{New: &now[i]})
			}
		}
	}
	for _, p := range pairs {
		k := -1
		switch {
		case p.Old == nil && first[p.New.Package]:
			k = isNew
		case p.Old == nil:
			k = onlyNew
		case p.New == nil && second[p.Old.Package]:
			k = isGone
		case p.New == nil:
			k = onlyOld
		case p.Old.Status != p.New.Status || p.Old.Answer.Class != p.New.Answer.Class:
			k = verdictChanged
		case difference(p.Old, p.New) != "":
			k = scopeChanged
		default:
			c.Same++
			continue
		}
		c.Groups[k].Pairs = append(c.Groups[k].Pairs, p)
	}
	return len(pairs)
}
