package pangolin

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/internal/recognise"
	"pangolin/oracle"
	"pangolin/verdict"
)

// target is a collection that was found, with how it is to be verified.
type target struct {
	listed    *front.Listed
	patterns  []string // with which the go command finds the package
	overrides collection.Overrides
	found     *collection.Collection
	request   Request // with what the type's directives ask for
	bounds    *bounds
	ops       []client.Op
	loaded    *loaded // nil: not compiled yet
}

// name is the collection's name in verdicts.
func (t *target) name() string { return t.listed.Name + "." + t.found.Type }

// discover finds what a request is about. Packages without a collection are passed
// over with a note, unless none has any.
func (r *Request) discover(ctx context.Context) ([]*target, error) {
	places, err := r.list(ctx)
	if err != nil {
		return nil, err
	}
	var out []*target
	var passed []error
	for _, p := range places {
		found, err := r.survey(ctx, p)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			passed = append(passed, fmt.Errorf("package %s has no collection: no exported type with operations (-type names another)", p.listed.Path))
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, errors.Join(passed...)
	}
	for _, err := range passed {
		r.Events.note("%v", err)
	}
	return out, nil
}

// place is a package with the type in it that was asked for.
type place struct {
	listed   *front.Listed
	patterns []string
	typ      string
}

// list asks the go command for the packages.
func (r *Request) list(ctx context.Context) ([]place, error) {
	var plain []string
	var out []place
	for _, arg := range r.Packages {
		pattern, typ := splitType(arg)
		if typ == "" {
			plain = append(plain, arg)
			continue
		}
		listed, err := front.List(ctx, r.Dir, []string{pattern})
		if err != nil {
			return nil, err
		}
		if len(listed) > 1 {
			return nil, fmt.Errorf("%s: %s matches %d packages, a type is in one", arg, pattern, len(listed))
		}
		out = append(out, place{listed[0], patternsOf(listed[0], []string{pattern}), typ})
	}
	if len(plain) == 0 && len(out) > 0 {
		return out, nil
	}
	if len(plain) == 0 {
		plain = []string{"."}
	}
	listed, err := front.List(ctx, r.Dir, plain)
	if err != nil {
		return nil, err
	}
	if len(listed) > 1 && (r.Type != "" || r.New != "") {
		return nil, fmt.Errorf("%s matches %d packages, type and new need one", strings.Join(plain, " "), len(listed))
	}
	for _, l := range listed {
		out = append(out, place{l, patternsOf(l, plain), r.Type})
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

// splitType splits PKG.Type. What looks like a version (yaml.v3) or a file is none.
func splitType(arg string) (pattern, typ string) {
	bare, instance := arg, ""
	if i := strings.IndexByte(arg, '['); i >= 0 {
		bare, instance = arg[:i], arg[i:]
	}
	i := strings.LastIndexByte(bare, '.')
	if i <= 0 || i < strings.LastIndexByte(bare, '/') || bare[i-1] == '.' || bare[i-1] == '/' {
		return arg, ""
	}
	name := bare[i+1:]
	version := strings.TrimLeft(strings.TrimPrefix(name, "v"), "0123456789") == "" && name[:min(1, len(name))] == "v"
	if !token.IsIdentifier(name) || name == "go" || version {
		return arg, ""
	}
	return bare[:i], name + instance
}

// survey finds the collections of one package, as the user and the directives in
// the types' comments want them.
func (r *Request) survey(ctx context.Context, p place) ([]*target, error) {
	pkg, err := p.listed.Types(ctx)
	if err != nil {
		return nil, err
	}
	directives, err := p.listed.Directives("pangolin")
	if err != nil {
		return nil, err
	}
	asked, err := r.overrides(p.typ)
	if err != nil {
		return nil, err
	}
	s := &surveyor{r: r, place: p, pkg: pkg, asked: asked, directives: directives}
	if asked.Type != "" || asked.New != "" {
		err = s.single()
	} else {
		err = s.all()
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(s.out, func(a, b *target) int { return strings.Compare(a.found.Type, b.found.Type) })
	return s.out, r.prepare(s.out)
}

// overrides is what the user asks for, in the words of package collection.
func (r *Request) overrides(typ string) (collection.Overrides, error) {
	protocol, err := parseProtocol(r.Protocol)
	if err != nil {
		return collection.Overrides{}, err
	}
	b, err := r.bounds(collection.Object, oracle.Protocol{})
	if err != nil {
		return collection.Overrides{}, err
	}
	return collection.Overrides{Threads: b.scope.Threads.To, Type: typ, New: r.New, Ops: slices.Clone(r.Ops), Kind: oracle.Kind(r.Kind),
		Protocol: protocol, Oracle: r.Oracle}, nil
}

// surveyor looks at one package.
type surveyor struct {
	r          *Request
	place      place
	pkg        *types.Package
	asked      collection.Overrides
	directives map[string][]string
	out        []*target
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
	return s.add(typ, s.asked)
}

// all finds all there are. Types with directives are collections whatever they look
// like.
func (s *surveyor) all() error {
	found, rejected, err := recognise.Survey(s.pkg, s.asked)
	if err != nil {
		return err
	}
	for name, lines := range s.directives {
		if why, ok := skipped(lines); ok {
			delete(s.directives, name)
			found = slices.DeleteFunc(found, func(c *collection.Collection) bool { return c.Type == name })
			rejected = append(rejected, collection.Rejected{Type: name, Why: why})
		}
	}
	for _, c := range found {
		if len(s.directives[c.Type]) == 0 {
			o := s.asked
			o.Type = c.Type
			s.out = append(s.out, s.target(o, c))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.directives)) {
		o := s.asked
		o.Type = name
		if err := s.add(name, o); err != nil {
			return err
		}
	}
	slices.SortFunc(rejected, func(a, b collection.Rejected) int { return strings.Compare(a.Type, b.Type) })
	for _, rej := range rejected {
		if len(s.directives[rej.Type]) == 0 {
			s.r.Events.note("%s.%s is not verified: %s", s.pkg.Name(), rej.Type, rej.Why)
		}
	}
	return nil
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

// add adds a type, following its directives.
func (s *surveyor) add(typ string, o collection.Overrides) error {
	t := s.target(o, nil)
	if err := t.direct(s.directives[typ]); err != nil {
		return fmt.Errorf("%s.%s: %w", s.pkg.Name(), typ, err)
	}
	found, err := recognise.Find(s.pkg, t.overrides)
	if err != nil {
		return err
	}
	t.found = found[0]
	s.out = append(s.out, t)
	return nil
}

func (s *surveyor) target(o collection.Overrides, c *collection.Collection) *target {
	return &target{listed: s.place.listed, patterns: s.place.patterns, overrides: o, found: c, request: *s.r}
}

// direct follows directives, lines such as "new NewQueue[int](2)" in the comment of a
// type. What the user asks for wins.
func (t *target) direct(lines []string) error {
	for _, line := range lines {
		key, value, _ := strings.Cut(line, " ")
		value = strings.TrimSpace(value)
		if err := t.directive(key, value); err != nil {
			return fmt.Errorf("//pangolin:%s: %w", line, err)
		}
	}
	return nil
}

func (t *target) directive(key, value string) (err error) {
	o, r := &t.overrides, &t.request
	switch key {
	case "new":
		setDefault(&o.New, value)
	case "kind":
		setDefault((*string)(&o.Kind), value)
	case "oracle":
		setDefault(&o.Oracle, value)
	case "property":
		setDefault(&r.Property, value)
		_, err = r.properties()
	case "roles":
		setDefault(&r.Roles, value)
	case "config":
		if r.Scope == (Scope{}) {
			r.Scope.Config = value
		}
	case "ops":
		if len(o.Ops) == 0 {
			o.Ops = strings.Split(value, ",")
		}
	case "protocol":
		if o.Protocol == nil {
			o.Protocol, err = parseProtocol(value)
		}
	case "skip":
	case "unfair":
		if r.Search.Unfair == Default {
			r.Search.Unfair = On
		}
	default:
		err = errors.New("unknown directive: there are new, kind, protocol, oracle, ops, roles, property, config, unfair and skip")
	}
	return err
}

func setDefault(s *string, value string) {
	if *s == "" {
		*s = value
	}
}

// prepare fits the bounds to each collection.
func (r *Request) prepare(list []*target) error {
	for _, t := range list {
		if err := t.prepare(); err != nil {
			return fmt.Errorf("%s: %w", t.name(), err)
		}
	}
	return nil
}

func (t *target) prepare() error {
	b, err := t.request.bounds(t.found.Kind, t.found.Protocol)
	if err != nil {
		return err
	}
	ops := make([]client.Op, len(t.found.Operations))
	values := 0
	for i := range t.found.Operations {
		o := &t.found.Operations[i]
		ops[i] = o.Client()
		for _, p := range o.Params {
			if p.Values > 0 && (values == 0 || p.Values < values) {
				values = p.Values
			}
		}
	}
	if t.ops, err = client.SetRoles(ops, t.request.Roles); err != nil {
		return err
	}
	b.fit(t.ops, values, t.request.Scope.PreAdds != "")
	t.bounds = b
	for _, op := range t.ops {
		if op.Who.Only > b.scope.Threads.To {
			return fmt.Errorf("role of %s: there is no thread %d in a scope of %d threads", op.Name, op.Who.Only, b.scope.Threads.To)
		}
	}
	_, err = client.NewSpace(b.scope, t.ops)
	return err
}

// describe is the collection for people and scripts.
func (t *target) describe() verdict.Collection {
	c := t.found
	v := verdict.Collection{Type: "collection", Package: t.listed.Path, Name: t.name(), Instance: c.Display, New: c.New,
		Kind: string(c.Kind), Protocol: c.Protocol.String(), Oracle: c.Oracle, Reason: c.Reason, Skipped: []verdict.Skipped{}}
	for i := range c.Operations {
		o := &c.Operations[i]
		v.Operations = append(v.Operations, verdict.Operation{Name: o.Name, Role: string(o.Op.Role), Signature: o.Signature()})
	}
	for _, s := range c.Skipped {
		v.Skipped = append(v.Skipped, verdict.Skipped(s))
	}
	return v
}
