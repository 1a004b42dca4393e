// SPDX-License-Identifier: BSD-3-Clause

// Package find finds the collections in packages.
//
// It takes a Query: package patterns, and a function that reads what the directives in a type's
// comment ask for. It gives Targets: where each collection is, and which constructor, operations
// and kind were found for it. It compiles nothing and decides nothing about scopes.
package find

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/internal/recognise"
	"pangolin/oracle"
)

// Query tells where to look for collections, and for which ones.
type Query struct {
	Dir string // where the go command runs
	// Packages are package patterns of the go command, or PKG.Type for one type (.Type for one of the package in Dir). An empty list is
	// ".".
	Packages []string
	// Type is the name of the one type to find in the one package; "": all types.
	Type string
	// Tests includes types that test files declare. The import path of a package of external tests
	// ends in "_test".
	Tests bool
	// New is true if the user names a constructor; one package must match then.
	New         bool
	NoContracts bool // methods that are for callers who hold a lock are operations all the same
	// Overrides reads what is asked of a type besides its name from the directives in its comment:
	// lines such as "new NewQueue[int](2)".
	Overrides func(directives []string) (Wishes, error)
	// Unchanged returns why a package can be skipped; nil if it cannot. Skipped packages are among
	// the missed ones. oracles are patterns of the packages with oracles that the package's types
	// and the user name. A nil function skips nothing.
	Unchanged func(ctx context.Context, path string, oracles []string) error
	// Note is called for each package or type that is passed over, with the reason.
	Note func(format string, args ...any)
}

// Wishes are what the user or a directive asks of a type; they replace what would be found.
type Wishes = collection.Overrides

// Pull is a value of Wishes.Given: instead of passing a function, the iterator that an operation
// returns is called step by step.
const Pull = collection.Pull

// Back begins a value of Wishes.Given that names an operation: the functions that are given call it.
const Back = collection.Back

// Clock is what lets the clock go on.
type Clock = collection.Clock

// The clocks.
const (
	VirtualClock = collection.VirtualClock
	YearsPass    = collection.YearsPass
	YearPasses   = collection.YearPasses // the operation of YearsPass
)

// Oracle tells what judges a collection, and ParseOracle reads it.
type Oracle = collection.Oracle

// ParseOracle reads the name of an oracle.
func ParseOracle(text string) Oracle { return collection.ParseOracle(text) }

// Kind is what a collection is, such as a queue or a set.
type Kind = oracle.Kind

// ParseProtocol reads the name of a protocol; nil if the text is empty.
func ParseProtocol(text string) (*oracle.Protocol, error) { return oracle.ParseProtocol(text) }

// KindOracle is the oracle of a kind.
func KindOracle(k oracle.Kind) Oracle { return collection.KindOracle(k) }

// Target is a collection that was found.
type Target struct {
	Place
	Directives []string // the directives in the type's comment
	Overrides  collection.Overrides
	Found      *collection.Collection
	// Offered is true if nobody asked for the type: it has no directive, a pattern such as "./..."
	// matched its package, and its methods look like those of a collection.
	Offered bool
	// Doc is the documentation of the type.
	Doc      string
	directed directed
}

// Known tells where a collection was found, and with which wishes, so that it can be found again.
type Known struct {
	Package  string
	Patterns []string
	Tests    bool
	Wishes   Wishes
}

