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
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Bounds are the user's request for a scope: configurations, and changes of them. The zero value is the usual scope.
type Bounds struct {
	Config                  string // "D", "2x5", several joined by +; "": the usual ones
	Threads, Steps, PreAdds *Range // nil: the configuration's
	PerThread, Values       int    // 0: the configuration's
	Endless                 bool   // any number of calls, in place of Steps
	// Beside are configurations that the user has not asked for, which are searched before Extras. With them the states of all of these may be
	// expensive.
	Beside []string
	// Chosen: the user has asked for the first configuration only. A search of those behind it that reaches a limit is left out of the verdict.
	Chosen bool
	Items  int // see Scope.Items; if Endless, see client.Scope

	// nil: the configuration's
	ThreadSymmetry, GenericValues, AddsDominant, DistinctPriorities *bool

	Hash    *client.Hash
	Preempt *int // negative: no bound
	Unfair  bool
	Roles   string
}

// Range is a range that the user asks for. Without a beginning it begins like the configuration's, or at its end if that is smaller.
type Range struct {
	From, To int
	Open     bool // From is not given
}

// ParseRange parses "a..b" or "b"; nil if the text is empty.
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

// over returns the range in place of a configuration's.
func (r *Range) over(def client.Range) client.Range {
	switch {
	case r == nil:
		return def
	case r.Open:
		return client.Range{From: min(def.From, r.To), To: r.To}
	}
	return client.Range{From: r.From, To: r.To}
}

// ParseHash parses a model of hash functions; nil if the text is empty.
func ParseHash(text string) (*client.Hash, error) {
	if text == "" {
		return nil, nil
	}
	h, err := client.ParseHash(text, client.Hash{})
	return &h, err
}

// Operations are the operations of a collection of a kind, as clients call them.
type Operations struct {
	Kind     oracle.Kind
	Protocol oracle.Protocol
	List     []client.Op
	// Values is the smallest number of different arguments that any of the operations takes; 0: not bounded.
	Values int
	// Own: the collection's own code judges, which says itself what becomes of who takes more than was added. So clients that do are in the usual scope.
	Own bool
}

// ForOneThread reports whether one thread may call all of them.
func (o *Operations) ForOneThread() bool {
	return !slices.ContainsFunc(o.List, func(op client.Op) bool { return !op.Who.Allows(0) })
}

// Usual returns the usual operations of a kind: all, or those with the given names.
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

// choose selects the operations with the given names; all if there are none.
func choose(ops []client.Op, names []string) ([]client.Op, error) {
	if len(names) == 0 {
		return ops, nil
	}
	var out []client.Op
	for _, name := range names {
		i := slices.IndexFunc(ops, func(o client.Op) bool { return o.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no operation %s of this kind", name)
		}
		out = append(out, ops[i])
	}
	return out, nil
}

// UsualConfig is the configuration if the user names none.
const UsualConfig = "D"

// Extras are searched beside the usual configuration while that is cheap, if the user has not limited threads and calls. They kill most
// mutants for their cost (doc/scopes.md): faults that D misses take more calls, and hardly ever more threads.
func Extras() []string { return []string{"1x5x3", "2x4", "2x5", "3x4", "2x6"} }

// usual reports whether the user asks for no particular scope.
func (b *Bounds) usual() bool {
	return b.Chosen || b.Config == "" && b.Threads == nil && b.Steps == nil && b.PreAdds == nil && b.PerThread == 0 && !b.Endless
}

// configs lists the configurations that the user asks for, and those beside them.
func (b *Bounds) configs() (asked, extras []string) {
	if b.Config == "" && b.usual() {
		extras = slices.DeleteFunc(Extras(), func(name string) bool { return slices.Contains(b.Beside, name) })
	}
	return strings.Split(cmp.Or(b.Config, UsualConfig), "+"), slices.Concat(b.Beside, extras)
}

// MostThreads is the greatest number of threads in the scope, for constructors that take it, whatever the collection is.
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

// Scopes fits the bounds to a collection: the scopes asked for, then extra ones. It also sets the roles of o's operations.
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
		s.Longer = b.Chosen && i > 0 && !s.Extra
		if o.Own && b.AddsDominant == nil {
			s.Clients.AddsDominant = false
		}
		b.fit(&s.Clients, o)
		if s.Extra && b.Values == 0 { // a scope without pre-adds has fewer values
			s.Clients.Values = min(s.Clients.Values, s.Clients.Steps.To+s.Clients.PreAdds.To)
		}
		space, err := client.NewSpace(s.Clients, o.List)
		if err != nil {
			return nil, err
		}
		s.Beforehand = beforehand(space)
		u = append(u, *s)
	}
	u[0].Large = b.usual()
	u = u.distinct()
	most := u.mostThreads()
	for _, op := range o.List {
		if op.Who.Only > most {
			return nil, fmt.Errorf("role of %s: there is no thread %d in a scope of %d threads", op.Name, op.Who.Only, most)
		}
	}
	return u, nil
}

