// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"fmt"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/collection"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// New makes a checker of a certificate for a collection. The error says why there is nothing to check.
func New(s *subject.Subject, x *certificate.Certificate) (*Checker, error) {
	if err := x.Head.Is(s.Prog, s.About.Collection); err != nil {
		return nil, err
	}
	c := &Checker{prog: s.Prog, maker: s.New, kindOf: oracle.Kind(s.About.Kind), ordered: x.Head.Ordered, content: x.Head.Content, pauses: x.Head.Pauses, fit: fits{given: x.Fits}}
	if err := c.understand(s, x); err != nil {
		return nil, err
	}
	for _, load := range []func(*certificate.Certificate) error{c.loadTypes, c.loadKinds, c.loadEffects, c.loadViews} {
		if err := load(x); err != nil {
			return nil, fmt.Errorf("the certificate is damaged: %w", err)
		}
	}
	if x.Head.Progress != nil {
		c.watched(x.Head.Progress)
	}
	return c, nil
}

// roles lists, by kind, the roles of operations that certificates support.
var roles = map[oracle.Kind][]oracle.Role{
	oracle.Set:   {oracle.Add, oracle.Remove, oracle.Contains},
	oracle.Queue: {oracle.Put, oracle.Take},
	oracle.Stack: {oracle.Put, oracle.Take},
}

// understand reads the bindings of the operations, and refuses collections that certificates do not support.
func (c *Checker) understand(s *subject.Subject, x *certificate.Certificate) error {
	if o := x.Head.Object; o != nil {
		if c.kindOf != collection.Object || s.About.Protocol != (oracle.Protocol{Kind: oracle.Nonblocking}).String() {
			return fmt.Errorf("the certificate is about an object whose operations never wait, and %s is a collection of a known kind, or its operations may wait", s.About.Collection)
		}
		return c.understandObject(s, o)
	}
	if s.Self || s.About.Oracle != s.About.Kind || roles[c.kindOf] == nil || s.About.Protocol != (oracle.Protocol{Kind: oracle.Nonblocking}).String() {
		return fmt.Errorf("certificates of the method unbounded are only for sets, stacks and queues without bound, judged by the oracle of their kind")
	}
	for i := range s.Operations {
		o := &s.Operations[i]
		op := operation{name: o.Name, driver: o.Func, role: o.Binding.Role, argument: len(o.Binding.Params) == 1, item: -1, ok: -1}
		for i, slot := range o.Binding.Results {
			switch slot {
			case oracle.SlotItem:
				op.item = i
			case oracle.SlotOK, oracle.SlotNotOK:
				op.ok, op.not = i, slot == oracle.SlotNotOK
			default:
				return fmt.Errorf("operation %s has a result that certificates do not support", o.Name)
			}
		}
		takes := op.role == oracle.Take
		if !slices.Contains(roles[c.kindOf], op.role) || op.argument == takes || takes && op.item < 0 || (takes || c.kindOf == oracle.Set) && op.ok < 0 {
			return fmt.Errorf("operation %s has a role, arguments or results that certificates do not support", o.Name)
		}
		c.ops = append(c.ops, op)
	}
	return nil
}

