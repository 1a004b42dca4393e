// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/internal/harness"
	"pangolin/internal/policy"
	"pangolin/oracle"
)

// Rule is a directive of a linearization policy.
type Rule struct {
	policy.Rule
	Operation int // index into Subject.Operations; -1: the rule announces nothing
	Words     int // number of announced words that are arguments; those of the results follow
}

// Speculates reports whether the policy has rules that may or may not announce.
func (s *Subject) Speculates() bool {
	return slices.ContainsFunc(s.Rules, func(r Rule) bool { return r.May })
}

// Nobody is the thread of an announcement that is about no call, or about several at once.
const Nobody = -1

// Whose decodes the word that comes with an announcement: the thread whose call it is about, and the group of announcements to which it
// belongs, whose order is left open (0: none). Speaker is the thread that executes the ghost code.
func Whose(word uint64, speaker int) (thread, group int) {
	group = int(word >> harness.WhoseBits)
	switch whose := int(word & (1<<harness.WhoseBits - 1)); whose {
	case harness.WhoseOwn:
		return speaker, group
	case harness.WhoseNobody, harness.WhoseSeveral:
		return Nobody, group
	default:
		return whose - 1, group
	}
}

// annotate replaces the package's directives by ghost code.
func (h *driver) annotate(ctx context.Context, p *front.Listed) (*front.Listed, error) {
	files, err := Files(ctx, p)
	if err != nil {
		return nil, err
	}
	a, err := policy.Annotate(files, h.found.Type, signatures(h.found))
	if err != nil {
		return nil, err
	}
	h.every = a.Every
	announce := map[string]bool{}
	h.policy = &harness.Policy{Enabled: policy.Enabled, Plain: a.Plain()}
	for i, r := range a.Rules {
		at := slices.IndexFunc(h.found.Operations, func(o collection.Operation) bool { return o.Name == r.Op })
		h.rules = append(h.rules, Rule{r, at, r.Args})
		h.policy.Points = append(h.policy.Points, harness.Point{Var: r.Name(i), Fire: r.Fire(i), Operation: at, Own: r.Own, Given: r.Given,
			As: r.As, Owner: r.Owner, On: r.On, Send: r.Send, Values: r.Values, Before: r.Before, From: r.From, To: r.To})
		if at < 0 {
			continue
		}
		o := &h.found.Operations[at]
		if o.Call.Section != nil || o.Call.Watched {
			return nil, fmt.Errorf("%s: %s has no linearization point of its own, because a call of it is a whole critical section: remove the directive", r.Pos, r.Op)
		}
		words := r.Args
		if !r.Given {
			words += o.Words()
		}
		announce[fmt.Sprintf("%s%d", harness.Announce, words)] = true
	}
	h.ghosts = &front.Ghosts{Bracket: policy.Bracket, Announce: announce, Enter: harness.Enter, Leave: harness.Leave,
		Slots: harness.Slots, Threads: harness.Threads, Thread: harness.Thread}
	overlay := map[string][]byte{}
	for _, f := range files {
		overlay[f.Path] = f.Text
		if text, ok := a.Files[f.Path]; ok {
			overlay[f.Path] = text
		}
	}
	overlay[files[0].Path] = append(slices.Clip(overlay[files[0].Path]), a.Declarations()...)
	code := p.Overlay(overlay)
	return code, h.checkTypes(ctx, code, a.Rules)
}

// Files returns the source files of the package. It is an error if there is none.
func Files(ctx context.Context, p *front.Listed) ([]policy.File, error) {
	sources, err := p.Sources(ctx)
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 {
		return nil, errors.New("the package has no source")
	}
	var files []policy.File
	for _, f := range sources[len(sources)-1].Files {
		files = append(files, policy.File{Path: f.Path, Name: f.Name, Text: f.Text})
	}
	return files, nil
}

// signatures gives the number of parameters and results of each operation.
func signatures(c *collection.Collection) map[string]policy.Signature {
	out := map[string]policy.Signature{}
	for i := range c.Operations {
		o := &c.Operations[i]
		out[o.Name] = policy.Signature{Args: len(o.Params), Results: len(o.Results)}
	}
	return out
}

// Keyed reports for each operation whether a call of it that changes nothing needs no announcement: it has a key, and the policy does
// not announce its every outcome.
func (s *Subject) Keyed() []bool {
	keyed := make([]bool, len(s.Operations))
	for i := range keyed {
		o := &s.Operations[i]
		keyed[i] = !s.Unexcused && !s.Every[o.Name] && o.Binding.Role != "" && slices.Contains(o.Client.Params, oracle.ParamKey)
	}
	return keyed
}
