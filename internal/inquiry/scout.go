// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import "pangolin/verdict"

// scoutConfig is the configuration that Scout searches first (1..2 threads, see client.NewPreset).
const scoutConfig = "B"

// Scout searches a small scope first where the usual one takes minutes.
var Scout = Rule{
	Name: "small scope",
	Doc: "Where goroutines go on beside the operations, and the same code judges, every state costs the oracle an exploration of its own, and the usual scope " +
		"takes minutes. What is wrong there mostly shows in B, which takes seconds: so it is searched first. That it is right there is told only where the usual scope then reaches a limit, and is no verdict.",
	Before: true,
	When: func(c Case) bool {
		return c.open() && c.Reading.usual && c.Reading.itself() && c.Facts.StartsGoroutines()
	},
	Ask: func(c Case, so []Answer) (Question, bool) { return scout(c, so, Limit{}) },
	Conclude: func(c Case, so []Answer) Case {
		switch {
		case len(so) != 1 || so[0].Err != nil:
		case so[0].Verdict.Status == verdict.Violated:
			c.Answer = so[0]
		case so[0].Verdict.Status == verdict.Verified:
			c.Small = &so[0]
		}
		return c
	},
}

// scout is the case's own question in scoutConfig, which is asked once.
func scout(c Case, so []Answer, l Limit) (Question, bool) {
	b := c.Reading.bounds
	b.Config = scoutConfig
	scope, err := b.Scopes(c.Reading.Ops)
	return Question{Reading: c.Reading, Scope: scope, Property: c.Property, Limit: l}, err == nil && len(so) == 0
}

// tellSmall adds to an answer that a limit has kept from being one what was found in the small scope. It is no verdict about that scope: the one with
// which a data race shows may be one call larger.
func (c *Case) tellSmall() {
	if v := &c.Verdict; c.Small != nil && v.Status == verdict.Unknown && v.Cause == verdict.Limited {
		v.Reason += "; " + c.Small.Verdict.Scope.Name() + " was searched first, and nothing is wrong there"
	}
}
