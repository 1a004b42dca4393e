// Package discover finds the collections of packages.
//
// It takes package patterns and a function that says, for each type, what is asked of it
// there (a Query), and gives Targets: where each collection is, and what was found of it.
// What the directives in a type's comment mean is for the caller to say. It compiles
// nothing and decides nothing about scopes.
package discover

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

// Query says where to look, and for what.
type Query struct {
	Dir string // in which the go command runs
	// Packages are package patterns of the go command, or PKG.Type for one type; none
	// is ".".
	Packages []string
	// Type is a type of the one package; "": all there are.
	Type string
	// Tests says that test files belong to the packages; the import path of a package of tests
	// that stand outside ends in "_test".
	Tests bool
	// New says that there is a constructor: then one package must match.
	New bool
	// Overrides says what is asked of a type besides its name, given the directives in its
	// comment: lines such as "new NewQueue[int](2)".
	Overrides func(directives []string) (Wishes, error)
	// Note is told of what is passed over.
	Note func(format string, args ...any)
}

// DirectiveError says what is wrong with one directive of a type, which Overrides was given.
type DirectiveError struct {
	Line string
	Err  error
}

func (e *DirectiveError) Error() string { return fmt.Sprintf("//pangolin:%s: %s", e.Line, e.Err) }
func (e *DirectiveError) Unwrap() error { return e.Err }

// Wishes are what is asked of a type instead of what would be found.
type Wishes = collection.Overrides

// Pull asks, in place of a function (Wishes.Given), that the iterator that an operation gives is taken step by step.
const Pull = collection.Pull

// Oracle says what judges a collection, and ParseOracle reads it.
type Oracle = collection.Oracle

// ParseOracle reads what users and files call an oracle.
func ParseOracle(text string) Oracle { return collection.ParseOracle(text) }

// Kind is what a collection is: a queue, a set.
type Kind = oracle.Kind

// ParseProtocol reads what users and files call a protocol; nil if the text is empty.
func ParseProtocol(text string) (*oracle.Protocol, error) { return oracle.ParseProtocol(text) }

// KindOracle is the specification of a kind.
func KindOracle(k oracle.Kind) Oracle { return collection.KindOracle(k) }

// Target is a collection that was found.
type Target struct {
	Place
	Directives []string // in the type's comment
	Overrides  collection.Overrides
	Found      *collection.Collection
}

// Name is the collection's name in verdicts.
func (t *Target) Name() string { return t.Listed.Name + "." + t.Found.Type }

