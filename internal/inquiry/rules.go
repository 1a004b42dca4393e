// SPDX-License-Identifier: BSD-3-Clause

package inquiry

// Rules are all there are, in the order in which they are considered; a rule may have its turn twice. A rule with First is
// considered once for a type. The question itself is asked before the first rule that needs its answer, and again
// behind one that has found another reading. A new rule, be it a hint, is a file with a Rule, and a line here.
func Rules() []Rule {
	return []Rule{
		Unclear,
		OneThread, early(Waits), early(Capacity), early(Kind), early(ByItself),
		Scout,
		Stuck, behind(Waits),
		Contradicted, behind(Capacity), behind(Kind), behind(ByItself), Blame,
		Again, Agreeing,
		Whole,
		Vacuous,
		Fairly, Rendezvous, FewerCallers, CalledOnce, CalledLast, FewerThreads, WeakerProperty,
	}
}

// early is a rule in its turn before any property is asked for.
func early(r Rule) Rule {
	r.Before, r.First = true, true
	return r
}

// behind is a rule in its turn behind the answer.
func behind(r Rule) Rule {
	r.Before, r.First = false, false
	return r
}
