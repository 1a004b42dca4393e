package pangolin

import (
	"cmp"
	"errors"
	"fmt"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/oracle"
)

// defaultConfig is the configuration of a request that names none.
const defaultConfig = "D"

// bounds combines the configuration with what the request overrides.
func (r *Request) bounds(kind oracle.Kind, p oracle.Protocol) (*engine.Scope, error) {
	name := cmp.Or(r.Scope.Config, defaultConfig)
	preset, err := client.NewPreset(name, kind, p.Kind)
	if err != nil {
		return nil, err
	}
	b := &engine.Scope{Preset: name, Clients: preset.Scope, Hash: preset.Hash, Preempt: preset.Preempt, Fair: r.Search.Unfair != On, Roles: r.Roles}
	if preset.Preempt == 0 {
		b.Preempt = -1
	}
	usual := *b
	if err := r.overrideRanges(&b.Clients); err != nil {
		return nil, err
	}
	r.overrideOptions(&b.Clients)
	if p := r.Search.Preempt; p != nil {
		b.Preempt = max(-1, *p)
	}
	if b.Hash, err = client.ParseHash(r.Scope.Hash, b.Hash); err != nil {
		return nil, err
	}
	if *b != usual {
		b.Preset = ""
	}
	return b, contradictions(&b.Clients, kind)
}

// threads is how many threads there may be, whatever the collection: constructors ask.
func (r *Request) threads() (int, error) {
	preset, err := client.NewPreset(cmp.Or(r.Scope.Config, defaultConfig), collection.Object, oracle.Nonblocking)
	if err != nil {
		return 0, err
	}
	threads, err := parseRange(r.Scope.Threads, preset.Scope.Threads)
	return threads.To, err
}

func (r *Request) overrideRanges(s *client.Scope) (err error) {
	before := *s
	if s.Threads, err = parseRange(r.Scope.Threads, s.Threads); err != nil {
		return err
	}
	if s.Steps, err = parseRange(r.Scope.Steps, s.Steps); err != nil {
		return err
	}
	if s.PreAdds, err = parseRange(r.Scope.PreAdds, s.PreAdds); err != nil {
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
func contradictions(s *client.Scope, kind oracle.Kind) error {
	switch {
	case s.GenericValues && kind == oracle.Set:
		return errors.New("Request.Scope.GenericValues does not go with a set, whose code compares its items")
	case s.DistinctPriorities && kind != oracle.PQueue:
		return fmt.Errorf("Request.Scope.DistinctPriorities does not go with a %s, which has no priorities", kind)
	}
	return s.Validate()
}