// Again finds a collection that was found before. dir is a directory of its module.
func Again(ctx context.Context, dir string, k Known) (*Target, error) {
	places, err := (&Query{Dir: dir, Packages: k.Patterns, Tests: k.Tests}).Places(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(places, func(p Place) bool { return p.Listed.Path == k.Package })
	if i < 0 {
		return nil, fmt.Errorf("%s is not among what %s matches", k.Package, strings.Join(k.Patterns, " "))
	}
	pkg, err := places[i].Listed.Types(ctx)
	if err != nil {
		return nil, err
	}
	k.Wishes.Clues = clues(places[i].Listed)
	found, err := recognise.Find(pkg, k.Wishes)
	if err != nil {
		return nil, err
	}
	directives, err := places[i].Listed.Directives("pangolin", "point") // documentation restricts the use of operations wherever they are judged
	if err != nil {
		return nil, err
	}
	typ, _, _ := strings.Cut(found[0].Type, "[")
	return &Target{Place: places[i], Overrides: k.Wishes, Found: found[0], directed: directed{directives, typ, pkg.Name() + "." + typ}}, nil
}

// Filled are the clues about arguments alone, for a collection of which it is known how it is made.
func Filled(l *front.Listed) *collection.Clues {
	filled, held := l.Filled()
	uses := l.Uses()
	return &collection.Clues{Filled: filled, MayHold: held, Synchronised: uses.Synchronised, Made: uses.Made, Apart: uses.Apart}
}

// clues are what the source and the tests of a package show about its types.
func clues(l *front.Listed) *collection.Clues {
	c := Filled(l)
	var held []front.Held
	c.Returned, held = l.Returned()
	c.Written, c.Preset = writtenFields(l)
	for _, h := range held {
		c.Held = append(c.Held, collection.ShownField(h))
	}
	for _, call := range l.TestCalls() {
		c.Calls = append(c.Calls, collection.ShownCall(call))
	}
	for _, text := range l.TestTexts() {
		c.Texts = append(c.Texts, collection.ShownText(text))
	}
	return c
}

// Name is the collection's name in verdicts.
func (t *Target) Name() string { return t.Listed.Name + "." + t.Found.Type }

// Find returns the collections that a query asks for, and what it names but cannot find. A package
// without a collection is missed if the query names it; if it is one of many that a pattern
// matches, it is passed over with a note. If there is no target at all, the error is a *NoTarget.
func (q *Query) Find(ctx context.Context) ([]*Target, []Missed, error) {
	places, missed, err := q.places(ctx)
	if err != nil {
		return nil, nil, err
	}
	var out []*Target
	var passed []Missed
	for _, p := range places {
		if why := q.unchanged(ctx, p); why != nil {
			missed = append(missed, Missed{p.name(), p.Listed.Path, why, Unchanged})
			continue
		}
		s := &surveyor{q: q, place: p}
		err := s.survey(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil:
			missed = append(missed, p.missed(err))
			continue
		case len(s.out) == 0 && (len(s.missed) == 0 || !q.named(p.Listed)):
			passed = append(passed, Missed{p.Listed.Path, p.Listed.Path, nothing(p.Listed, s.passed), Without})
		}
		out, missed = append(out, s.out...), append(missed, s.missed...)
	}
	if len(out) == 0 {
		return nil, nil, &NoTarget{append(missed, passed...)}
	}
	for _, m := range missed {
		if m.What == NotLoaded {
			q.Note("%s is not verified: %v", m.Name, m.Err)
		}
	}
	for _, m := range passed {
		if q.Note("%v", m.Err); slices.ContainsFunc(places, func(p Place) bool { return p.Listed.Path == m.Package && q.named(p.Listed) }) {
			missed = append(missed, m)
		}
	}
	return out, missed, nil
}

// Place is a package, and the type in it that was asked for.
type Place struct {
	Listed   *front.Listed
	Patterns []string // patterns with which the go command finds the package again
	Type     string   // "": all types
}

// name is the name of the type that was asked for, or of the package.
func (p Place) name() string {
	if p.Type == "" {
		return p.Listed.Path
	}
	typ, _, _ := strings.Cut(p.Type, "[")
	return p.Listed.Name + "." + typ
}

// unchanged returns why a place can be skipped; nil if it cannot.
func (q *Query) unchanged(ctx context.Context, p Place) error {
	if q.Unchanged == nil || p.Listed.Path == files {
		return nil
	}
	directives, err := p.Listed.Directives("pangolin", "point")
	if err != nil {
		return nil // whatever is wrong is reported when the package is looked at
	}
	var oracles []string
	for _, lines := range append(slices.Collect(maps.Values(directives.ByType)), nil) {
		asked, err := q.Overrides(lines)
		if err != nil {
			return nil
		}
		if name, _ := asked.Oracle.Type(); name != "" {
			if pattern, typ := collection.SplitType(name); typ != "" {
				oracles = append(oracles, pattern)
			}
		}
	}
	return q.Unchanged(ctx, p.Listed.Path, oracles)
}

// missed makes the error of a place a Missed: about the type that was asked for, or about the
// package.
func (p Place) missed(err error) Missed {
	name := p.name()
	var load *front.Error
	if errors.As(err, &load) {
		return Missed{name, p.Listed.Path, err, NotLoaded}
	}
	return refusal(name, p.Listed.Path, err)
}

// Places asks the go command for the packages. A package that it does not know is an error.
func (q *Query) Places(ctx context.Context) ([]Place, error) {
	out, missed, err := q.places(ctx)
	return out, errors.Join(err, Joined(missed, Mistake))
}

// places asks the go command for the packages. Those that it does not know are missed.
func (q *Query) places(ctx context.Context) (out []Place, missed []Missed, err error) {
	var plain []string
	for _, arg := range q.Packages {
		pattern, typ := collection.SplitType(arg)
		if typ == "" {
			plain = append(plain, arg)
			continue
		}
		listed, err := q.list(ctx, []string{pattern})
		if err == nil && len(listed) > 1 {
			err = fmt.Errorf("%s: %s matches %d packages, a type is in one", arg, pattern, len(listed))
		}
		if err != nil {
			missed = append(missed, Missed{Name: arg, Err: q.meantHere(ctx, pattern, typ, err)})
			continue
		}
		out = append(out, Place{listed[0], patternsOf(listed[0], []string{pattern}), typ})
	}
	if len(plain) == 0 && len(q.Packages) > 0 {
		return out, missed, ctx.Err()
	}
	if len(plain) == 0 {
		plain = []string{"."}
	}
	listed, unknown, err := q.listAll(ctx, plain)
	if err != nil {
		return nil, nil, err
	}
	missed = append(missed, unknown...)
	if len(listed) > 1 && q.Tests && q.Type != "" {
		if listed, err = declaring(ctx, listed, q.Type); err != nil {
			return nil, nil, err
		}
	}
	if len(listed) > 1 && (q.Type != "" || q.New) {
		return nil, nil, fmt.Errorf("%s matches %d packages, type and new need one", strings.Join(plain, " "), len(listed))
	}
	for _, l := range listed {
		out = append(out, Place{l, patternsOf(l, plain), q.Type})
	}
	return out, missed, nil
}

// list asks the go command for packages. With tests, an import path means that package alone,
// without the package of its external tests.
func (q *Query) list(ctx context.Context, patterns []string) ([]*front.Listed, error) {
	if !q.Tests {
		listed, err := front.List(ctx, q.Dir, patterns)
		if err != nil {
			err = q.meant(ctx, patterns, err)
		}
		return listed, err
	}
	var without []string
	for _, p := range patterns {
		without = append(without, strings.TrimSuffix(p, "_test"))
	}
	listed, err := front.ListTested(ctx, q.Dir, without)
	exact := slices.DeleteFunc(slices.Clone(listed), func(l *front.Listed) bool { return !slices.Contains(patterns, l.Path) })
	if len(exact) > 0 {
		return exact, err
	}
	return listed, err
}

// declaring are those of the listed packages that declare a type; all of them if none does.
func declaring(ctx context.Context, listed []*front.Listed, typ string) ([]*front.Listed, error) {
	name, _, _ := strings.Cut(typ, "[")
	var out []*front.Listed
	for _, l := range listed {
		pkg, err := l.Types(ctx)
		if err != nil {
			return nil, err
		}
		if pkg.Scope().Lookup(name) != nil {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return listed, nil
	}
	return out, nil
}

// patternsOf are the patterns with which the go command finds the package again.
func patternsOf(l *front.Listed, given []string) []string {
	if l.Path == "command-line-arguments" {
		return given
	}
	return []string{l.Path}
}

// surveyor looks at one package.
type surveyor struct {
	q          *Query
	place      Place
	pkg        *types.Package
	asked      collection.Overrides // what the user asks of types without directives
	directives *front.Directives
	clues      *collection.Clues
	out        []*Target
	missed     []Missed // types that cannot be verified as they are
	passed     bool     // some types were passed over, with a note
}

// survey finds the collections of the package that the user and the directives in the types'
// comments ask for.
func (s *surveyor) survey(ctx context.Context) (err error) {
	if s.pkg, err = s.place.Listed.Types(ctx); err != nil {
		return err
	}
	if s.directives, err = s.place.Listed.Directives("pangolin", "point"); err != nil {
		return err
	}
	if s.asked, err = s.q.Overrides(nil); err != nil {
		return err
	}
	s.clues = clues(s.place.Listed)
	s.asked.Type, s.asked.Clues = s.place.Type, s.clues
	if s.asked.Type != "" || s.asked.New != "" {
		err = s.single()
	} else {
		err = s.all()
	}
	slices.SortStableFunc(s.out, func(a, b *Target) int { return strings.Compare(a.Found.Type, b.Found.Type) })
	return err
}

// single finds the one collection that the user names.
func (s *surveyor) single() error {
	typ, _, _ := strings.Cut(s.asked.Type, "[")
	if s.asked.Type == "" {
		found, err := recognise.Find(s.pkg, s.asked)
		if err != nil {
			return err
		}
		typ = found[0].Type
	}
	return s.add(typ, s.asked.Type)
}

// all finds all collections of the package. Types with directives are collections whatever they
// look like.
func (s *surveyor) all() error {
	found, rejected, err := recognise.Survey(s.pkg, s.asked)
	if err != nil {
		return err
	}
	var unwanted []string // types whose author does not want them verified
	for name, lines := range s.directives.ByType {
		if why, ok := skipped(lines); ok {
			delete(s.directives.ByType, name)
			found = slices.DeleteFunc(found, func(c *collection.Collection) bool { return c.Type == name })
			rejected, unwanted = append(rejected, collection.Rejected{Type: name, Why: why}), append(unwanted, name)
		}
	}
	for _, c := range found {
		if len(s.directives.ByType[c.Type]) == 0 {
			o := s.asked
			o.Type = c.Type
			if c, err = s.asDocumented(c, &o); err != nil {
				rejected = append(rejected, collection.Rejected{Type: o.Type, Why: err.Error()})
				continue
			}
			s.out = append(s.out, &Target{Place: s.place, Overrides: o, Found: c, Offered: s.plain(), Doc: s.directives.Docs[c.Type], directed: directed{s.directives, c.Type, s.pkg.Name() + "." + c.Type}})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.directives.ByType)) {
		if err := s.add(name, name); err != nil { // the other types are still verified
			s.missed = append(s.missed, refusal(s.pkg.Name()+"."+name, s.place.Listed.Path, err))
		}
	}
	slices.SortFunc(rejected, func(a, b collection.Rejected) int { return strings.Compare(a.Type, b.Type) })
	if len(s.out) == 0 && len(s.asked.Given) > 0 {
		return s.refused(rejected)
	}
	for _, rej := range rejected {
		if len(s.directives.ByType[rej.Type]) == 0 {
			name := s.pkg.Name() + "." + rej.Type
			s.passed = true
			s.q.Note("%s is not verified: %s", name, rej.Why)
			if !slices.Contains(unwanted, rej.Type) {
				what := NotTaken
				if rej.Asked && len(s.out) == 0 { // otherwise what the user asks fits another type
					what = Mistake
				}
				s.missed = append(s.missed, Missed{name, s.place.Listed.Path, fmt.Errorf("%s: %s", name, rej.Why), what})
			}
		}
	}
	return nil
}

// plain reports whether the package is one of many that a pattern matches, and nothing is asked of
// its types.
func (s *surveyor) plain() bool {
	o := &s.asked
	return !s.q.named(s.place.Listed) && len(o.Ops) == 0 && (o.Kind == "" || o.Kind == "auto") && o.Protocol == nil && o.Oracle == (Oracle{}) && len(o.Given) == 0
}

// refused returns why no type fits what the user asks for; nil if there is no such reason.
func (s *surveyor) refused(rejected []collection.Rejected) error {
	var all []error
	for _, rej := range rejected {
		all = append(all, fmt.Errorf("%s.%s: %s", s.pkg.Name(), rej.Type, rej.Why))
	}
	return errors.Join(all...)
}

// skipped finds the directive "skip", which excludes a type that is not named, and the reason that
// it gives.
func skipped(lines []string) (why string, ok bool) {
	for _, l := range lines {
		if why, ok := strings.CutPrefix(l, "skip "); ok {
			return why, true
		}
	}
	return "", false
}

// add adds a type, following its directives. asked is the type as the user names it, with type
// arguments; "" if the user does not.
func (s *surveyor) add(name, asked string) error {
	t := &Target{Place: s.place, Directives: s.directives.ByType[name], directed: directed{s.directives, name, s.pkg.Name() + "." + name}}
	take := func(directives []string) error {
		o, err := s.q.Overrides(directives)
		if err != nil {
			return err
		}
		o.Type, o.Clues = asked, s.clues
		o.Without = s.guarded(name, o.Ops)
		found, err := recognise.Find(s.pkg, o)
		if err != nil {
			return err
		}
		t.Found, err = s.read(found[0], &o)
		t.Overrides = o
		return err
	}
	if err := take(t.Directives); err != nil {
		return t.directed.wrong(err, take)
	}
	s.out = append(s.out, t)
	return nil
}

// find looks at the type again under its present overrides.
func (t *Target) find(ctx context.Context) error {
	if t.Overrides.Type == "" {
		t.Overrides.Type = t.Found.Type
	}
	pkg, err := t.Listed.Types(ctx)
	if err != nil {
		return err
	}
	found, err := recognise.Find(pkg, t.Overrides)
	if err != nil {
		return err
	}
	t.Found = found[0]
	return nil
}

// As returns the same type taken for another kind, or judged by another oracle.
func (t *Target) As(ctx context.Context, kind oracle.Kind, by collection.Oracle) (*Target, error) {
	other := *t
	other.Overrides.Kind, other.Overrides.Oracle = kind, by
	if by.IsSelf() { // which knows what all fields are for
		allCount(&other.Overrides)
	}
	if err := other.find(ctx); err != nil {
		return nil, err
	}
	if !by.IsSelf() && other.Found.Oracle != collection.KindOracle(kind) || !sameOperations(t.Found, other.Found) {
		return nil, fmt.Errorf("%s is not to be taken for a %s with all its operations", t.Name(), kind)
	}
	return &other, nil
}

// Whole returns the same type with all operations that can be called, judged by its own code.
func (t *Target) Whole(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) {
		o.Whole, o.Oracle = true, collection.SelfOracle
		allCount(o)
	})
}