func (c *Checker) loadTypes(x *certificate.Certificate) error {
	c.types = make([]layout, len(c.prog.Types))
	for i, t := range c.prog.Types {
		l := layout{typ: t, link: -1}
		if t != nil && t.Size <= 1<<12 {
			l.replaced = make([][]certificate.Replaced, t.Size)
			for _, list := range []*[]bool{&l.mutable, &l.plain, &l.item, &l.mutex, &l.returning} {
				*list = make([]bool, t.Size)
			}
			for off := range l.mutex {
				leaf, at := t.LeafAt(off)
				l.mutex[off] = leaf.Name == "sync.Mutex" && at == 0
			}
		}
		c.types[i] = l
	}
	h := &x.Head
	lists := [][]certificate.Place{h.Mutable, h.Plain, h.Items, h.Returning, h.Links}
	if h.Content.Mark != nil {
		lists = append(lists, []certificate.Place{*h.Content.Mark})
	}
	for i, list := range lists {
		for _, p := range list {
			if p.Type <= 0 || p.Type >= len(c.types) || p.Off < 0 || p.Off >= len(c.types[p.Type].mutable) {
				return fmt.Errorf("there is no word %d of type %d", p.Off, p.Type)
			}
			l := &c.types[p.Type]
			switch i {
			case 0, 1, 2, 3:
				[]([]bool){l.mutable, l.plain, l.item, l.returning}[i][p.Off] = true
			case 4:
				l.link = p.Off
			}
		}
	}
	if err := c.loadReplaced(h); err != nil {
		return err
	}
	if err := c.loadOffers(); err != nil {
		return err
	}
	if root := c.maker.Results[0].Elem; h.Content.Word < 0 || h.Content.Word >= root.Size || h.Content.Skip < 0 {
		return fmt.Errorf("the collection has no word %d", h.Content.Word)
	}
	return nil
}

func (c *Checker) loadKinds(x *certificate.Certificate) error {
	if len(x.Kinds) > 64 {
		return fmt.Errorf("there are more than 64 kinds of cells")
	}
	for i, k := range x.Kinds {
		if k.Type <= 0 || k.Type >= len(c.types) || len(k.Words) != c.types[k.Type].size() || c.types[k.Type].link < 0 {
			return fmt.Errorf("kind %d is not a kind of cells that form chains", i)
		}
		l := &c.types[k.Type]
		d := kind{typ: k.Type, words: slices.Clone(k.Words)}
		d.words[l.link] = zero
		for off, w := range d.words {
			if w.IsRef() || w == lost || l.mutex[off] && w != free {
				return fmt.Errorf("kind %d has words that cells of a chain do not have", i)
			}
			d.equal = d.equal || l.item[off] && isEqual(w)
		}
		c.kinds = append(c.kinds, d)
	}
	return nil
}

// size is the number of words of a cell of the type; -1: such cells are not supported.
func (l *layout) size() int {
	if l.typ == nil || len(l.mutex) != l.typ.Size {
		return -1
	}
	return l.typ.Size
}

func (c *Checker) loadEffects(x *certificate.Certificate) error {
	for i := range x.Effects {
		e := &x.Effects[i]
		g, err := c.load(e.Heap, append([]word{e.At}, e.Words...))
		if err != nil {
			return fmt.Errorf("effect %d: %w", i+1, err)
		}
		for n := range g {
			if slices.Contains(g[n].words, lost) {
				return fmt.Errorf("effect %d: node %d has a word of which nothing is known", i+1, n)
			}
		}
		isLock := e.Lock != ""
		switch {
		case !e.At.IsRef() || int(e.At.Off)+max(1, len(e.Words)) > len(g[e.At.N].words) || g[e.At.N].private:
			return fmt.Errorf("effect %d: it does not write a shared cell", i+1)
		case isLock && (e.Lock != certificate.Take && e.Lock != certificate.Give || e.At.N != 0 || len(e.Words) > 0 || !c.types[g[0].typ].mutex[e.At.Off]):
			return fmt.Errorf("effect %d: it takes or gives back something that is not a lock of the collection", i+1)
		case isLock && g[0].words[e.At.Off] != map[string]word{certificate.Take: free, certificate.Give: mine}[e.Lock]:
			return fmt.Errorf("effect %d: the lock cannot be taken, or given back", i+1)
		}
		for k := range e.Words {
			if l := &c.types[g[e.At.N].typ]; l.mutex[l.at(int(e.At.Off)+k)] {
				return fmt.Errorf("effect %d: it writes a lock", i+1)
			}
		}
		c.effects = append(c.effects, effect{g: g, write: write{at: e.At, words: e.Words, plain: e.Plain, lock: e.Lock}})
	}
	return nil
}

