// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// cellWords is the number of words of a cell.
const cellWords = 3

// access executes an instruction that makes or accesses memory.
func (c *checker) access(t *thread, f *call, in *ir.Instr) error {
	if in.Op == ir.OpNew {
		return c.makes(t, f, in)
	}
	a, err := c.value(t, f, in.A)
	if err != nil {
		return err
	}
	if a == (word{}) {
		return c.reject(t, "a nil pointer may be followed")
	}
	switch in.Op {
	case ir.OpField:
		a.m += int(in.N)
		if a.sort == root && in.N != 0 || a.sort != root && a.sort != linked && a.sort != private || a.m < 0 || !t.leads(a) {
			return c.reject(t, "a field of something else than the collection or a cell")
		}
		f.regs[in.Dst] = a
		return nil
	case ir.OpLoad:
		return c.loads(t, f, in, a)
	case ir.OpStore:
		if a.sort != private || a.m+in.T.Size > len(t.private[a.n]) {
			return c.reject(t, "a write that is not atomic, of what others may see")
		}
		var words []word
		for i := range in.T.Size {
			w, err := c.value(t, f, in.B.Word(i))
			if err != nil {
				return err
			}
			words = append(words, w)
		}
		copy(t.private[a.n][a.m:], words) // nobody else finds what these lead to: linksIn looks at each word
		return nil
	case ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicCAS:
		switch {
		case a.sort == private:
			return c.alone(t, f, in, a)
		case a.sort == root:
			return c.head(t, f, in)
		case a.sort == linked && a.m == c.x.Head.State:
			return c.state(t, f, in, a.n)
		case a.sort == linked && a.m == c.x.Head.Link:
			return c.link(t, f, in, a.n)
		}
		return c.reject(t, "an atomic access to something else than the head, a state or a link")
	}
	return c.reject(t, "instruction %s is not modelled here", in.Op)
}

// makes executes OpNew. What has three words is laid out like a cell: then what is linked in is.
func (c *checker) makes(t *thread, f *call, in *ir.Instr) error {
	h := &c.x.Head
	if in.T.Size < 1 || in.T.Size > mostWords {
		return c.reject(t, "an object of %d words is made", in.T.Size)
	}
	if l := in.T.Layout(); len(l) == cellWords && (l[h.Item] != ir.Scalar || l[h.State] != ir.Scalar || !addresses(l[h.Link])) {
		return c.reject(t, "the head says something else than the code of where item, state and link are in a cell")
	}
	f.regs[in.Dst] = word{sort: private, n: len(t.private)}
	t.private = append(t.private, make([]word, in.T.Size))
	return nil
}

// loads executes a read that is not atomic: of a cell that the thread alone knows, or of an item, which nobody writes in a linked cell.
func (c *checker) loads(t *thread, f *call, in *ir.Instr, a word) error {
	var words []word
	switch {
	case a.sort == private && a.m+in.T.Size <= len(t.private[a.n]):
		words = t.private[a.n][a.m : a.m+in.T.Size]
	case a.sort == linked && a.m == c.x.Head.Item && in.T.Size == 1:
		words = []word{{sort: itemOther}}
		if t.cells[a.n].is {
			words[0].sort = itemK
		}
	default:
		return c.reject(t, "a read that is not atomic, of what others may change")
	}
	for i, w := range words {
		f.regs[in.Dst.Word(i)] = w
	}
	return nil
}

// alone executes an atomic access to a cell that the thread alone knows.
func (c *checker) alone(t *thread, f *call, in *ir.Instr, a word) error {
	was := t.private[a.n][a.m]
	from := in.B
	switch in.Op {
	case ir.OpAtomicLoad:
		f.regs[in.Dst] = was
		return nil
	case ir.OpAtomicCAS:
		from = in.C
		expected, err := c.value(t, f, in.B)
		if err != nil {
			return err
		}
		yes, err := c.equal(t, ir.Word, was, expected)
		if err != nil {
			return err
		}
		if f.regs[in.Dst] = flag(yes); !yes {
			return nil
		}
	}
	w, err := c.value(t, f, from)
	if err != nil {
		return err
	}
	t.private[a.n][a.m] = w
	return nil
}

