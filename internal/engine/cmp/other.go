// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// Other by lemmas. The table itself says most exactly what another thread may do: whatever the thread of some view
// with the same common part does. The CMP method allows more: a thread may stand at a line with any objects of the
// right types in its variables, if the lemma of the line holds of them. So each thread that has done something at a
// line, in any view, becomes a template: it is put into every common part, its references to common objects are
// directed to the objects there in every way, and where the lemma holds it makes its step.
//
// That is sound as long as the lemmas hold of the thread of a view, for what this thread does is then among what Other may
// do. So each lemma is checked where the thread of a view acts. A fact that fails is dropped, and the search begins again
// (Houdini: Flanagan and Leino, FME 2001). If the proof still goes through the lemmas say all that it needs; a fact without
// which it does not go through is needed.

// other is a search in which lemmas say what threads do that are not shown.
type other struct {
	*search
	claims    lemma.Lemmas // by site, see siteOf
	language  lemma.Language
	role      role
	templates []template
	known     map[string]bool   // signatures of the templates
	done      map[[2]int]bool   // pairs of a common part and a template that was put into it, by index
	met       map[string][]deed // by site: what the thread of a view has done there, and where
	asked     []lemma.Given     // with mining: the only facts that are wanted; nil: all
	guide     *guide            // with restraining: says which facts are missing; nil: nobody asks
}

// role is what the lemmas are used for in a search.
type role uint8

const (
	restraining role = iota // they restrain Other, and are checked
	believing               // they restrain the table's own Other, and are not checked: for tests
	checking                // Other is the table's own, and they are checked
	mining                  // Other is the table's own, and what does not hold is dropped while the search goes on
)

// newOther makes a search like that of a proof p, with lemmas l for Other.
func newOther(p *search, l lemma.Lemmas, language lemma.Language, r role) *other {
	o := &other{search: newSearch(p.model, p.points, p.assumed, p.limits), claims: l, language: language, role: r,
		known: map[string]bool{}, done: map[[2]int]bool{}, met: map[string][]deed{}}
	o.others = o
	return o
}

// deed is what a thread has done at a place: at is "file.go:12 in F", does is the access as text.
type deed struct{ at, does string }

// template is a thread that has done something, to be put into other memories.
type template struct {
	site  string
	words []uint64 // the view that it was in
	parts state.Parts
	refs  []uint32 // numbers of the common objects to which it refers
	heads []uint64 // the heads (type and count) of these objects
	at    step     // the step that it made
}

// dropped says that a claimed fact was false of the thread of a view, and was removed from the claims.
type dropped struct{ view int32 }

func (dropped) Error() string { return "a claim was wrong" }

// mostWays is in how many ways a template may be put into one common part; beyond that there is no proof.
const mostWays = 1 << 14

// restricts checks the lemma of a place at which the thread of a view has done something, and says whether threads
// that are not shown may do the same.
func (o *other) restricts(x *step) (bool, error) {
	l, count := o.claims[x.site], 0
	if l != nil {
		count = len(l.Holds)
	}
	here := x.before.(scene)
	if l != nil && o.role == believing {
		return l.Allows(here.State), nil
	}
	did := deed{x.at, anyElement(x.does)}
	if !slices.Contains(o.met[x.site], did) {
		o.met[x.site] = append(o.met[x.site], did)
	}
	o.claims.Note(x.site, did.at+here.callers, did.does, here.State)
	if l == nil && o.asked != nil {
		o.keep(o.claims[x.site])
	}
	if count > len(o.claims[x.site].Holds) && o.role != mining {
		return false, dropped{x.view}
	}
	return true, nil
}

// anyElement is the text of an access without the indexes of elements: "buf[].Store".
func anyElement(does string) string { return indexes.ReplaceAllString(does, "[]") }

// scene is a state that facts are asked of. The State is nil if nothing is claimed at the place. callers says by
// which calls the thread came there, if the place is new.
type scene struct {
	*lemma.State
	callers string
}

// before reads the facts about thread 0 at a site if they are needed: if something is claimed there, or facts are
// being mined. A place to which no thread has come so far has no lemma.
func (o *other) before(site string, content oracle.StateID) any {
	l := o.claims[site]
	if o.role != mining && (l == nil || len(l.Holds) == 0) {
		return scene{}
	}
	here := scene{State: o.read(o.language, o.pre.count, content)}
	if l == nil {
		here.callers = callers(o.m)
	}
	return here
}

