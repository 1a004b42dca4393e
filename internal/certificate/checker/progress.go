// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/ranking"
)

// watch notes what progress depends on while the checker goes through all steps: package ranking judges that.
type watch struct {
	claim  *ranking.Ranking
	g      *ranking.Graph
	seen   map[string]bool // edges and lockings that are noted
	from   *claim          // the view whose step is made; nil: that of no view
	begun  graph           // the memory at the beginning of the step
	marks  bool            // cells of some type can be busy
	part   int             // the number of its case, if it is split; otherwise its own
	driven bool            // the write of another thread makes it
	stands bool            // another thread's write changes what the view sees, and its thread makes no step
}

// deeds are what a step has done so far that progress depends on.
type deeds struct {
	writes      bool
	fewer, same uint64 // see ranking.Edge
	takes       bool
	awaits      bool   // see ranking.Edge
	made        uint64 // cells that have become busy, by number
	text        string // where it writes or takes a lock
}

// watched makes the checker note what progress depends on.
func (c *Checker) watched(claim *ranking.Ranking) {
	w := &watch{claim: claim, g: &ranking.Graph{}, seen: map[string]bool{}}
	if c.object != nil || c.content.Offers != nil {
		w.refuse("progress is only looked at where each call takes effect by a write of its own")
	}
	places := map[string]int{}
	for typ := range c.types {
		w.marks = w.marks || c.mark(typ) >= 0
	}
	for i, v := range c.views {
		p, known := places[v.place]
		if !known {
			p = len(w.g.Places)
			places[v.place] = p
			w.g.Places = append(w.g.Places, ranking.Place{Idle: len(v.calls) == 0, Text: c.textOf(v)})
		}
		v.number, v.at = i, p
		w.g.View = append(w.g.View, p)
		note := func(x ranking.Var, held word) {
			if at := &w.g.Places[p]; held.IsRef() && len(at.Vars) < 16 && !slices.Contains(at.Vars, x) {
				at.Vars = append(at.Vars, x)
			}
		}
		for call := range v.calls {
			for _, r := range v.calls[call].Regs {
				note(ranking.Var{Call: call, Reg: r.Reg}, r.Word)
			}
			for k, d := range v.calls[call].Deferred {
				for i, held := range d.Words {
					if w.marks { // the last use of a cell may be to give its lock back
						note(ranking.Var{Call: call, Reg: i, Deferred: k + 1}, held)
					}
				}
			}
		}
	}
	for _, v := range c.views {
		w.g.Other = append(w.g.Other, c.other(v, w.g.Places[v.at].Vars))
	}
	c.watch = w
}

// other has bits of the variables that lead to a cell which others see, and whose item is certainly not k.
func (c *Checker) other(v *claim, vars []ranking.Var) (bits uint16) {
	for i, x := range vars {
		if y := heldBy(v, x); y.IsRef() && !v.g[y.N].chain && !v.g[y.N].private {
			if item := c.itemOf(&v.g[y.N]); item.Form == certificate.Item && item.N != certificate.Equal {
				bits |= 1 << i
			}
		}
	}
	return bits
}

// clone returns a copy to which more can be noted.
func (w *watch) clone() *watch {
	c := *w
	c.g, c.seen = w.g.Clone(), maps.Clone(w.seen)
	return &c
}

// refuse notes why nothing is known of progress.
func (w *watch) refuse(format string, args ...any) {
	if w.g.Refused == "" {
		w.g.Refused = fmt.Sprintf(format, args...)
	}
}

// loosen notes why busy cells need not be locked by who has made them busy.
func (w *watch) loosen(format string, args ...any) {
	if w.g.Loose == "" {
		w.g.Loose = fmt.Sprintf(format, args...)
	}
}

// textOf is the place of a view in the source: of the innermost call that is not one of the library.
func (c *Checker) textOf(v *claim) string {
	if len(v.calls) == 0 {
		return "no call"
	}
	x := v.calls[len(v.calls)-1]
	f := c.prog.Funcs[x.Func]
	return c.prog.Position(f.Pos[x.PC])
}

func (c *Checker) here(s *state) string {
	f := s.top()
	return c.prog.Position(f.fn.Pos[f.pc])
}

// begin notes whose step is made next.
func (w *watch) begin(v *claim, driven, stands bool) {
	if w != nil {
		if w.from, w.driven, w.stands = v, driven, stands; v != nil {
			w.part, w.begun = v.number, v.g
		}
	}
}

// linked is the word by which a node is linked to what is behind it.
func (c *Checker) linked(d *cell) word {
	if d.chain {
		return d.next
	}
	if link := c.types[d.typ].link; link >= 0 && link < len(d.words) {
		return d.words[link]
	}
	return zero
}

