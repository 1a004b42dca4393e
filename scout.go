package pangolin

import (
	"context"

	"pangolin/verdict"
)

// Where goroutines go on beside the operations, and the same code judges, every state costs the oracle an exploration
// of its own, and the usual scope takes minutes. What is wrong there mostly shows in a small scope, which takes seconds: so it
// is searched first. That it is right there says nothing, and is not told.

// scoutConfig is the small scope.
const scoutConfig = "B"

// decideFirst asks the engine about the small scope, if that is worth while, and then about the one that is asked for.
func (t *target) decideFirst(ctx context.Context, p verdict.Property) (verdict.Verdict, error) {
	if v, found, err := t.scouted(ctx, p); found || err != nil {
		return v, err
	}
	return t.decide(ctx, p)
}

// scouted is a violation in the small scope, if there is one and nobody has asked for a scope.
func (t *target) scouted(ctx context.Context, p verdict.Property) (v verdict.Verdict, found bool, err error) {
	if !t.usual || !t.subject.Self || !t.subject.StartsGoroutines() {
		return v, false, nil
	}
	r := *t.request
	r.Scope = Scope{Config: scoutConfig}
	b, err := r.bounds()
	if err != nil {
		return v, false, err
	}
	small := *t
	if small.scopes, err = b.Scopes(t.operations); err != nil {
		return v, false, err
	}
	v, err = small.decide(ctx, p)
	return v, err == nil && v.Status == verdict.Violated, err
}
