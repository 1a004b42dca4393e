// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/client"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Bounds are what is asked of a scope: configurations, and what differs from them. The zero
// value is the usual ones.
type Bounds struct {
	Config                  string // "D", "2x5", several with + between them; "": the usual ones
	Threads, Steps, PreAdds *Range // nil: the configuration's
	PerThread, Values       int    // 0: not asked for
	// Beside are configurations that nobody has asked for, of which states may cost a lot.
	Beside []string
	Items  int // likewise, see Scope

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

// ForOneThread says that one thread may call all of them.
func (o *Operations) ForOneThread() bool {
	return !slices.ContainsFunc(o.List, func(op client.Op) bool { return !op.Who.Allows(0) })
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

// UsualConfig is the configuration of bounds that name none.
const UsualConfig = "D"

// Extras are searched beside it as long as that is cheap, if nothing was said of threads and
// calls. They are those that kill most mutants for their cost (doc/scopes.md): faults that D
// misses take more calls, and hardly ever more threads.
func Extras() []string { return []string{"1x5x3", "2x4", "2x5", "3x4", "2x6"} }

// configs are the names of the configurations that are asked for, and of those beside them.
func (b *Bounds) configs() (asked, extras []string) {
	if b.Config == "" && b.Threads == nil && b.Steps == nil && b.PreAdds == nil && b.PerThread == 0 {
		extras = Extras()
	}
	return strings.Split(cmp.Or(b.Config, UsualConfig), "+"), append(extras, b.Beside...)
}

// MostThreads is how many threads there may be, whatever the collection: constructors ask.
func (b *Bounds) MostThreads() (int, error) {
	most := 0
	asked, _ := b.configs()
	for _, name := range asked {
		preset, err := client.NewPreset(name, "", oracle.Nonblocking)
		if err != nil {
			return 0, err
		}
		most = max(most, b.Threads.over(preset.Scope.Threads).To)
	}
	return most, nil
}

// Scopes are those of a collection within the bounds. Operations get their roles here.
func (b *Bounds) Scopes(o *Operations) (Union, error) {
	var err error
	if o.List, err = client.SetRoles(o.List, b.Roles); err != nil {
		return nil, err
	}
	var u Union
	asked, extras := b.configs()
	for i, name := range append(asked, extras...) {
		s, err := b.combine(name, o.Kind, o.Protocol)
		if err != nil {
			return nil, err
		}
		s.Extra = i >= len(asked)
		s.Dear = s.Extra && len(b.Beside) > 0
		b.fit(&s.Clients, o)
		if s.Extra && b.Values == 0 { // where nothing is added beforehand
			s.Clients.Values = min(s.Clients.Values, s.Clients.Steps.To+s.Clients.PreAdds.To)
		}
		space, err := client.NewSpace(s.Clients, o.List)
		if err != nil {
			return nil, err
		}
		s.Beforehand = beforehand(space)
		u = append(u, *s)
	}
	u = u.distinct()
	most := u.mostThreads()
	for _, op := range o.List {
		if op.Who.Only > most {
			return nil, fmt.Errorf("role of %s: there is no thread %d in a scope of %d threads", op.Name, op.Who.Only, most)
		}
	}
	return u, nil
}

// beforehand is what restricts the pre-adds of a space: one operation makes them all, with the keys 0, 1, ….
func beforehand(space *client.Space) (b verdict.Beforehand) {
	add := space.Adder()
	if add == nil {
		return b
	}
	if slices.ContainsFunc(space.Ops, func(op client.Op) bool { return op.Effect == client.Adds && op.Name != add.Name }) {
		b.Adder = add.Name
	}
	if slices.Contains(add.Params, oracle.ParamKey) {
		b.Keys = verdict.FixedKeys
	}
	return b
}

// combine puts what is asked for over a configuration for a kind.
func (b *Bounds) combine(name string, kind oracle.Kind, p oracle.Protocol) (*Scope, error) {
	preset, err := client.NewPreset(name, kind, p.Kind)
	if err != nil {
		return nil, err
	}
	s := &Scope{Preset: name, Clients: preset.Scope, Hash: preset.Hash, Preempt: preset.Preempt, Fair: !b.Unfair, Roles: b.Roles, Items: b.Items}
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
	if o.Protocol.Kind == oracle.Bounded && b.PreAdds == nil {
		s.PreAdds.To = min(s.PreAdds.To, max(1, o.Protocol.Capacity)) // more would wait for ever
	}
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