// flags maps the names in certificates to the flags of a view.
var flags = map[certificate.Seen]seen{certificate.Changed: changed, certificate.Empty: sawEmpty, certificate.Absent: sawAbsent, certificate.Present: sawPresent,
	certificate.Announced: announced, certificate.Allowed: allowed, certificate.Refused: refused, certificate.Right: sawRight, certificate.Offered: offers}

func (c *Checker) loadViews(x *certificate.Certificate) error {
	alike := map[string]*group{}
	for i := range x.Views {
		n, words, err := c.read(&x.Views[i])
		if err != nil {
			return fmt.Errorf("view %d: %w", i+1, err)
		}
		c.views = append(c.views, n)
		heap := fmt.Sprint(x.Views[i].Heap)
		if alike[heap] == nil {
			alike[heap] = &group{}
			c.alike = append(c.alike, alike[heap])
		}
		alike[heap].add(n, words)
	}
	return nil
}

// read makes a claim of a view, and returns the words outside of its memory.
func (c *Checker) read(v *certificate.View) (*claim, []word, error) {
	n := &claim{calls: v.Calls, op: v.Op, arg: v.Arg, taken: v.Taken, mine: mineOf(v)}
	for _, name := range v.Saw {
		bit, known := flags[name]
		if !known {
			return nil, nil, fmt.Errorf("a view cannot have seen %q", name)
		}
		n.saw |= bit
	}
	words, err := c.wordsOf(v)
	if err == nil {
		n.g, err = c.load(v.Heap, words)
	}
	if err != nil {
		return nil, nil, err
	}
	at := c.stateOf(n, n.g)
	n.place = c.placeOf(at)
	if len(at.frames) > 0 {
		f := at.top()
		n.access, _ = c.reachOf(f, &f.fn.Code[f.pc])
	}
	return n, words, nil
}

// mineOf is the cell with the descriptor of a view's operation; zero if there is none.
func mineOf(v *certificate.View) word {
	if v.Mine == nil {
		return zero
	}
	return *v.Mine
}

func (p *group) add(v *claim, words []word) {
	p.views = append(p.views, v)
	for _, w := range words {
		w.Off = 0
		if as := (goal{w, w}); w.IsRef() && !slices.Contains(p.named, as) {
			p.named = append(p.named, as)
		}
	}
}

// wordsOf lists the words of a view outside of its memory, and refuses a view that makes no sense.
func (c *Checker) wordsOf(v *certificate.View) ([]word, error) {
	if v.Op < 0 || v.Op >= len(c.ops) || c.object == nil && v.Arg != zero && !isItem(v.Arg) || v.Taken.IsRef() || len(v.Calls) == 0 && (v.Op != 0 || v.Arg != zero || len(v.Saw) > 0 || v.Taken != zero) {
		return nil, fmt.Errorf("it names no operation of the collection, or what it knows about the call does not fit")
	}
	argument := c.ops[v.Op].argument == isItem(v.Arg)
	if c.object != nil {
		argument = known(v.Arg) && v.Arg.N >= 0 && v.Arg.N < 1<<len(c.object.Rules[v.Op].Args)
	}
	if len(v.Calls) > 0 && (!argument || v.Calls[0].Func != c.ops[v.Op].driver.ID) {
		return nil, fmt.Errorf("its outermost call or its argument is not that of the operation that it names")
	}
	var words []word
	if slices.Contains(v.Saw, certificate.Announced) {
		if c.object == nil || v.Mine == nil || !v.Mine.IsRef() || v.Mine.Off != 0 || len(v.Calls) == 0 {
			return nil, fmt.Errorf("its operation is announced, and it has no cell with the descriptor")
		}
		words = append(words, *v.Mine)
	}
	for i := range v.Calls {
		x := &v.Calls[i]
		if x.Func < 0 || x.Func >= len(c.prog.Funcs) || x.PC < 0 || x.PC >= len(c.prog.Funcs[x.Func].Code) {
			return nil, fmt.Errorf("there is no instruction %d of function %d", x.PC, x.Func)
		}
		if op := c.prog.Funcs[x.Func].Code[x.PC].Op; i < len(v.Calls)-1 && op != ir.OpCall && op != ir.OpRunDefers {
			return nil, fmt.Errorf("instruction %d of function %d is not a call", x.PC, x.Func)
		}
		for _, r := range x.Regs {
			if r.Reg < 0 || r.Reg >= c.prog.Funcs[x.Func].NumRegs {
				return nil, fmt.Errorf("function %d has no register %d", x.Func, r.Reg)
			}
			words = append(words, r.Word)
		}
		for _, d := range x.Deferred {
			if d.Call < 0 || d.Call >= len(c.prog.Calls) || len(d.Words) != passedWords(c.prog.Calls[d.Call]) {
				return nil, fmt.Errorf("there is no deferred call %d", d.Call)
			}
			words = append(words, d.Words...)
		}
	}
	return words, nil
}

