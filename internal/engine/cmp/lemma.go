package cmp

import (
	"cmp"
	"go/token"
	"maps"
	"slices"
	"sort"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// Lemmas. A lemma is a fact about a thread that stands at a line and is about to do something that
// others see: how its variables, and what these lead to, are related. Lemmas are mined from
// what one to three threads do (explore.go), and each is checked in every view of the thread at the line, of
// which the table has all: one that fails anywhere is dropped. What is left restrains Other (see
// other.go).

// A fact is what holds of one or two terms, in Go's syntax as far as it goes:
//
//	pred.next == curr     pointers, of variables or of fields of what they point to
//	curr != nil
//	curr.key < x          numbers of one type
//	!pred.marked          truth values
//	mine(pred.mu)         the thread holds the lock
//	reachable(pred)       the collection leads to what it points to
//	private(node)         nobody else has ever known it
//	of(m).key < x         of(m) is the object of which m points to a field
//
// and, in a wider language, of two numbers of an object of one type which matter one after the other
//
//	(p.a < q.a || p.a == q.a && p.b < q.b)
//
// and, in the widest ones, of what the code computes, of elements and of the content (expression.go, sequence.go)
//
//	old((r.tail + 1) % 4) == (r.tail + 1) % 4    what was computed is what it would be now
//	x == r.buf[r.tail % 2]                       an element
//	slices.Equal(next, after(drain(Pop)))        slices, and what Pop would return, called again and again
//	Contains(x) == slices.Contains(s.items, x)   what an operation would return
//	items() == r.count                           how many items there are
//	ownOr(append, s.items)                       private, or the same
type fact struct {
	before, x, between, y string // x and y are the names of terms
}

func (f fact) String() string {
	if a, b, two := strings.Cut(f.x, behindWhich); two {
		c, d, _ := strings.Cut(f.y, behindWhich)
		return "(" + a + " < " + c + " || " + a + " == " + c + " && " + b + " < " + d + ")"
	}
	behind := ""
	if strings.HasSuffix(f.before, "(") {
		behind = ")"
	}
	return f.before + f.x + f.between + f.y + behind
}

// behindWhich stands between the names of two numbers that are one term.
const behindWhich = "\x00"

// language is how much facts can say.
type language struct {
	depth int // fields of what variables point to: 1, of what these point to: 2, and so on
	// wide: two numbers of an object are compared one after the other, locks may be of what variables lead to, and
	// the arguments of the call are known when its variables do not matter any more.
	wide bool
	// code: what the code computes, elements and lengths among it, and what is in the content, see expression.go.
	code bool
}

// languages are tried one after the other until one says what a proof needs.
var languages = []language{{depth: 2}, {depth: 3}, {depth: 2, wide: true}, {depth: 3, wide: true},
	{depth: 2, code: true}, {depth: 3, wide: true, code: true}}

// factsOf finds the terms of thread 0 in the machine's state, and what is asked of them later does
// not need the machine any more. A state that is to be asked must have been saved before: what is
// reachable is known from there.
func (about *model) factsOf(m *vm.Machine, common int, content oracle.StateID, l language) *facter {
	c := &facter{m: m, common: common, model: about, content: content, names: about.names, language: l, terms: make([]term, 0, mostTerms)}
	t := m.Thread[0]
	for k := len(t.Frames) - 1; k >= 0; k-- {
		c.variables(k)
	}
	if l.wide || l.code {
		c.arguments()
	}
	if l.code {
		for k := len(t.Frames) - 1; k >= 0; k-- {
			c.unnamed(k)
		}
		c.ofContent()
	}
	c.follow()
	if l.code {
		for k := len(t.Frames) - 1; k >= 0; k-- {
			c.expressions(k)
		}
		c.sequences()
		c.members()
	}
	return c
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

// arguments adds those of the call that the thread is in, under the names of the parameters.
func (c *facter) arguments() {
	t := c.m.Thread[0]
	g := ghost(c.m.Tag(0))
	k := slices.IndexFunc(t.Frames, func(f state.Frame) bool { return !f.Code.Func.Harness })
	if k < 0 || !g.busy() {
		return
	}
	fn, args := t.Frames[k].Code.Func, c.names.calls[g.call()]
	if fn.ParamWords() != 1+args.Len() {
		return
	}
	for i := range args.Len() {
		name, off := fn.NameOf(ir.Reg(1 + i))
		if name == nil || c.term(name.Name) >= 0 || name.Type.Size != 1 {
			continue
		}
		x := term{name: name.Name, word: uint64(args.At(i).Int), kind: ir.Scalar}
		if s := state.ScalarAt(name.Type, off); s != nil {
			x.class = s.Class
			c.add(x)
		}
	}
}

// follow adds what the terms lead to.
func (c *facter) follow() {
	for i := 0; i < len(c.terms); i++ { // it grows
		x := &c.terms[i]
		if x.word == 0 || x.kind == ir.Scalar || x.kind == ir.Unsafe && x.word&ir.TypeTag != 0 {
			continue
		}
		if x.depth == 0 {
			id := state.ObjectID(x.word)
			x.reachable = id <= c.common
			x.private = !x.reachable && c.m.Objs[id].Flags&state.IsKnown == 0
		}
		if x.depth < c.depth {
			c.fields(*x)
		}
	}
}

// all lists every fact; of nil there are none.
func (c *facter) all() map[fact]bool {
	if c == nil {
		return map[fact]bool{}
	}
	c.out = map[fact]bool{}
	for i := range c.locks {
		c.note("mine(", &c.locks[i], "", nil)
	}
	for i := range c.terms {
		c.alone(&c.terms[i])
		for k := range i {
			c.pair(&c.terms[k], &c.terms[i])
		}
	}
	for i := range c.sequenced {
		c.sequenceFacts(&c.sequenced[i])
	}
	for i := range c.keyed {
		for k := range i {
			c.compare(&c.keyed[k], &c.keyed[i])
		}
	}
	return c.out
}

// holds says whether one fact holds.
func (c *facter) holds(f fact) bool {
	if f.before == "mine(" {
		return slices.ContainsFunc(c.locks, func(x term) bool { return x.name == f.x })
	}
	c.asked, c.found = f, false
	if ofSequences(f) {
		if i := slices.IndexFunc(c.sequenced, func(x sequence) bool { return x.name.name == f.x }); i >= 0 {
			c.sequenceFacts(&c.sequenced[i])
		}
		return c.found
	}
	if strings.Contains(f.x, behindWhich) {
		i, k := named(c.keyed, f.x), named(c.keyed, f.y)
		if i >= 0 && k >= 0 {
			c.compare(&c.keyed[i], &c.keyed[k])
		}
		return c.found
	}
	i := c.term(f.x)
	if i < 0 {
		return false
	}
	if f.y == "" {
		c.alone(&c.terms[i])
	} else if k := c.term(f.y); k >= 0 {
		c.pair(&c.terms[min(i, k)], &c.terms[max(i, k)])
	}
	return c.found
}

func (c *facter) term(name string) int { return named(c.terms, name) }

func named(list []term, name string) int {
	return slices.IndexFunc(list, func(x term) bool { return x.name == name })
}

// facter finds the facts of one state.
type facter struct {
	m       *vm.Machine
	common  int // objects up to this number, behind the base objects, are reachable
	names   *namer
	model   *model // nil: nothing is said of the content
	content oracle.StateID
	calls   string // the calls that it is in, ", called at file.go:12 in F", if that was asked for
	language
	terms     []term
	locks     []term // that the thread holds
	keyed     []term // see language
	sequenced []sequence
	// out are the facts that were found; nil: it is asked for one alone.
	out    map[fact]bool
	asked  fact
	found  bool
	checks map[string][]read // facts as expressions of Go, with what they read; nil: they are not wanted
}

// note takes note of a fact: before, the first term, between, the second one if there is one.
func (c *facter) note(before string, x *term, between string, y *term) {
	if y == nil {
		y = &term{}
	}
	f := fact{before, x.name, between, y.name}
	if c.out == nil {
		c.found = c.found || f == c.asked
		return
	}
	c.out[f] = true
	if c.checks != nil && x.code != "" && (y.name == "" || y.code != "") {
		c.checks[fact{before, x.code, between, y.code}.String()] = append(slices.Clip(x.reads), y.reads...)
	}
}

// term is a word that a variable holds, or what a variable points to.
type term struct {
	name  string
	word  uint64
	kind  ir.Kind
	class ir.Class // of a scalar
	depth int      // of a variable 0, of a field of what it points to 1, and so on
	// Of what a variable points to: the collection leads to it, nobody else has known it.
	reachable, private bool
	// code is the term as an expression of Go, "" if there is none, and reads are the words in memory that it reads.
	code   string
	reads  []read
	member bool // it says whether a number is an element
	// Of two numbers of an object: the second one, and which ones of what they are.
	low  uint64
	keys keys
}

// keys are two numbers of the objects of a type.
type keys struct {
	of        *ir.Type
	high, low int // words
}

// read is a word of memory that an expression reads.
type read struct {
	p      uint64
	atomic bool
}

// most terms that are looked at, and most words of what a variable points to.
const (
	mostTerms    = 60
	mostComputed = 160 // with expressions of the code
	mostWords    = 12
)

// variables lists the named variables of call k in progress that matter from here on.
func (c *facter) variables(k int) {
	t := c.m.Thread[0]
	f := &t.Frames[k]
	if f.Code.Func.Harness {
		return
	}
	regs := t.Regs[f.Base:]
	for _, l := range c.m.LiveIn(f, k == len(t.Frames)-1) {
		x, ok := c.names.variable(f, ir.Reg(l.Reg), l.Kind, regs)
		if !ok || c.term(x.name) >= 0 { // or it is of a call further in
			continue
		}
		if token.IsIdentifier(x.name) {
			x.code = x.name
		}
		c.add(x)
	}
}

func (c *facter) add(x term) {
	most := mostTerms
	if c.code {
		x.class, most = counted(x.class), mostComputed
	}
	if len(c.terms) < most && (x.kind == ir.Pointer || x.kind == ir.Unsafe || x.kind == ir.Scalar) {
		c.terms = append(c.terms, x)
	}
}

// fields adds what a variable points to.
func (c *facter) fields(x term) {
	o := &c.m.Objs[state.ObjectID(x.word)]
	if state.Offset(x.word) != 0 && x.depth == 0 {
		of := term{name: c.names.joined("of(", x.name, ")"), word: x.word &^ 0xffffffff, kind: ir.Pointer}
		if c.term(of.name) < 0 {
			c.add(of)
		}
	}
	if state.Offset(x.word) != 0 || o.Count != 1 || o.Words() > mostWords {
		return
	}
	words := c.m.Words(x.word, o.Words())
	for off, l := range c.names.layout(o.Info.Type, o.Info.Layout) {
		if l.lock {
			if (x.depth == 0 || c.wide) && c.m.Thread[0].Holds(x.word+uint64(off), true) {
				c.locks = append(c.locks, term{name: c.names.joined(x.name, l.path, ""), code: lockCode(x.code, l.path)})
			}
			continue
		}
		y := term{name: c.names.within(x.name, l), word: words[off], kind: l.kind, depth: x.depth + 1, class: l.class}
		if c.checks != nil && x.code != "" {
			y.code, y.reads = l.wrapped(x.code+l.whole), append(slices.Clip(x.reads), read{x.word + uint64(off), l.atomic})
			if l.atomic {
				y.code += ".Load()"
			}
		}
		c.add(y)
	}
	if !c.wide {
		return
	}
	for _, k := range c.names.keysOf(o.Info.Type) {
		l := c.names.layouts[o.Info.Type]
		base := strings.TrimPrefix(x.name, "&")
		c.keyed = append(c.keyed, term{name: c.names.joined(base+l[k.high].path, behindWhich, base+l[k.low].path), word: words[k.high], low: words[k.low], keys: k})
	}
}

func lockCode(code, path string) string {
	if code == "" {
		return ""
	}
	return code + path
}

// alone finds the facts about one term.
func (c *facter) alone(x *term) {
	switch {
	case x.kind == ir.Scalar:
		if x.class == ir.Bool {
			c.note(map[bool]string{false: "!"}[x.word != 0], x, "", nil)
		}
		return
	case x.word == 0:
		c.note("", x, " == nil", nil)
		return
	}
	c.note("", x, " != nil", nil)
	switch {
	case x.reachable:
		c.note("reachable(", x, "", nil)
	case x.private:
		c.note("private(", x, "", nil)
	}
}

// pair finds the facts about two terms.
func (c *facter) pair(x, y *term) {
	pointers := x.kind != ir.Scalar && y.kind != ir.Scalar
	switch {
	case pointers && x.word == y.word:
		c.note("", x, " == ", y)
		c.ownOr(x, y)
	case pointers:
		c.ownOr(x, y)
	case !pointers && x.kind == y.kind && x.class == ir.Bool && y.class == ir.Bool && x.member != y.member: // an operation says what the memory does
		c.note("", x, map[bool]string{true: " == ", false: " != "}[x.word == y.word], y)
	case pointers || x.kind != y.kind || x.class != y.class || x.class == ir.Bool:
	case x.word == y.word:
		c.note("", x, " == ", y)
	case int64(x.word) < int64(y.word):
		c.note("", x, " < ", y)
		c.note("", x, " != ", y)
	default:
		c.note("", y, " < ", x)
		c.note("", x, " != ", y)
	}
}

// ownOr finds whether each of two is private or the other one: what a slice is that was appended to.
func (c *facter) ownOr(x, y *term) {
	if !c.code {
		return
	}
	if x.private || x.word == y.word && x.depth == 0 {
		c.note(ownOrSame, x, ", ", y)
	}
	if y.private || x.word == y.word && y.depth == 0 {
		c.note(ownOrSame, y, ", ", x)
	}
}

// compare finds which of two terms of two numbers each is less.
func (c *facter) compare(x, y *term) {
	if x.keys != y.keys {
		return
	}
	switch order := cmp.Or(cmp.Compare(int64(x.word), int64(y.word)), cmp.Compare(int64(x.low), int64(y.low))); {
	case order < 0:
		c.note("", x, " < ", y)
	case order > 0:
		c.note("", y, " < ", x)
	}
}

// lemmas are lemmas by the place at which they are about: a site, see siteOf.
type lemmas map[string]*lemma

// lemma is what is claimed of threads at one place.
type lemma struct {
	at    string // "file.go:12 in F"
	does  string
	holds map[fact]bool
}

// list lists the facts in order.
func (l *lemma) list() []string {
	out := make([]string, 0, len(l.holds))
	for f := range l.holds {
		out = append(out, f.String())
	}
	slices.Sort(out)
	return out
}

// String is the lemma in Go's syntax.
func (l *lemma) String() string {
	if len(l.holds) == 0 {
		return "true"
	}
	return strings.Join(l.list(), " && ")
}

// sorted lists lemmas by place.
func (l lemmas) sorted() []*lemma {
	out := slices.Collect(maps.Values(l))
	sort.Slice(out, func(i, j int) bool {
		return cmp.Or(cmp.Compare(out[i].at, out[j].at), cmp.Compare(out[i].does, out[j].does), cmp.Compare(out[i].String(), out[j].String())) < 0
	})
	return out
}

// note takes note of a thread that has done something at a place where these facts hold: what
// does not hold here is no lemma.
func (l lemmas) note(site, at, does string, here *facter) {
	x := l[site]
	if x == nil {
		l[site] = &lemma{at: at, does: does, holds: here.all()}
		if here != nil {
			l[site].at += here.calls
		}
		return
	}
	maps.DeleteFunc(x.holds, func(f fact, _ bool) bool { return !here.holds(f) })
}

// allows says that everything that is claimed holds.
func (l *lemma) allows(here *facter) bool {
	for f := range l.holds {
		if !here.holds(f) {
			return false
		}
	}
	return true
}
