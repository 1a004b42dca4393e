package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/client"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Bounds are what is asked of a scope: a configuration of COLLECT's Table 1, and what
// differs from it. The zero value is configuration D.
type Bounds struct {
	Config                  string
	Threads, Steps, PreAdds *Range // nil: the configuration's
	PerThread, Values       int    // 0: not asked for

	// nil: as the configuration has it.
	ThreadSymmetry, GenericValues, AddsDominant, DistinctPriorities *bool

	Hash    *client.Hash
	Preempt *int // negative: no bound
	Unfair  bool
	Roles   string
}

// Range is a range that is asked for. One without a beginning begins where the
// configuration's does, if that is not behind its end.
type Range struct {
	From, To int
	Open     bool // From is not given
}

// ParseRange reads "a..b" or "b"; nil if the text is empty.
func ParseRange(text string) (*Range, error) {
	if text == "" {
		return nil, nil
	}
	from, to, closed := strings.Cut(text, "..")
	if !closed {
		from, to = "0", text
	}
	a, err := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil {
		return nil, errors.New("want a range such as 1..3")
	}
	return &Range{a, b, !closed}, nil
}

// over is the range in place of a configuration's.
func (r *Range) over(def client.Range) client.Range {
	switch {
	case r == nil:
		return def
	case r.Open:
		return client.Range{From: min(def.From, r.To), To: r.To}
	}
	return client.Range{From: r.From, To: r.To}
}

// ParseHash reads a model of hash functions; nil if the text is empty.
func ParseHash(text string) (*client.Hash, error) {
	if text == "" {
		return nil, nil
	}
	h, err := client.ParseHash(text, client.Hash{})
	return &h, err
}

// Operations are those of a collection of a kind, as clients call them.
type Operations struct {
	Kind     oracle.Kind
	Protocol oracle.Protocol
	List     []client.Op
	// Values is how many different arguments there are at least of each operation; 0: any
	// number.
	Values int
}

// Usual are the usual operations of a kind, all or those with the given names.
func Usual(kind string, protocol *oracle.Protocol, names []string) (*Operations, error) {
	o := &Operations{Kind: oracle.Kind(kind), Protocol: oracle.Protocol{Kind: oracle.Nonblocking}, List: client.DefaultOps(oracle.Kind(kind))}
	if protocol != nil {
		o.Protocol = *protocol
	}
	if o.List == nil {
		return nil, fmt.Errorf("the kind %q has no usual operations: name a package", kind)
	}
	var err error
	o.List, err = choose(o.List, names)
	return o, err
}