// callers says by which calls thread 0 has come to where it stands: ", called at file.go:12" for each.
func callers(m *vm.Machine) string {
	text := ""
	for i, f := range m.Stack(0) {
		if i > 0 && !f.Library {
			text += ", called at " + f.Place.String()
		}
	}
	return text
}

// read reads the facts about thread 0 in the state that is loaded, whose first objects, so many of them, are common.
func (s *search) read(l lemma.Language, common int, content oracle.StateID) *lemma.State {
	g := ghost(s.m.Tag(0))
	of := lemma.Scene{Machine: s.m, Reachable: s.base + common, Call: -1, Content: contents{s.model, content}}
	if g.busy() {
		of.Call = g.call()
		_, of.Done = g.result()
	}
	return s.model.facts.Read(of, l)
}

// contents answers what facts ask about a content: a lemma.Content.
type contents struct {
	*model
	is oracle.StateID
}

func (q contents) Items() (n int, within bool) {
	path, within := q.paths[q.is]
	return len(path), within
}

func (q contents) Returns(call int) (history.Tuple, bool) {
	edges := q.auto.Edges(q.is, q.calls[call].id)
	if len(edges) != 1 {
		return history.Tuple{}, false
	}
	return q.auto.Result(edges[0].Result), true
}

func (q contents) Changes(call int) (history.Tuple, lemma.Content) {
	e, some := q.changes(q.is, call)
	if !some {
		return history.Tuple{}, nil
	}
	return q.auto.Result(e.Result), contents{q.model, e.Next}
}

// behind makes a template of the thread that has made step x, unless there is one with the same signature.
func (o *other) behind(x *step) {
	if o.role != restraining {
		return
	}
	words, p := o.t.state(x.view)
	c := o.t.common[o.t.views[x.view].common]
	t := template{site: x.site, words: slices.Clone(words), parts: p, at: *x}
	if key := o.signature(&t, c.count); !o.known[key] {
		o.known[key] = true
		o.templates = append(o.templates, t)
	}
}

// signature is equal for two templates that differ only in which common objects they refer to, as long as these are
// of the same types. It lists these objects in the template.
func (o *other) signature(t *template, count int) string {
	m := o.m
	m.Load(t.words)
	all := m.Cells(t.words[t.parts.Objects:])
	var b strings.Builder
	name := func(id uint32) string {
		i := int(id) - o.base - 1
		switch {
		case id == 0 || i < 0:
			return fmt.Sprint("=", id)
		case i >= count:
			return fmt.Sprint("own", i-count)
		}
		at := slices.Index(t.refs, id)
		if at < 0 {
			at = len(t.refs)
			t.refs, t.heads = append(t.refs, id), append(t.heads, all[i].Head)
		}
		return fmt.Sprint("ref", at, ":", all[i].Head)
	}
	thread := m.Thread[0]
	fmt.Fprint(&b, t.site, thread.Tag, thread.Phase)
	for k := range thread.Frames {
		f := &thread.Frames[k]
		regs := thread.Regs[f.Base:]
		for _, l := range m.LiveIn(f, k == len(thread.Frames)-1) {
			w := regs[l.Reg]
			if ref := m.Reference(regs, int(l.Reg), l.Kind); ref != 0 {
				fmt.Fprint(&b, " ", name(uint32(ref)), "+", uint32(w))
			} else {
				fmt.Fprint(&b, " ", w)
			}
		}
	}
	for _, h := range thread.Held {
		fmt.Fprint(&b, " held ", name(uint32(h>>32)), "+", uint32(h))
	}
	for _, cell := range all[count:] {
		fmt.Fprint(&b, " cell ", cell.Head)
		for i, w := range cell.Words {
			if cell.To[i] != 0 {
				fmt.Fprint(&b, " ", name(cell.To[i]), "+", uint32(w))
			} else {
				fmt.Fprint(&b, " ", w)
			}
		}
	}
	return b.String()
}

// more puts every template into every common part into which it was not put so far, and says whether that has added
// views.
func (o *other) more(ctx context.Context) (bool, error) {
	before := len(o.t.views)
	for c := range o.t.common {
		for t := range o.templates {
			if o.done[[2]int{c, t}] {
				continue
			}
			o.done[[2]int{c, t}] = true
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if err := o.place(c, &o.templates[t]); err != nil {
				return false, err
			}
		}
	}
	return len(o.t.views) > before, nil
}