// Untold returns the same type without results that say with what stand-ins are called.
func (t *Target) Untold(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Untold = true })
}

// Yearly returns the same type with one more operation, by which the clock goes on by a year.
func (t *Target) Yearly(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Clock = collection.YearsPass })
}

// Made returns the same type with another constructor, given as an expression.
func (t *Target) Made(ctx context.Context, expr string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.New = expr })
}

// Sharing returns the same type with function arguments that give the same answer, 1 the first one, in calls with the same key. The bools that some operations return, which tell
// whether others share the result, are not compared.
func (t *Target) Sharing(ctx context.Context, answer int, operations []string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) {
		o.Agreeing = answer
		if o.Given = maps.Clone(o.Given); o.Given == nil {
			o.Given = map[string]string{}
		}
		for _, name := range operations {
			o.Given[name] = collection.Sharing
		}
	})
}

// Under returns the same type under another protocol.
func (t *Target) Under(ctx context.Context, p oracle.Protocol) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Protocol = &p })
}

// Again returns the same type with operations of which, when they call a function argument several
// times, the last call counts.
func (t *Target) Again(ctx context.Context, operations []string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Again = operations })
}

// CallingBack returns the same type with operations that are given functions which call another one of
// the same object.
func (t *Target) CallingBack(ctx context.Context, operations []string, back string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) {
		o.Given = map[string]string{}
		for _, name := range operations {
			o.Given[name] = collection.Back + back
		}
	})
}