// choose keeps the operations with the given names; all if there are none.
func choose(ops []client.Op, names []string) ([]client.Op, error) {
	if len(names) == 0 {
		return ops, nil
	}
	var out []client.Op
	for _, name := range names {
		i := slices.IndexFunc(ops, func(o client.Op) bool { return o.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no operation %s", name)
		}
		out = append(out, ops[i])
	}
	return out, nil
}

// defaultConfig is the configuration of bounds that name none.
const defaultConfig = "D"

// MostThreads is how many threads there may be, whatever the collection: constructors ask.
func (b *Bounds) MostThreads() (int, error) {
	preset, err := client.NewPreset(cmp.Or(b.Config, defaultConfig), "", oracle.Nonblocking)
	return b.Threads.over(preset.Scope.Threads).To, err
}

// Scope is the scope of a collection within the bounds. It gives the operations their
// roles.
func (b *Bounds) Scope(o *Operations) (*Scope, error) {
	s, err := b.combine(o.Kind, o.Protocol)
	if err != nil {
		return nil, err
	}
	if o.List, err = client.SetRoles(o.List, b.Roles); err != nil {
		return nil, err
	}
	b.fit(&s.Clients, o)
	for _, op := range o.List {
		if op.Who.Only > s.Clients.Threads.To {
			return nil, fmt.Errorf("role of %s: there is no thread %d in a scope of %d threads", op.Name, op.Who.Only, s.Clients.Threads.To)
		}
	}
	_, err = client.NewSpace(s.Clients, o.List)
	return s, err
}

// combine puts what is asked for over the configuration of a kind.
func (b *Bounds) combine(kind oracle.Kind, p oracle.Protocol) (*Scope, error) {
	name := cmp.Or(b.Config, defaultConfig)
	preset, err := client.NewPreset(name, kind, p.Kind)
	if err != nil {
		return nil, err
	}
	s := &Scope{Preset: name, Clients: preset.Scope, Hash: preset.Hash, Preempt: preset.Preempt, Fair: !b.Unfair, Roles: b.Roles}
	if preset.Preempt == 0 {
		s.Preempt = -1
	}
	usual := *s
	b.overrideRanges(&s.Clients)
	b.overrideOptions(&s.Clients)
	if b.Preempt != nil {
		s.Preempt = max(-1, *b.Preempt)
	}
	if b.Hash != nil {
		s.Hash = *b.Hash
	}
	if *s != usual {
		s.Preset = ""
	}
	return s, contradictions(&s.Clients, kind)
}

func (b *Bounds) overrideRanges(s *client.Scope) {
	before := *s
	s.Threads, s.Steps, s.PreAdds = b.Threads.over(s.Threads), b.Steps.over(s.Steps), b.PreAdds.over(s.PreAdds)
	s.PerThread = b.PerThread
	switch {
	case b.Values > 0:
		s.Values = b.Values
	case s.PerThread > 0:
		s.Values = s.Threads.To*s.PerThread + s.PreAdds.To
	case s.Steps != before.Steps || s.PreAdds != before.PreAdds:
		s.Values = s.Steps.To + s.PreAdds.To
	}
}

func (b *Bounds) overrideOptions(s *client.Scope) {
	s.GenericValues = s.GenericValues && b.Values == 0
	for at, asked := range map[*bool]*bool{&s.ThreadSymmetry: b.ThreadSymmetry, &s.GenericValues: b.GenericValues,
		&s.AddsDominant: b.AddsDominant, &s.DistinctPriorities: b.DistinctPriorities} {
		if asked != nil {
			*at = *asked
		}
	}
}

// contradictions reports options that do not go with a kind.
func contradictions(s *client.Scope, kind oracle.Kind) error {
	switch {
	case s.GenericValues && kind == oracle.Set:
		return errors.New("Request.Scope.GenericValues does not go with a set, whose code compares its items")
	case s.DistinctPriorities && kind != oracle.PQueue:
		return fmt.Errorf("Request.Scope.DistinctPriorities does not go with a %s, which has no priorities", kind)
	}
	return s.Validate()
}

// fit makes a scope that of a collection: with so many different arguments, and nothing to
// add beforehand if no operation adds, unless that is asked for.
func (b *Bounds) fit(s *client.Scope, o *Operations) {
	adds := false
	for _, op := range o.List {
		adds = adds || op.Effect == client.Adds
	}
	if !adds && b.PreAdds == nil {
		s.PreAdds = client.Range{}
	}
	if need := s.Steps.To + s.PreAdds.To; o.Values > 0 && o.Values < max(s.Values, need) {
		s.Values = min(s.Values, o.Values)
		s.GenericValues = false
	}
}

// Count counts the clients of a scope, and lists them if that is asked for.
func (s *Scope) Count(o *Operations, list bool) (verdict.Clients, error) {
	space, err := client.NewSpace(s.Clients, o.List)
	if err != nil {
		return verdict.Clients{}, err
	}
	c := verdict.Clients{Type: "clients", Kind: string(o.Kind), Scope: s.Plain(), Count: json.Number(space.Count().String())}
	if list {
		c.List = []string{}
		for one := range space.All() {
			c.List = append(c.List, space.Format(one))
		}
	}
	return c, nil
}