// head executes an access to the collection's word.
func (c *checker) head(t *thread, f *call, in *ir.Instr) error {
	switch in.Op {
	case ir.OpAtomicLoad:
		if t.empty || c.either() { // there is no cell above those that are named
			t.gaps[0].kinds = 0
			w := word{}
			if len(t.cells) > 0 {
				w = word{sort: linked}
			}
			f.regs[in.Dst] = w
		} else {
			x := cell{kind: None}
			if x.is = c.either(); x.is && t.first != None && c.either() {
				x.kind = t.first
			}
			if x.counts() && t.gaps[0].kinds&only(x.kind) == 0 || x.is && !x.counts() && !c.x.Head.Ends {
				return errElse
			}
			t.names(0, x)
			f.regs[in.Dst] = word{sort: linked}
		}
		t.empty = true
		return c.sharp(t)
	case ir.OpAtomicCAS:
		old, err := c.value(t, f, in.B)
		if err != nil {
			return err
		}
		if old != (word{}) && (old.sort != linked || old.m != 0) {
			return c.reject(t, "the head is compared with something else than nil or a cell")
		}
		top := old == word{} && len(t.cells) == 0 || old == word{sort: linked} // it is what head holds if nothing is above
		if !top || !t.empty && c.either() {
			f.regs[in.Dst] = flag(false)
			return nil
		}
		t.gaps[0].kinds = 0
		if err := c.sharp(t); err != nil {
			return err
		}
		f.regs[in.Dst] = flag(true)
		x, err := c.value(t, f, in.C)
		if err != nil {
			return err
		}
		return c.linksIn(t, old, x)
	}
	return c.reject(t, "the head is written otherwise than by a compare-and-swap")
}

// sharp is errElse if what is chosen contradicts what is known.
func (c *checker) sharp(t *thread) error {
	if !t.sharpen(c.below) {
		return errElse
	}
	return nil
}

// linksIn puts a cell in front. Nothing is above what head has held, old.
func (c *checker) linksIn(t *thread, old, w word) error {
	h := &c.x.Head
	if w.sort != private || w.m != 0 || len(t.private[w.n]) != cellWords {
		return c.reject(t, "the head is given something else than a new cell")
	}
	words := t.private[w.n]
	if !words[h.Item].isItem() || words[h.State].sort != number || words[h.Link] != old {
		return c.reject(t, "a new cell has no item, no known state, or another link than to what the head has held")
	}
	x := cell{is: words[h.Item].sort == itemK, kind: None, own: true}
	to := t.first
	if x.is && words[h.State].n != h.Dead {
		like := Kind{Op: c.s.Operations[t.op].Name, Found: c.held(t.first), State: words[h.State].n}
		if x.kind = c.kind(like); x.kind == None {
			return c.reject(t, "it has no kind for a new cell with state %d of %s", like.State, like.Op)
		}
		if err := c.pair(t, x.kind, only(t.first)); err != nil {
			return err
		}
		to = x.kind
	}
	if err := c.ends(t, &x); err != nil {
		return err
	}
	t.wrote = &write{linksIn: true, from: t.first, to: to, kind: x.kind}
	t.private[w.n] = nil
	t.names(0, x)
	t.rename(func(r word) word {
		if r.sort == private && r.n == w.n {
			r = word{sort: linked, m: r.m}
		}
		return r
	})
	t.empty = true
	return c.moves(t, to)
}

// ends refuses a cell with k that does not count, if the certificate claims that there is none.
func (c *checker) ends(t *thread, x *cell) error {
	if x.is && !x.counts() && !c.x.Head.Ends {
		return c.reject(t, "it claims that all cells with k count")
	}
	return nil
}

// names names a cell of gap i. Nothing counts between the gap's upper end and the cell.
func (t *thread) names(i int, x cell) {
	t.insert(i, x)
	t.rename(func(w word) word {
		if w.sort == linked && w.n >= i {
			w.n++
		}
		return w
	})
}