// Find finds what a query is about. Packages without a collection are passed
// over with a note, unless none has any. What is wrong with one package does not keep
// the others from being found: the error comes with them.
func (q *Query) Find(ctx context.Context) ([]*Target, error) {
	places, err := q.Places(ctx)
	if err != nil {
		return nil, err
	}
	var out []*Target
	var failed, passed []error
	for _, p := range places {
		found, refused, err := q.survey(ctx, p)
		switch {
		case err != nil:
			failed = append(failed, err)
			continue
		case len(found) == 0 && refused:
			passed = append(passed, fmt.Errorf("package %s has no collection that can be verified (Request.Type names another type)", p.Listed.Path))
		case len(found) == 0:
			passed = append(passed, fmt.Errorf("package %s has no collection: no exported type with operations (Request.Type names another)", p.Listed.Path))
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, errors.Join(append(failed, passed...)...)
	}
	for _, err := range passed {
		q.Note("%v", err)
	}
	return out, errors.Join(failed...)
}

// Place is a package with the type in it that was asked for.
type Place struct {
	Listed   *front.Listed
	Patterns []string // with which the go command finds it again
	Type     string   // "": all there are
}

// Places asks the go command for the packages.
func (q *Query) Places(ctx context.Context) ([]Place, error) {
	var plain []string
	var out []Place
	for _, arg := range q.Packages {
		pattern, typ := collection.SplitType(arg)
		if typ == "" {
			plain = append(plain, arg)
			continue
		}
		listed, err := q.list(ctx, []string{pattern})
		if err != nil {
			return nil, err
		}
		if len(listed) > 1 {
			return nil, fmt.Errorf("%s: %s matches %d packages, a type is in one", arg, pattern, len(listed))
		}
		out = append(out, Place{listed[0], patternsOf(listed[0], []string{pattern}), typ})
	}
	if len(plain) == 0 && len(out) > 0 {
		return out, nil
	}
	if len(plain) == 0 {
		plain = []string{"."}
	}
	listed, err := q.list(ctx, plain)
	if err != nil {
		return nil, err
	}
	if len(listed) > 1 && q.Tests && q.Type != "" {
		if listed, err = declaring(ctx, listed, q.Type); err != nil {
			return nil, err
		}
	}
	if len(listed) > 1 && (q.Type != "" || q.New) {
		return nil, fmt.Errorf("%s matches %d packages, type and new need one", strings.Join(plain, " "), len(listed))
	}
	for _, l := range listed {
		out = append(out, Place{l, patternsOf(l, plain), q.Type})
	}
	return out, nil
}

// list asks the go command for packages. With tests, an import path means that package alone,
// not those of the tests beside it.
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

// declaring are those of a package and of the tests outside of it that declare a type; all, if none does.
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

// patternsOf is how the go command finds the package again.
func patternsOf(l *front.Listed, given []string) []string {
	if l.Path == "command-line-arguments" {
		return given
	}
	return []string{l.Path}
}

// survey finds the collections of one package, as the user and the directives in
// the types' comments want them; refused says that there are others, of which it has been said why not.
func (q *Query) survey(ctx context.Context, p Place) (found []*Target, refused bool, err error) {
	pkg, err := p.Listed.Types(ctx)
	if err != nil {
		return nil, false, err
	}
	directives, err := p.Listed.Directives("pangolin", "point")
	if err != nil {
		return nil, false, err
	}
	asked, err := q.Overrides(nil)
	if err != nil {
		return nil, false, err
	}
	asked.Type = p.Type
	s := &surveyor{q: q, place: p, pkg: pkg, asked: asked, directives: directives}
	if asked.Type != "" || asked.New != "" {
		err = s.single()
	} else {
		err = s.all()
	}
	if err != nil {
		return nil, false, err
	}
	slices.SortStableFunc(s.out, func(a, b *Target) int { return strings.Compare(a.Found.Type, b.Found.Type) })
	return s.out, s.passed, nil
}

// surveyor looks at one package.
type surveyor struct {
	q          *Query
	place      Place
	pkg        *types.Package
	asked      collection.Overrides // of types without directives
	directives *front.Directives
	out        []*Target
	passed     bool // some types were passed over with a note
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

// all finds all there are. Types with directives are collections whatever they look
// like.
func (s *surveyor) all() error {
	found, rejected, err := recognise.Survey(s.pkg, s.asked)
	if err != nil {
		return err
	}
	for name, lines := range s.directives.ByType {
		if why, ok := skipped(lines); ok {
			delete(s.directives.ByType, name)
			found = slices.DeleteFunc(found, func(c *collection.Collection) bool { return c.Type == name })
			rejected = append(rejected, collection.Rejected{Type: name, Why: why})
		}
	}
	for _, c := range found {
		if len(s.directives.ByType[c.Type]) == 0 {
			o := s.asked
			o.Type = c.Type
			s.out = append(s.out, &Target{Place: s.place, Overrides: o, Found: c})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.directives.ByType)) {
		if err := s.add(name, name); err != nil {
			return err
		}
	}
	slices.SortFunc(rejected, func(a, b collection.Rejected) int { return strings.Compare(a.Type, b.Type) })
	if len(s.out) == 0 && len(s.asked.Given) > 0 {
		return s.refused(rejected)
	}
	for _, rej := range rejected {
		if len(s.directives.ByType[rej.Type]) == 0 {
			s.passed = true
			s.q.Note("%s.%s is not verified: %s", s.pkg.Name(), rej.Type, rej.Why)
		}
	}
	return nil
}

// refused says why no type can be given what the user says; nil if there is none.
func (s *surveyor) refused(rejected []collection.Rejected) error {
	var all []error
	for _, rej := range rejected {
		all = append(all, fmt.Errorf("%s.%s: %s", s.pkg.Name(), rej.Type, rej.Why))
	}
	return errors.Join(all...)
}

// skipped finds the directive that a type is not to be verified unless it is named.
func skipped(lines []string) (why string, ok bool) {
	for _, l := range lines {
		if why, ok := strings.CutPrefix(l, "skip "); ok {
			return why, true
		}
	}
	return "", false
}

// add adds a type, following its directives. The user names it as asked, with type
// arguments, or not at all.
func (s *surveyor) add(name, asked string) error {
	t := &Target{Place: s.place, Directives: s.directives.ByType[name]}
	var err error
	if t.Overrides, err = s.q.Overrides(t.Directives); err != nil {
		if wrong := (*DirectiveError)(nil); errors.As(err, &wrong) {
			return fmt.Errorf("%s: %s.%s: %w", s.directives.At(name, wrong.Line), s.pkg.Name(), name, err)
		}
		return fmt.Errorf("%s.%s: %w", s.pkg.Name(), name, err)
	}
	t.Overrides.Type = asked
	found, err := recognise.Find(s.pkg, t.Overrides)
	if err != nil {
		return err
	}
	t.Found = found[0]
	s.out = append(s.out, t)
	return nil
}

// find looks at the type again, as the overrides now want it.
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

// As is the same type taken for another kind, or judged by another oracle.
func (t *Target) As(ctx context.Context, kind oracle.Kind, by collection.Oracle) (*Target, error) {
	other := *t
	other.Overrides.Kind, other.Overrides.Oracle = kind, by
	if err := other.find(ctx); err != nil {
		return nil, err
	}
	if !by.IsSelf() && other.Found.Oracle != collection.KindOracle(kind) || !sameOperations(t.Found, other.Found) {
		return nil, fmt.Errorf("%s is not to be taken for a %s with all its operations", t.Name(), kind)
	}
	return &other, nil
}

// Whole is the same type with all operations that can be called, judged by the same code.
func (t *Target) Whole(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Whole, o.Oracle = true, collection.SelfOracle })
}