// WithAnother is the same type, as an object that its own code judges; one operation is given another collection of its type, and each operation is
// called on either.
func (t *Target) WithAnother(ctx context.Context, operation string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) {
		o.Kind, o.Oracle, o.Given = collection.Object, collection.SelfOracle, map[string]string{operation: collection.Another}
	})
}

// Copying is the same type, as an object that its own code judges; what an operation gives, another collection of its type, is used by who gets it.
func (t *Target) Copying(ctx context.Context, operation string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) {
		o.Kind, o.Oracle, o.Given = collection.Object, collection.SelfOracle, map[string]string{operation: collection.Copy}
	})
}

// Paired is the same type; what ends something is called by who has begun it.
func (t *Target) Paired(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Paired = true })
}

// AnyWait is the same type; a call may wait for ever where it waits alone.
func (t *Target) AnyWait(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.AnyWait = true })
}

// InTurn is the same type; calls of an operation may wait behind one that waits, and those that only try may be refused meanwhile.
func (t *Target) InTurn(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.InTurn = true })
}

// AnyLent is the same type; it does not count which object is given that is taken back, as by a pool.
func (t *Target) AnyLent(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.AnyLent = true })
}

// ConcurrentArguments is the same type; what was made up for interfaces that the constructor is given may be called by several threads at once.
func (t *Target) ConcurrentArguments(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.ConcurrentArguments = true })
}