// beforehand describes the restrictions on pre-adds: which operation makes them, and whether its keys are 0, 1, ….
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

// combine applies the bounds to a configuration for a kind.
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
	if b.Endless {
		return b.endless(s, kind)
	}
	if s.Clients.Endless {
		s.Items = 0 // the configuration's, in s.Clients, count
		if b.Preempt != nil && *b.Preempt >= 0 {
			return nil, fmt.Errorf("the configuration %s does not go with -preempt, which counts", name)
		}
	}
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

// endless puts any number of calls in place of a configuration's. The options that need calls to be counted are off.
func (b *Bounds) endless(s *Scope, kind oracle.Kind) (*Scope, error) {
	switch {
	case b.Config != "":
		return nil, errors.New("Request.Scope.Config and any number of calls (-steps any) contradict each other: a configuration bounds the calls")
	case b.PerThread > 0 || b.Preempt != nil && *b.Preempt >= 0:
		return nil, errors.New("any number of calls (-steps any) does not go with -per-thread and -preempt, which count")
	}
	s.Preset, s.Items, s.Preempt = "", 0, -1
	s.Hash = client.Hash{}
	if b.Hash != nil {
		s.Hash = *b.Hash
	}
	c := s.Clients.AnyCalls(b.Threads.over(client.Range{From: 1, To: client.EndlessFew}), cmp.Or(b.Values, client.EndlessFew), cmp.Or(b.Items, client.EndlessFew))
	c.PreAdds = b.PreAdds.over(client.Range{})
	s.Clients = c
	for at, asked := range map[*bool]*bool{&s.Clients.ThreadSymmetry: b.ThreadSymmetry, &s.Clients.GenericValues: b.GenericValues,
		&s.Clients.AddsDominant: b.AddsDominant, &s.Clients.DistinctPriorities: b.DistinctPriorities} {
		if asked != nil {
			*at = *asked
		}
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
	case s.Endless:
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

// contradictions returns an error if options do not fit a kind.
func contradictions(s *client.Scope, kind oracle.Kind) error {
	switch {
	case s.GenericValues && kind == oracle.Set:
		return errors.New("Request.Scope.GenericValues does not go with a set, whose code compares its items")
	case s.DistinctPriorities && kind != oracle.PQueue:
		return fmt.Errorf("Request.Scope.DistinctPriorities does not go with a %s, which has no priorities", kind)
	}
	return s.Validate()
}

// fit adapts a scope to a collection: to its number of different arguments, and without pre-adds if no operation adds or one is called first,
// unless the user asks for them.
func (b *Bounds) fit(s *client.Scope, o *Operations) {
	if s.Endless {
		if o.Values > 0 {
			s.Values, s.GenericValues = min(s.Values, o.Values), s.GenericValues && o.Values >= vm.MaxItems
		}
		return
	}
	if o.Protocol.Kind == oracle.Bounded && b.PreAdds == nil {
		s.PreAdds.To = min(s.PreAdds.To, max(1, o.Protocol.Capacity)) // a full collection would wait for ever
	}
	adds := false
	for _, op := range o.List {
		adds = adds || op.Effect == client.Adds
	}
	if (!adds || slices.ContainsFunc(o.List, func(op client.Op) bool { return op.Who.First })) && b.PreAdds == nil { // pre-adds are calls
		s.PreAdds = client.Range{}
	}
	if need := s.Steps.To + s.PreAdds.To; o.Values > 0 && o.Values < max(s.Values, need) {
		s.Values = min(s.Values, o.Values)
		s.GenericValues = false
	}
}
