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
)

// Lemmas. A lemma is a fact about a thread that stands at a line and is about to do something that
// others see: how its variables, and what these lead to, are related. Lemmas are mined from
// what one to three threads do (explore.go), and each is checked in every view of the thread at the line, of
// which the table has all: one that fails anywhere is dropped. What is left restrains Other (see
// other.go).

// facts are the lemmas of the language that hold of thread 0 in the machine's state, in Go's
// syntax as far as it goes:
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
// A state that is to be asked must have been saved before: what is reachable is known from
// there.
func facts(m *vm.Machine, common int, names *namer) map[string]bool {
	c := &facter{m: m, common: common, names: names, out: map[string]bool{}}
	t := m.Thread[0]
	for k := len(t.Frames) - 1; k >= 0; k-- {
		c.variables(k)
	}
	c.all()
	return c.out
}

// all finds the facts about the terms.
func (c *facter) all() {
	for i := 0; i < len(c.terms); i++ { // it grows
		if x := c.terms[i]; x.word != 0 && x.kind != ir.Scalar && x.depth < 2 {
			c.fields(x)
		}
	}
	for i := range c.terms {
		c.alone(&c.terms[i])
		for k := range i {
			c.pair(&c.terms[k], &c.terms[i])
		}
	}
}

// facter finds the facts of one state.
type facter struct {
	m      *vm.Machine
	common int // objects up to this number, behind the base objects, are reachable
	names  *namer
	terms  []term
	out    map[string]bool
	checks map[string][]read // facts as expressions of Go, with what they read; nil: they are not wanted
}

// note takes note of a fact: before, the first term, between, the second one if there is one, behind.
func (c *facter) note(before string, x *term, between string, y *term) {
	behind := ""
	if strings.HasSuffix(before, "(") {
		behind = ")"
	}
	if y == nil {
		y = &term{}
	}
	c.out[before+x.name+between+y.name+behind] = true
	if c.checks != nil && x.code != "" && (y.name == "" || y.code != "") {
		c.checks[before+x.code+between+y.code+behind] = append(slices.Clip(x.reads), y.reads...)
	}
}

// term is a word that a variable holds, or what a variable points to.
type term struct {
	name  string
	word  uint64
	kind  ir.Kind
	class ir.Class // of a scalar
	depth int      // of a variable 0, of a field of what it points to 1, and so on
	// code is the term as an expression of Go, "" if there is none, and reads are the words in memory that it reads.
	code  string
	reads []read
}

// read is a word of memory that an expression reads.
type read struct {
	p      uint64
	atomic bool
}

// most terms that are looked at, and most words of what a variable points to.
const (
	mostTerms = 60
	mostWords = 12
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
		if !ok || slices.ContainsFunc(c.terms, func(y term) bool { return y.name == x.name }) { // or it is of a call further in
			continue
		}
		if token.IsIdentifier(x.name) {
			x.code = x.name
		}
		c.add(x)
	}
}

func (c *facter) add(x term) {
	if len(c.terms) < mostTerms && (x.kind == ir.Pointer || x.kind == ir.Unsafe || x.kind == ir.Scalar) {
		c.terms = append(c.terms, x)
	}
}

// fields adds what a variable points to.
func (c *facter) fields(x term) {
	if x.kind == ir.Unsafe && x.word&ir.TypeTag != 0 {
		return
	}
	o := &c.m.Objs[state.ObjectID(x.word)]
	if state.Offset(x.word) != 0 && x.depth == 0 {
		c.add(term{name: "of(" + x.name + ")", word: x.word &^ 0xffffffff, kind: ir.Pointer})
	}
	if state.Offset(x.word) != 0 || o.Count != 1 || o.Words() > mostWords {
		return
	}
	words := c.m.Words(x.word, o.Words())
	for off, kind := range o.Info.Layout {
		leaf, _ := o.Info.Type.LeafAt(off)
		path, atomic := strings.CutSuffix(o.Info.Type.FieldPath(off), ".v") // of the types of sync/atomic
		if isLock(leaf) {
			if x.depth == 0 && c.m.Thread[0].Holds(x.word+uint64(off), true) {
				c.note("mine(", &term{name: x.name + path, code: lockCode(x.code, path)}, "", nil)
			}
			continue
		}
		y := term{name: strings.TrimPrefix(x.name, "&") + path, word: words[off], kind: kind, depth: x.depth + 1}
		if s := state.ScalarAt(o.Info.Type, off); s != nil {
			y.class = s.Class
		}
		if leaf.Name == "atomic.Bool" || atomic && y.class == ir.Uint32 {
			y.class = ir.Bool
		}
		if x.code != "" {
			y.code, y.reads = x.code+o.Info.Type.FieldPath(off), append(slices.Clip(x.reads), read{x.word + uint64(off), leaf.PkgPath == "sync/atomic"})
			if leaf.PkgPath == "sync/atomic" {
				y.code += ".Load()"
			}
		}
		c.add(y)
	}
}

func lockCode(code, path string) string {
	if code == "" {
		return ""
	}
	return code + path
}

func isLock(t *ir.Type) bool { return t.Name == "sync.Mutex" || t.Name == "sync.RWMutex" }

// alone finds the facts about one term.
func (c *facter) alone(x *term) {
	if x.kind == ir.Scalar {
		if x.class == ir.Bool {
			c.note(map[bool]string{false: "!"}[x.word != 0], x, "", nil)
		}
		return
	}
	if x.word == 0 {
		c.note("", x, " == nil", nil)
		return
	}
	c.note("", x, " != nil", nil)
	if x.depth > 0 {
		return
	}
	o := &c.m.Objs[state.ObjectID(x.word)]
	switch {
	case state.ObjectID(x.word) <= c.common:
		c.note("reachable(", x, "", nil)
	case o.Flags&state.IsKnown == 0:
		c.note("private(", x, "", nil)
	}
}

// pair finds the facts about two terms.
func (c *facter) pair(x, y *term) {
	pointers := x.kind != ir.Scalar && y.kind != ir.Scalar
	switch {
	case pointers && x.word == y.word:
		c.note("", x, " == ", y)
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

// lemmas are lemmas by the place at which they are about: a site, see siteOf.
type lemmas map[string]*lemma

// lemma is what is claimed of threads at one place.
type lemma struct {
	at    string // "file.go:12 in F"
	does  string
	holds map[string]bool
}

// list lists the facts in order.
func (l *lemma) list() []string { return slices.Sorted(maps.Keys(l.holds)) }

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
func (l lemmas) note(site, at, does string, holds map[string]bool) {
	x := l[site]
	if x == nil {
		l[site] = &lemma{at: at, does: does, holds: maps.Clone(holds)}
		return
	}
	maps.DeleteFunc(x.holds, func(f string, _ bool) bool { return !holds[f] })
}
