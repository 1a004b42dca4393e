// SPDX-License-Identifier: BSD-3-Clause

package inquiry

// Rules lists all rules in the order in which they are applied; a rule may stand in it twice. A rule with First is applied
// once for a type. The case's own question is asked before the first rule that needs its answer, and again after a rule that
// has taken another reading. To add a rule, for example a hint, write a file with a Rule and a line here.
func Rules() []Rule {
	return []Rule{
		Unshared,
		Unclear, Order,
		OneThread, early(Waits), early(ElseBool), early(Capacity), early(Kind), early(Sense), early(ByItself), Known,
		YearsFirst, Scout, Crowded, OneValue, Unproved,
		Inexecutable, StandIns, Stuck, behind(Waits),
		Contradicted, Together, behind(ElseBool), behind(Capacity), behind(Kind), behind(Sense), behind(ByItself), Blame,
		Again, Agreeing, ConcurrentArguments, MadeUp,
		Lent, InTurn, Paired, Careful, Refused, InTurn, Documented, Forgotten,
		YearsOfKind, EachField, Whole, Apart, OneMoment, Beside, Unproved, CalledBack, Another, Copies, Variants, Years, YearsInstead,
		Literal, Vacuous, Misread,
		AlsoProved, OneMomentBeside,
		Locked, Fairly, Untold, OneByOne, Rendezvous, Overlapping, InProgress, FewerCallers, CalledOnce, CalledLast, FewerThreads, WeakerProperty,
	}
}

// early returns the rule for its first turn, before any property is asked for.
func early(r Rule) Rule {
	r.Before, r.First = true, true
	return r
}

// behind returns the rule for its second turn, after the question has been answered.
func behind(r Rule) Rule {
	r.Before, r.First = false, false
	return r
}