// behind lists the shared nodes to which a word leads by links, in order. A ring is no progress at all, and refused.
func (c *Checker) behind(g graph, x word) (list []int) {
	for x.IsRef() && !g[x.N].private {
		if list = append(list, int(x.N)); len(list) > len(g) {
			c.watch.refuse("the cells may form a ring")
			return nil
		}
		x = c.linked(&g[x.N])
	}
	return list
}

// ahead reports whether node n is in front of node m: links of shared nodes lead from n to m.
func (c *Checker) ahead(g graph, n, m int) bool {
	return !g[n].private && slices.Contains(c.behind(g, c.linked(&g[n])), m)
}

// wrote notes a write to memory that others see: of so many words at an address, in the memory before; that of s is behind it.
func (c *Checker) wrote(s *state, before graph, at word, words []word) {
	w := c.watch
	if w == nil || w.from == nil {
		return
	}
	s.did.writes, s.did.text = true, c.here(s)
	n := int(at.N)
	l := &c.types[before[n].typ]
	for i, x := range words {
		if l.link >= 0 && l.at(int(at.Off)+i) == l.link && !c.forward(before, n, x) {
			w.refuse("cells may be linked in another order than before, at %s", c.here(s))
		}
	}
	for x := range before {
		if before[x].private && !s.g[x].private {
			c.behind(s.g, ref(x, 0))
		}
	}
	c.makesBusy(s, before, at, len(words))
	for off, x := range before[0].words {
		if off < 64 {
			same, fewer := compare(before, s.g, c.behind(before, x), c.behind(s.g, s.g[0].words[off]))
			if same {
				s.did.same |= 1 << off
			}
			if fewer {
				s.did.fewer |= 1 << off
			}
		}
	}
}

// forward reports whether linking shared node n to what x leads to keeps the order of all cells that have ever been shared: x leads to nothing, to a
// node behind n, or to new cells and then to one of these.
func (c *Checker) forward(before graph, n int, x word) bool {
	for range before {
		if !x.IsRef() {
			return true
		}
		if !before[x.N].private {
			return c.ahead(before, n, int(x.N))
		}
		x = c.linked(&before[x.N])
	}
	return false
}

// compare compares rows of nodes before and behind a write: whether both have certainly as many cells, and whether the second one has certainly fewer.
func compare(before, after graph, from, to []int) (same, fewer bool) {
	cells, lost := 0, 0
	for _, n := range to {
		if after[n].chain && !slices.Contains(from, n) {
			return false, false
		}
		if !after[n].chain {
			cells++
		}
	}
	for _, n := range from {
		d := &before[n]
		switch {
		case !d.chain:
			cells--
		case !slices.Contains(to, n):
			if lost++; !d.opt {
				cells--
			}
		}
	}
	return cells == 0 && lost == 0, cells < 0
}

// taking notes that a thread is about to take a lock of a shared node, with those that it holds.
func (c *Checker) taking(s *state, a word) {
	w := c.watch
	if w == nil || w.from == nil || s.g[a.N].private {
		return
	}
	s.did.text = c.here(s)
	s.did.awaits = s.did.awaits || c.busy(s.g, int(a.N)) == certainly
	s.did.takes = s.did.takes || a.N == 0
	x := ranking.Locking{From: w.from.number, Takes: ranking.Word{Type: s.g[a.N].typ, Off: int(a.Off)}, Text: c.here(s)}
	c.noteLock(x)
	for n := range s.g {
		d := &s.g[n]
		if d.chain || d.private {
			continue
		}
		for off, is := range c.types[d.typ].mutex {
			if is && d.words[off] == mine {
				x.Held, x.Holds = true, ranking.Word{Type: d.typ, Off: off}
				x.Ahead = c.ahead(s.g, n, int(a.N))
				x.A, x.B = c.leading(w.from, n), c.leading(w.from, int(a.N))
				c.noteLock(x)
			}
		}
	}
}

func (c *Checker) noteLock(x ranking.Locking) {
	if key := fmt.Sprint(x); !c.watch.seen[key] {
		c.watch.seen[key] = true
		c.watch.g.Locks = append(c.watch.g.Locks, x)
	}
}

// leading is the set of variables of a view that lead to a node.
func (c *Checker) leading(v *claim, n int) (bits uint16) {
	for i, x := range c.watch.g.Places[v.at].Vars {
		if y := heldBy(v, x); y.IsRef() && int(y.N) == n {
			bits |= 1 << i
		}
	}
	return bits
}

// heldBy is what a variable holds in a view; lost if the view does not say.
func heldBy(v *claim, x ranking.Var) word {
	if x.Deferred > 0 {
		return v.calls[x.Call].Deferred[x.Deferred-1].Words[x.Reg]
	}
	for _, r := range v.calls[x.Call].Regs {
		if r.Reg == x.Reg {
			return r.Word
		}
	}
	return lost
}

