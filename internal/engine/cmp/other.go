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

// Other by lemmas. The table's own choice of what Other may do is the strongest: what the thread
// does in some view of the same common part. The CMP method's is weaker: whatever a thread might
// do that stands at a line, with any objects of the right types in its variables, if the lemma of
// the line holds. So a thread that has done something at a line, in any view, is put into every
// common part, with all ways of directing what it refers to at the objects there, and where the lemma holds, it makes its step.
//
// That is sound as long as the lemmas hold of the concrete thread: what that does in a view is
// then among what Other may do there. So each is checked where the thread acts, and one that
// fails is dropped, and the search begins again (Houdini). That the proof still goes through shows that the
// lemmas say all that it needs; and a fact without which it does not is needed.

// other is Other as lemmas have it: a search, and what others do in it.
type other struct {
	*search
	claims    lemma.Lemmas
	language  lemma.Language
	role      role
	templates []template
	known     map[string]bool
	done      map[[2]int]bool   // pairs of a common part and a template
	met       map[string][]deed // where the concrete thread has done something, and what
}

// role is what lemmas are for in a search.
type role uint8

const (
	restraining role = iota // they restrain Other, and are checked
	believing               // they restrain the table's own Other, and are not checked: for tests
	checking                // Other is the table's own, and they are checked
	mining                  // Other is the table's own, and what does not hold is dropped while the search goes on
)

// newOther makes a search like that of a proof, with lemmas.
func newOther(p *search, l lemma.Lemmas, language lemma.Language, r role) *other {
	o := &other{search: newSearch(p.model, p.points, p.assumed, p.limits), claims: l, language: language, role: r,
		known: map[string]bool{}, done: map[[2]int]bool{}, met: map[string][]deed{}}
	o.others = o
	return o
}

// deed is what a thread has done at a place.
type deed struct{ at, does string }

// template is a thread that has done something.
type template struct {
	site  string
	words []uint64
	parts state.Parts
	refs  []uint32 // common objects that it refers to, by number
	heads []uint64 // of these
	at    step
}

// dropped says that a claim was false and is no longer made.
type dropped struct{}

func (dropped) Error() string { return "a claim was wrong" }

// mostWays is in how many ways a thread is put into one common part, at most.
const mostWays = 1 << 14

// restricts checks the claims where the concrete thread has done something.
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
	if count > len(o.claims[x.site].Holds) && o.role != mining {
		return false, dropped{}
	}
	return true, nil
}

// anyElement is what is done to some element of an array, whichever that is.
func anyElement(does string) string { return indexes.ReplaceAllString(does, "[]") }

// scene is a state that facts are asked of, nil if they are not, and how its thread has come to where it stands if nothing is known of the place.
type scene struct {
	*lemma.State
	callers string
}

// before reads the facts about a thread at a place where they matter: where something is claimed, or claims are mined.
// A place to which no thread of the proof has come has no lemma.
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

// callers says by what calls a thread has come to where it stands.
func callers(m *vm.Machine) string {
	text := ""
	for i, f := range m.Stack(0) {
		if i > 0 && !f.Library {
			text += ", called at " + f.Place.String()
		}
	}
	return text
}

// read reads the state that is loaded, of which so many objects are common.
func (s *search) read(l lemma.Language, common int, content oracle.StateID) *lemma.State {
	g := ghost(s.m.Tag(0))
	of := lemma.Scene{Machine: s.m, Reachable: s.base + common, Call: -1, Content: contents{s.model, content}}
	if g.busy() {
		of.Call = g.call()
		_, of.Done = g.result()
	}
	return s.model.facts.Read(of, l)
}

// contents are a content, as facts ask for it.
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

// behind makes a template of a view whose thread has done something, unless there is one like it.
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

// signature describes a template up to which common objects it refers to, and lists these.
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

// more puts every template into every common part that it was not put into. It says whether
// anything is new.
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

// place puts a template into a common part in every way.
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
	}
	return nil
}

// act lets a template, directed at some objects, make its step, if the lemma holds.
func (o *other) act(ci int, t *template, ids []uint32) error {
	c := o.t.common[ci]
	words, _ := o.t.state(c.list[0])
	o.m.Load(words)
	o.m.RetireThreads(0)
	o.m.Graft(t.words, t.parts, ids)
	words = o.m.Save(nil)
	p := o.m.Parts()
	held := o.held()
	if !slices.Equal(words[p.Objects:p.Own], c.objects) {
		return errors.New("a thread that was put into a memory has changed it")
	}
	o.m.Load(words)
	o.look(words, p, c.count)
	if !o.locked() || !o.m.Enabled(0) || !o.allowed(t.site, c) {
		return nil
	}
	var ch explore.Choices
	for first, more := true, true; more; first, more = false, ch.Next() {
		if !first {
			o.m.Load(words)
		}
		o.m.Step(0, &ch)
		if err := o.acted(c, t, held); err != nil {
			return err
		}
	}
	return nil
}

// allowed says that the lemma of a place, if there is one, holds of the state that is loaded.
func (o *other) allowed(site string, in *common) bool {
	l := o.claims[site]
	return l == nil || len(l.Holds) == 0 || l.Allows(o.read(o.language, in.count, in.content))
}

// acted adds the effect of Other's step.
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
	if _, done := g.result(); did.any && !done && o.points[t.site+did.kind] != "" {
		if e, some := o.model.changes(content, g.call()); some {
			content = e.Next
		}
	}
	if !did.any || !o.model.within(content) {
		return nil
	}
	e, key := o.effectOf(held, did.own, content)
	return o.interfereWith(c, e, key, &t.at)
}

// locked says that the locks that thread 0 holds are taken.
func (s *search) locked() bool {
	for _, p := range s.m.Thread[0].Held {
		p &^= state.ReadHold
		taken := false
		o := &s.m.Objs[state.ObjectID(p)]
		leaf, _ := o.Info.Type.LeafAt(state.Offset(p) % max(1, o.Info.Type.Size))
		for _, w := range s.m.Words(p, max(1, leaf.Size)) {
			taken = taken || w != 0
		}
		if !taken {
			return false
		}
	}
	return true
}