func passedWords(call *ir.Call) int {
	n := call.FnWords()
	for _, a := range call.Args {
		n += a.Type.Size
	}
	return n
}

// load makes a graph of nodes. words are the words outside that refer to it.
func (c *Checker) load(heap []certificate.Node, words []word) (graph, error) {
	g := make(graph, len(heap))
	for i := range heap {
		n := &heap[i]
		g[i] = cell{typ: n.Type, private: n.Private, words: n.Words, offer: n.Offer, chain: n.Chain, opt: n.MayBeEmpty, next: n.Next}
		if !n.Chain {
			if n.Type <= 0 || n.Type >= len(c.types) || !c.types[n.Type].elements(len(n.Words)) {
				return nil, fmt.Errorf("node %d has a type or a size that no cell of the program has", i)
			}
			continue
		}
		g[i].typ = 0
		for k, list := range [][]int{n.All, n.First, n.Last} {
			for _, number := range list {
				if number < 0 || number >= len(c.kinds) {
					return nil, fmt.Errorf("there is no kind %d", number)
				}
				*[]*set{&g[i].all, &g[i].first, &g[i].last}[k] |= 1 << number
			}
		}
		if d := &g[i]; (d.first|d.last)&^d.all != 0 || !d.opt && (d.first == 0 || d.last == 0) {
			return nil, fmt.Errorf("node %d is a chain whose first or last cells are not among its cells", i)
		}
	}
	if len(g) == 0 || g[0].chain || g[0].private || g[0].typ != c.maker.Results[0].Elem.ID {
		return nil, fmt.Errorf("the first node is not the collection")
	}
	if len(g[0].words) != c.types[g[0].typ].size() {
		return nil, fmt.Errorf("the first node has more words than the collection")
	}
	return g, c.wellFormed(g, words)
}

// wellFormed refuses a graph in which an address leads to no node, not exactly one word of memory leads to a chain, or a lock is none of
// free, mine and others.
func (c *Checker) wellFormed(g graph, words []word) error {
	led := make([]bool, len(g))
	check := func(w word, inside bool) error {
		switch {
		case w.IsRef() && (int(w.N) >= len(g) || !g[w.N].chain && int(w.Off) >= max(1, len(g[w.N].words))):
			return fmt.Errorf("%s is not the address of a word of a node", w)
		case !g.isChain(w):
			return nil
		case !inside || w.Off != 0 || led[w.N]:
			return fmt.Errorf("not exactly one word of memory leads to the chain %s", w)
		}
		led[w.N] = true
		return nil
	}
	for _, w := range words {
		if err := check(w, false); err != nil {
			return err
		}
	}
	for n := range g {
		d := &g[n]
		if d.chain {
			if err := check(d.next, true); err != nil {
				return err
			}
			continue
		}
		for off, w := range d.words {
			if err := check(w, true); err != nil {
				return err
			}
			if w == lost && !d.private {
				return fmt.Errorf("node %d has an unknown word, and other threads may see it", n)
			}
			if l := &c.types[d.typ]; l.mutex[l.at(off)] && w != free && w != mine && (n != 0 || w != others) {
				return fmt.Errorf("node %d has a lock that is %s", n, w)
			}
		}
	}
	return nil
}