// arrive notes that a thread in state s is one for which a view stands.
func (c *Checker) arrive(s *state, to *claim) {
	w := c.watch
	if w == nil {
		return
	}
	c.keepsLocks(s, to)
	makes := c.keepsBusy(s, to)
	if w.from == nil || w.stands || len(to.calls) == 0 {
		return
	}
	from := w.from
	e := ranking.Edge{From: w.part, To: to.number, Driven: w.driven, Changes: s.saw&changed != 0 && from.saw&changed == 0,
		Awaits: s.did.awaits, Makes: makes, Writes: s.did.writes, Fewer: s.did.fewer, Same: s.did.same, Takes: s.did.takes, Text: s.did.text}
	for i, n := range c.openChains(to) {
		e.Sizes[i] = c.embed.sizes[n]
	}
	for a, x := range w.g.Places[from.at].Vars {
		for b, y := range w.g.Places[from.at].Vars {
			if p, q := heldBy(from, x), heldBy(from, y); p.IsRef() && q.IsRef() && c.lastingLink(w.begun, p) && !w.driven && c.linksTo(w.begun, p, q) == certainly {
				e.Linked = append(e.Linked, ranking.Pair{A: uint8(a), B: uint8(b)})
			}
		}
	}
	now := s.holds
	for b, y := range w.g.Places[to.at].Vars {
		q := now(y)
		for a, x := range w.g.Places[from.at].Vars {
			p := heldBy(from, x)
			switch {
			case !p.IsRef() || !q.IsRef():
			case p.N == q.N:
				e.Stays = append(e.Stays, ranking.Pair{A: uint8(a), B: uint8(b)})
			case c.ahead(s.g, int(p.N), int(q.N)):
				e.Moves = append(e.Moves, ranking.Pair{A: uint8(a), B: uint8(b)})
			}
		}
		for a, x := range w.g.Places[to.at].Vars {
			p := now(x)
			if p != lost && q != lost && (!p.IsRef() || !q.IsRef() || c.ahead(s.g, int(p.N), int(q.N))) {
				e.Before = append(e.Before, ranking.Pair{A: uint8(a), B: uint8(b)})
			}
			if p != lost && q != lost && (!p.IsRef() || !q.IsRef() || c.lastingLink(s.g, p) && c.linksTo(s.g, p, q) == never) {
				e.Apart = append(e.Apart, ranking.Pair{A: uint8(a), B: uint8(b)})
			}
		}
	}
	if key := fmt.Sprint(e); !w.seen[key] {
		w.seen[key] = true
		w.g.Edges = append(w.g.Edges, e)
	}
}

// holds is what a variable holds.
func (s *state) holds(x ranking.Var) word {
	f := &s.frames[x.Call]
	if x.Deferred > 0 {
		return f.deferred[x.Deferred-1].words[x.Reg]
	}
	return f.regs[x.Reg]
}

// lastingLink reports whether a word leads to a cell that others see, and whose link is never written.
func (c *Checker) lastingLink(g graph, p word) bool {
	d := &g[p.N]
	link := c.types[d.typ].link
	return !d.private && link >= 0 && link < len(d.words) && !c.types[d.typ].mutable[link]
}

// certainty is an answer about all memories that a graph stands for.
type certainty uint8

const (
	perhaps certainty = iota
	certainly
	never
)

// linksTo reports whether the link of the cell to which p leads is the address of the cell to which q leads.
func (c *Checker) linksTo(g graph, p, q word) certainty {
	w, direct := c.linked(&g[p.N]), certainly
	for range g {
		switch {
		case !w.IsRef():
			return never
		case !g[w.N].chain && w.N == q.N:
			return direct
		case !g[w.N].chain || !g[w.N].opt:
			return never
		}
		w, direct = g[w.N].next, perhaps
	}
	return perhaps
}

// keepsLocks refuses a thread that may lose the address of a lock that it holds: each is in a cell to which a register that the view names leads, or a
// private cell that such a register leads to. Between two calls it holds none.
func (c *Checker) keepsLocks(s *state, to *claim) {
	var work []word
	for i := range to.calls {
		for _, r := range to.calls[i].Regs {
			work = append(work, s.frames[i].regs[r.Reg])
		}
		for k := range to.calls[i].Deferred {
			work = append(work, s.frames[i].deferred[k].words...)
		}
	}
	kept := make([]bool, len(s.g))
	kept[0] = len(to.calls) > 0
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if !x.IsRef() || kept[x.N] {
			continue
		}
		if kept[x.N] = true; s.g[x.N].private {
			work = append(work, s.g[x.N].words...)
		}
	}
	own := len(s.g)
	if c.watch.driven && c.watch.from != nil { // nodes behind those of the view are the writer's, or free
		own = len(c.watch.from.g)
	}
	for n := range own {
		d := &s.g[n]
		if kept[n] || d.chain || d.private {
			continue
		}
		for off, is := range c.types[d.typ].mutex {
			if is && off < len(d.words) && d.words[off] == mine {
				c.watch.refuse("a thread may return, or go on, with a lock that it does not give back: %s of %s, at %s", c.types[d.typ].typ.FieldPath(off), c.types[d.typ].typ.Name, c.textOf(to))
			}
		}
	}
}