// rename changes words of registers, and of cells that the thread alone knows.
func (t *thread) rename(to func(word) word) {
	for _, f := range t.calls {
		for r, w := range f.regs {
			f.regs[r] = to(w)
		}
	}
	for _, words := range t.private {
		for i, w := range words {
			words[i] = to(w)
		}
	}
}

// moves says that the kind of the youngest cell that counts is now another one, and refuses it if the step may not change whether k is held.
func (c *checker) moves(t *thread, to int) error {
	was, is := c.held(t.first), c.held(to)
	t.first = to
	t.gaps[0].below = only(to)
	if was != is {
		role := c.s.Operations[t.op].Binding.Role
		if !t.is || t.changed || is && role != oracle.Add || !is && role != oracle.Remove {
			return c.reject(t, "a step may add or remove an item that its operation does not add or remove then")
		}
		t.changed = true
	}
	t.note(t.is, is)
	return c.sharp(t)
}

// link executes an access to the link of cell i.
//
// A link is nil, and no cell counts that is older, or it leads to an older cell, and none counts between the two. That stays so while cells stop to
// count, and no cell begins to count that is not the youngest one.
func (c *checker) link(t *thread, f *call, in *ir.Instr, i int) error {
	from := in.B
	switch in.Op {
	case ir.OpAtomicLoad:
		to, err := c.follow(t, i)
		if err != nil {
			return err
		}
		f.regs[in.Dst] = to
		return c.sharp(t)
	case ir.OpAtomicCAS:
		if _, err := c.value(t, f, in.B); err != nil {
			return err
		}
		yes := c.either()
		if f.regs[in.Dst] = flag(yes); !yes {
			return nil
		}
		from = in.C
	}
	to, err := c.value(t, f, from)
	if err != nil {
		return err
	}
	end := len(t.cells)
	if to.sort == linked && to.m == 0 {
		end = to.n
	} else if to != (word{}) {
		return c.reject(t, "a link is given something else than nil or a linked cell")
	}
	if end <= i || !t.cleared(i+1, end+1) {
		return c.reject(t, "a link may pass over a cell that counts, or lead to a younger one")
	}
	return nil
}

// follow chooses where the link of cell i leads, and notes what that says.
func (c *checker) follow(t *thread, i int) (word, error) {
	// It leads to the cell below gap g, which is named or nil, or to a cell within the gap.
	g := i + 1 + c.choose(len(t.gaps)-i-1)
	if c.either() {
		if !t.clear(i+1, g+1) {
			return word{}, errElse
		}
		if g == len(t.cells) {
			return word{}, nil
		}
		return word{sort: linked, n: g}, nil
	}
	if !t.clear(i+1, g) || g > i+1 && t.cells[g-1].counts() {
		return word{}, errElse
	}
	x := cell{kind: None}
	if x.is = c.either(); x.is {
		kinds := t.gaps[g].kinds.each()
		if c.x.Head.Ends {
			kinds = append(kinds, None)
		}
		if len(kinds) == 0 {
			return word{}, errElse
		}
		x.kind = kinds[c.choose(len(kinds))]
	}
	t.names(g, x)
	return word{sort: linked, n: g}, nil
}

// state executes an access to the state of cell i.
func (c *checker) state(t *thread, f *call, in *ir.Instr, i int) error {
	x := t.cells[i]
	is := word{sort: unknown}
	switch {
	case x.counts():
		is = word{n: c.x.Kinds[x.kind].State}
	case x.is:
		is = word{n: c.x.Head.Dead}
	}
	from := in.B
	switch in.Op {
	case ir.OpAtomicLoad:
		f.regs[in.Dst] = is
		return nil
	case ir.OpAtomicCAS:
		expected, err := c.value(t, f, in.B)
		if err != nil {
			return err
		}
		if !numeric(expected) {
			return c.reject(t, "a state is compared with what is no number")
		}
		yes, err := c.equal(t, ir.Word, is, expected)
		if err != nil {
			return err
		}
		if f.regs[in.Dst] = flag(yes); !yes {
			return nil
		}
		from = in.C
	}
	v, err := c.value(t, f, from)
	if err != nil {
		return err
	}
	switch {
	case v.sort != number:
		return c.reject(t, "a state is given what is no number that is known")
	case x.is && !x.counts() && v.n != c.x.Head.Dead:
		return c.reject(t, "a cell may count again that has not counted any more")
	case x.counts():
		return c.change(t, i, v.n)
	}
	return nil
}