// Careful is the same type; no call begins that could panic, or let one in progress panic.
func (t *Target) Careful(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Careful = true })
}

// Without is the same type without some operations, each with the reason.
func (t *Target) Without(ctx context.Context, operations map[string]string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Without = operations })
}

// Waiting returns the same type under a protocol (nil: unchanged) in which the named operations
// wait while there is nothing, or no room.
func (t *Target) Waiting(ctx context.Context, operations []string, p *oracle.Protocol) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Waits, o.Protocol = operations, p })
}

// with returns the same type with changed overrides.
func (t *Target) with(ctx context.Context, change func(*collection.Overrides)) (*Target, error) {
	other := *t
	change(&other.Overrides)
	if err := other.find(ctx); err != nil {
		return nil, err
	}
	return &other, nil
}

// sameOperations reports whether two readings of a collection have operations of the same names.
func sameOperations(a, b *collection.Collection) bool {
	names := func(c *collection.Collection) []string {
		var out []string
		for i := range c.Operations {
			out = append(out, c.Operations[i].Name)
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(names(a), names(b))
}

// Open reports whether the names of a collection and its methods fit several kinds.
func (t *Target) Open() bool { return recognise.Tells(t.Found) == recognise.Open }

// Tells reports whether the name of an operation determines what it returns, and nobody has named
// another kind or oracle.
func (t *Target) Tells(operation string) bool {
	return t.Guessed() && recognise.Unmistakable(t.Found, operation)
}

// Guessed reports whether kind and oracle were found, not asked for.
func (t *Target) Guessed() bool {
	o := &t.Overrides
	return (o.Kind == "" || o.Kind == "auto") && o.Oracle.IsAuto() &&
		!t.Found.Oracle.IsSelf() && t.Found.Kind != collection.Lock
}