// mostOpen is how many chains of a view are told apart by their sizes.
const mostOpen = 3

// openChains lists chains of a view between a cell of a register and the next one, those of the innermost call first.
func (c *Checker) openChains(v *claim) (list []int) {
	named := make([]bool, len(v.g))
	for i := range v.calls {
		for _, r := range v.calls[i].Regs {
			if r.Word.IsRef() {
				named[r.Word.N] = true
			}
		}
	}
	for i := len(v.calls) - 1; i >= 0; i-- {
		for _, r := range v.calls[i].Regs {
			if !r.Word.IsRef() {
				continue
			}
			w := c.linked(&v.g[r.Word.N])
			for known := 0; w.IsRef() && !named[w.N] && known < 2 && len(list) < mostOpen; w = c.linked(&v.g[w.N]) {
				n := int(w.N)
				switch {
				case !v.g[n].chain:
					known++
				case v.g[n].all != 0 && !slices.Contains(list, n):
					list = append(list, n)
				}
			}
		}
	}
	return list
}

// sizesOf lists the sizes that a chain may have.
func (c *Checker) sizesOf(d *cell) (list []ranking.Size) {
	if d.opt {
		list = append(list, ranking.Size{})
	}
	for k := range c.kinds {
		if (d.first & d.last).has(k) {
			list = append(list, ranking.Size{Cells: 1, First: k})
		}
		if d.first.has(k) {
			list = append(list, ranking.Size{Cells: 2, First: k})
		}
	}
	return list
}

// splitViews splits views by whether some of their chains have no cell, one or several, and of which kind the first one is, and executes the step of each case: a view stands for
// memories with a chain and for some without, and a thread goes round from one to the other only if somebody writes.
func (c *Checker) splitViews(ctx context.Context, views []int) error {
	sizes := make([][][]ranking.Size, len(views))
	for i, v := range views {
		if v < 0 || v >= len(c.views) || i > 0 && v <= views[i-1] || len(c.views[v].calls) == 0 {
			return &Rejection{What: "the ranking splits views that there are not"}
		}
		for _, n := range c.openChains(c.views[v]) {
			sizes[i] = append(sizes[i], c.sizesOf(&c.views[v].g[n]))
		}
	}
	c.searching()
	defer c.watch.begin(nil, false, false)
	for _, x := range c.watch.g.Split(views, sizes) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v := c.views[x.View]
		list := []graph{v.g}
		for i, n := range c.openChains(v) {
			var sized []graph
			for _, g := range list {
				sized = append(sized, c.sized(g, n, x.Sizes[i])...)
			}
			list = sized
		}
		for _, g := range list {
			c.fit.list, c.fit.at = nil, 0
			c.watch.begin(v, false, false)
			c.watch.part, c.watch.begun = x.Node, g
			if err := c.run(c.stateOf(v, slices.Clone(g))); err != nil {
				return err
			}
		}
	}
	c.watch.g.Join()
	return nil
}

// sized lists the graphs for which g stands if chain n has a size: one, in which the first cell is known, or none.
func (c *Checker) sized(g graph, n int, size ranking.Size) (list []graph) {
	from, off := -1, 0
	for m := range g {
		for k := range max(1, len(g[m].words)) {
			if g[m].chain || k < len(g[m].words) {
				if w := g.get(m, k); w.IsRef() && int(w.N) == n {
					from, off = m, k
				}
			}
		}
	}
	leave := func(e graph) {
		e[n].next = zero // nothing leads there any more
		list = append(list, e)
	}
	if size.Cells == 0 {
		if e := slices.Clone(g); g[n].opt {
			e.put(from, off, g[n].next)
			leave(e)
		}
		return list
	}
	e := append(make(graph, 0, len(g)+2), g...)
	if !c.begin(&e, from, off, size.First) {
		return nil
	}
	cell, link := len(e)-1, c.types[c.kinds[size.First].typ].link
	rest := len(g)
	switch {
	case size.Cells == 1 && rest == cell:
		leave(e)
	case size.Cells == 1 && e[rest].opt:
		e.put(cell, link, e[rest].next)
		e[rest].next = zero
		leave(e)
	case size.Cells > 1 && rest < cell:
		e[rest].opt = false
		leave(e)
	}
	return list
}