// Agreeing is the same type, its operations given functions that agree.
func (t *Target) Agreeing(ctx context.Context) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Agreeing = true })
}

// Under is the same type under another protocol.
func (t *Target) Under(ctx context.Context, p oracle.Protocol) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Protocol = &p })
}

// Again is the same type; of the calls that operations make to a function that they are given the
// last one counts.
func (t *Target) Again(ctx context.Context, operations []string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Again = operations })
}

// Reading is the same type, its unclear operations taken to return the value of before or that of after.
func (t *Target) Reading(ctx context.Context, readings map[string]string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Readings = readings })
}

// Waiting is the same type under a protocol (nil: found); the operations that are named wait where there
// is nothing, or no room.
func (t *Target) Waiting(ctx context.Context, operations []string, p *oracle.Protocol) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Waits, o.Protocol = operations, p })
}

// with is the same type with other overrides.
func (t *Target) with(ctx context.Context, change func(*collection.Overrides)) (*Target, error) {
	other := *t
	change(&other.Overrides)
	if err := other.find(ctx); err != nil {
		return nil, err
	}
	return &other, nil
}

// sameOperations says that two ways to take a collection have operations of the same names.
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

// Open says that the names of a collection and its methods leave its kind open.
func (t *Target) Open() bool { return recognise.Tells(t.Found) == recognise.Open }

// Called lists the kinds that a type's name allows, if it is called what it is taken for.
func (t *Target) Called() []oracle.Kind {
	if recognise.Tells(t.Found) != recognise.ByType {
		return nil
	}
	return recognise.Called(t.Found)
}

// Tells says that the name of an operation tells what it has to give, and that nobody names another kind or oracle.
func (t *Target) Tells(operation string) bool {
	return t.Guessed() && recognise.Unmistakable(t.Found, operation)
}

// Guessed says that neither kind nor oracle were asked for.
func (t *Target) Guessed() bool {
	o := &t.Overrides
	return (o.Kind == "" || o.Kind == "auto") && o.Oracle.IsAuto() &&
		!t.Found.Oracle.IsSelf() && t.Found.Kind != collection.Lock
}