// change gives a state to cell i, which counts.
func (c *checker) change(t *thread, i, state int) error {
	x := t.cells[i]
	w := &write{change: change{at: i, pred: t.predOf(i), atTo: None}}
	var err error
	if state == c.x.Head.Dead {
		if err := c.ends(t, &cell{is: true, kind: None}); err != nil {
			return err
		}
	}
	if state != c.x.Head.Dead {
		like := c.x.Kinds[x.kind]
		like.State = state
		if w.atTo, err = c.needs(t, like); err != nil {
			return err
		}
	}
	upper := i // the younger one of the two
	if w.pred >= 0 {
		upper = w.pred
		w.predTo = t.cells[upper].kind
		if t.cells[upper].own {
			like := c.x.Kinds[w.predTo]
			like.Done = true
			if w.predTo, err = c.needs(t, like); err != nil {
				return err
			}
		}
	}
	// Is upper the youngest cell that counts?
	above, certain := t.mayCountAbove(upper)
	w.under = certain || t.cells[upper].kind != t.first || above != 0 && c.either()
	if !w.under {
		t.clear(0, upper+1)
		if err := c.sharp(t); err != nil {
			return err
		}
	}
	w.from, w.to = t.first, t.first
	if !w.under {
		switch {
		case w.pred >= 0:
			w.to = w.predTo
		case w.atTo != None:
			w.to = w.atTo
		default:
			next := t.gaps[i+1].below.each()
			w.to = next[c.choose(len(next))]
			t.gaps[i+1].below = only(w.to)
			if err := c.sharp(t); err != nil {
				return err
			}
		}
	}
	if err := c.pairs(t, w); err != nil {
		return err
	}
	w.before = t.memory.clone()
	w.before.forget(func(k int) bool { return k == i || k == w.pred })
	done := w.change
	if w.at = 0; w.pred >= 0 {
		w.at, w.pred = 1, 0
	}
	if w.to != w.from || done.atTo != x.kind || w.pred >= 0 && w.predTo != w.before.cells[w.pred].kind {
		t.wrote = w
	}
	t.become(&done, w.to)
	return c.moves(t, w.to)
}

// needs is the number of a kind, which the certificate must have.
func (c *checker) needs(t *thread, like Kind) (int, error) {
	k := c.kind(like)
	if k == None {
		return k, c.reject(t, "it has no kind for a cell of %s with state %d, found %t, done %t", like.Op, like.State, like.Found, like.Done)
	}
	return k, nil
}

// pairs refuses a write unless each pair of a cell that counts and the first one below it that does is, behind the write, one that the certificate claims. Three pairs
// may change: of the cell and the first one below it, of pred and the cell, and of the first one above pred and pred.
func (c *checker) pairs(t *thread, w *write) error {
	was, upper := t.cells[w.at].kind, w.at
	next := t.gaps[w.at+1].below // what the first one may be below pred then
	if w.atTo != None {
		if err := c.pair(t, w.atTo, next); err != nil {
			return err
		}
		next = only(w.atTo)
	}
	if w.pred >= 0 {
		if err := c.pair(t, w.predTo, next); err != nil {
			return err
		}
		was, upper, next = t.cells[w.pred].kind, w.pred, only(w.predTo)
	}
	if !w.under || next == only(was) {
		return nil
	}
	above, _ := t.mayCountAbove(upper)
	for _, k := range above.each() {
		if c.below[k]&only(was) == 0 {
			continue
		}
		if err := c.pair(t, k, next); err != nil {
			return err
		}
	}
	return nil
}

// pair refuses it if the certificate does not claim that the first cell that counts below one of a kind may be any of some.
func (c *checker) pair(t *thread, kind int, below set) error {
	if lacks := (below &^ c.below[kind]).each(); len(lacks) > 0 {
		return c.reject(t, "it does not claim that the first cell that counts below one of kind %d may have kind %d", kind, lacks[0])
	}
	return nil
}