// place puts template t into the common part with index ci in every way.
func (o *other) place(ci int, t *template) error {
	c := o.t.common[ci]
	objects := o.m.Cells(c.objects)
	choices, ways := make([][]uint32, len(t.refs)), 1
	for i, head := range t.heads {
		for k := range objects {
			if objects[k].Head == head {
				choices[i] = append(choices[i], uint32(o.base+1+k))
			}
		}
		if ways *= len(choices[i]); ways > mostWays {
			return &limitError{"there are too many ways in which another thread could stand at " + t.at.at}
		}
	}
	ids := make([]uint32, o.m.Count(t.words[t.parts.Objects:t.parts.Own]))
	for way := range ways {
		for i, n := range t.refs {
			ids[int(n)-o.base-1] = choices[i][way%len(choices[i])]
			way /= len(choices[i])
		}
		if err := o.act(ci, t, ids); err != nil {
			return err
		}
		if o.limits.views > 0 && len(o.t.views) > o.limits.views {
			return tooManyViews(o.limits.views)
		}
	}
	return nil
}

// act puts a template into a common part, with ids as the numbers of the objects that it refers to, and lets it make
// its step if the lemma of its place holds there.
func (o *other) act(ci int, t *template, ids []uint32) error {
	c := o.t.common[ci]
	words, _ := o.t.state(c.list[0])
	o.m.Load(words)
	o.m.RetireThreads(0)
	o.m.Graft(t.words, t.parts, ids, nil)
	words = o.m.Save(nil)
	p := o.m.Parts()
	held := o.held()
	if !slices.Equal(words[p.Objects:p.Own], c.objects) {
		return errors.New("a thread that was put into a memory has changed it")
	}
	o.m.Load(words)
	o.look(words, p, c.count)
	if !o.locked() || !o.m.Enabled(0) {
		return nil
	}
	allowed, broken := o.allowed(t.site, c)
	if !allowed {
		return nil
	}
	var ch explore.Choices
	for first, more := true, true; more; first, more = false, ch.Next() {
		if !first {
			o.m.Load(words)
		}
		o.m.Step(0, &ch)
		known := len(o.effects)
		err := o.acted(c, t, held)
		if o.guide != nil {
			o.guide.note(o.effects[known:], broken)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// allowed says that the lemma of a site holds in the state that is loaded. A site without a lemma allows everything. If there is a guide,
// the second result is which of its facts do not hold.
func (o *other) allowed(site string, in *common) (bool, []claim) {
	l := o.claims[site]
	free := l == nil || len(l.Holds) == 0
	if free && o.guide == nil {
		return true, nil
	}
	here := o.read(o.language, in.count, in.content)
	if !free && !l.Allows(here) {
		return false, nil
	}
	if o.guide == nil {
		return true, nil
	}
	return true, o.guide.broken(site, here)
}

// acted adds the effect of the step that a template has just made in common part c. held are the locks that it held
// before.
func (o *other) acted(c *common, t *template, held []hold) error {
	m := o.m
	if m.Fault() != nil || m.Breached() >= 0 || o.assumed.Unguarded() {
		return &alarm{text: "another thread, restrained by the lemmas alone, may do what was assumed never to be done", at: t.at.at, view: -1}
	}
	if m.Threads() > 1 || m.Ended().Kind != vm.Running {
		return nil // the concrete thread does not do that, or its view says so
	}
	did := o.changed()
	g, content := ghost(m.Tag(0)), c.content
	if _, done := g.result(); did.any && !done && o.points.at(t.site, did.kind, "", false) != "" {
		if e, some := o.model.changes(content, g.call()); some {
			content = e.Next
		}
	}
	if !did.any || !o.model.within(content) {
		return nil
	}
	e, key := o.effectOf(o.taking(held), did.own, content)
	return o.interfereWith(c, e, key, &t.at)
}

// locked says that all locks that thread 0 is believed to hold are taken in the memory, or for those of readers that are not counted, not
// taken by a writer. A template for which they are not cannot be there.
func (s *search) locked() bool {
	for _, p := range s.m.Thread[0].Held {
		uncounted := p&state.ReadHold != 0 && !s.m.CountsReaders()
		p &^= state.ReadHold
		taken := false
		o := &s.m.Objs[state.ObjectID(p)]
		leaf, _ := o.Info.Type.LeafAt(state.Offset(p) % max(1, o.Info.Type.Size))
		for _, w := range s.m.Words(p, max(1, leaf.Size)) {
			taken = taken || w != 0
		}
		if taken == uncounted {
			return false
		}
	}
	return true
}
