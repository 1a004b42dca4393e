package pangolin

import (
	"errors"
	"fmt"

	"pangolin/internal/client"
	"pangolin/oracle"
	"pangolin/verdict"
)

// bounds are a request's bounds for one collection.
type bounds struct {
	preset  string // "" if some flag differs from it
	scope   client.Scope
	hash    client.Hash
	preempt int // -1: none
	fair    bool
	roles   string
}

// bounds combines the configuration with what the request overrides.
func (r *Request) bounds(kind oracle.Kind, p oracle.Protocol) (*bounds, error) {
	name := r.Scope.Config
	if name == "" {
		name = "D"
	}
	preset, err := client.NewPreset(name, kind, p.Kind)
	if err != nil {
		return nil, err
	}
	b := &bounds{preset: name, scope: preset.Scope, hash: preset.Hash, preempt: -1, fair: r.Search.Unfair != On, roles: r.Roles}
	if preset.Preempt > 0 {
		b.preempt = preset.Preempt
	}
	if err := r.overrideRanges(b); err != nil {
		return nil, err
	}
	r.overrideOptions(&b.scope)
	if p := r.Search.Preempt; p != nil {
		b.preempt = max(-1, *p)
	}
	if b.hash, err = parseHash(r.Scope.Hash, b.hash); err != nil {
		return nil, err
	}
	if b.scope != preset.Scope || b.hash != preset.Hash || b.preempt != max(preset.Preempt, 0) && b.preempt != -1 || b.preempt == -1 && preset.Preempt > 0 {
		b.preset = ""
	}
	return b, b.contradictions(kind)
}

func (r *Request) overrideRanges(b *bounds) error {
	s, err := &b.scope, error(nil)
	before := *s
	if s.Threads, err = parseRange("threads", r.Scope.Threads, s.Threads); err != nil {
		return err
	}
	if s.Steps, err = parseRange("steps", r.Scope.Steps, s.Steps); err != nil {
		return err
	}
	if s.PreAdds, err = parseRange("preadds", r.Scope.PreAdds, s.PreAdds); err != nil {
		return err
	}
	s.PerThread = r.Scope.PerThread
	switch {
	case r.Scope.Values > 0:
		s.Values = r.Scope.Values
	case s.PerThread > 0:
		s.Values = s.Threads.To*s.PerThread + s.PreAdds.To
	case s.Steps != before.Steps || s.PreAdds != before.PreAdds:
		s.Values = s.Steps.To + s.PreAdds.To
	}
	return nil
}

func (r *Request) overrideOptions(s *client.Scope) {
	s.ThreadSymmetry = r.Scope.ThreadSymmetry.Or(s.ThreadSymmetry)
	s.GenericValues = r.Scope.GenericValues.Or(s.GenericValues && r.Scope.Values == 0)
	s.AddsDominant = r.Scope.AddsDominant.Or(s.AddsDominant)
	s.DistinctPriorities = r.Scope.DistinctPriorities.Or(s.DistinctPriorities)
}

// contradictions reports options that do not go with a kind.
func (b *bounds) contradictions(kind oracle.Kind) error {
	switch {
	case b.scope.GenericValues && kind == oracle.Set:
		return errors.New("generic-values does not go with a set, whose code compares its items")
	case b.scope.DistinctPriorities && kind != oracle.PQueue:
		return fmt.Errorf("distinct-priorities does not go with a %s, which has no priorities", kind)
	}
	return b.scope.Validate()
}

// fit makes the bounds those of a collection: with so many different arguments, and
// nothing to add beforehand if no operation adds. explicit says that the user asked
// for pre-adds.
func (b *bounds) fit(ops []client.Op, values int, explicit bool) {
	adds := false
	for _, op := range ops {
		adds = adds || op.Effect == client.Adds
	}
	if !adds && !explicit {
		b.scope.PreAdds = client.Range{}
	}
	if need := b.scope.Steps.To + b.scope.PreAdds.To; values > 0 && values < max(b.scope.Values, need) {
		b.scope.Values = min(b.scope.Values, values)
		b.scope.GenericValues = false
	}
}

// plain is the form for verdicts.
func (b *bounds) plain() verdict.Scope {
	s := b.scope
	v := &verdict.Bounds{
		Preset: b.preset, Threads: pair(s.Threads), Steps: pair(s.Steps), PreAdds: pair(s.PreAdds),
		Values: s.Values, PerThread: s.PerThread, Hash: b.hash.String(), Fair: b.fair, Roles: b.roles,
		Options: verdict.Options{ThreadSymmetry: s.ThreadSymmetry, GenericValues: s.GenericValues,
			AddsDominant: s.AddsDominant, DistinctPriorities: s.DistinctPriorities},
	}
	if s.PerThread > 0 {
		v.Steps = [2]int{s.Threads.From * s.PerThread, s.Threads.To * s.PerThread}
	}
	if b.preempt >= 0 {
		v.Preempt = &b.preempt
	}
	return verdict.Scope{Bounds: v}
}

func pair(r client.Range) [2]int { return [2]int{r.From, r.To} }
