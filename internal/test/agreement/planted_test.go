// SPDX-License-Identifier: BSD-3-Clause

package agreement

import "slices"

// A fault is planted by replacing a text that occurs once in the source of the project. In
// the new text, planted("name") says whether the fault is switched on, so that one build
// holds all of them.
type fault struct {
	name, area string
	old, new   string
	wrong      string // what is wrong then
}

// namedTest is a test of the project by the directory of its package, below internal.
type namedTest struct{ dir, name string }

// caughtBy are tests that fail with faults which generated texts may not show.
var caughtBy = map[string]namedTest{
	"parts-alike":               {"collection", "TestTagged_GivesEachPartAValueOfItsOwn"},
	"names-in-order":            {"subject", "TestChoose_GivesAnObjectAnyNameThatIsFree"},
	"conversion-full":           {"engine/outcomes", "TestExplore_GivesTheCorpusItsDeclaredOutcomes"},
	"room-undecided":            {"engine/outcomes", "TestExplore_GivesTheCorpusItsDeclaredOutcomes"},
	"load-learns-nothing":       {"engine/outcomes", "TestExplore_RacesAreWhatNothingOrders"},
	"unlock-tells-nobody":       {"engine/outcomes", "TestExplore_RacesAreWhatNothingOrders"},
	"store-keeps-what-was-told": {"engine/outcomes", "TestExplore_RacesAreWhatNothingOrders"},
	"closed-no-news":            {"engine/outcomes", "TestExplore_KnowsWhatTells"},
	"sent-closed-no-news":       {"engine/outcomes", "TestExplore_KnowsWhatTells"},
	"lock-forgets-readers":      {"engine/outcomes", "TestExplore_RacesAreWhatNothingOrders"},
	"runlock-tells-readers":     {"engine/outcomes", "TestExplore_RacesAreWhatNothingOrders"},
	"tryrlock-no-news":          {"engine/outcomes", "TestExplore_KnowsWhatTells"},
	"update-learns-nothing":     {"engine/outcomes", "TestExplore_RacesAreWhatNothingOrders"},
	"default-no-news":           {"engine/outcomes", "TestExplore_KnowsWhatTells"},
	"timer-no-news":             {"engine/outcomes", "TestExplore_KnowsWhatTells"},
	"slot-tells-nobody":         {"engine/outcomes", "TestExplore_RacesAreWhatNothingOrders"},
	"tryrlock-beside-writer":    {"engine/outcomes", "TestExplore_RacesAreWhatNothingOrders"},
	"begun-in-race":             {"engine/bounded", "TestInvocation_RacesWhereItIsRemembered"},
	"begins-at-once":            {"engine/bounded", "TestInvocation_LetsWhatItHasStartedGoFirst"},
	"items-of-two":              {"engine/bounded", "TestParts_KnowWhoHoldsAnItem"},
	"lost-unread":               {"engine/bounded", "TestParts_KnowWhatAStepDependsOn"},
	"changes-outlive-effects":   {"engine/bounded", "TestParts_WithoutRoomGiveTheSame"},
	"holders-unread":            {"engine/bounded", "TestParts_KnowWhatAStepDependsOn"},
	"numbers-keep-names":        {"engine/bounded", "TestParts_KnowWhatAStepDependsOn"},
	"numbers-of-two":            {"engine/bounded", "TestParts_KnowWhatAStepDependsOn"},
	"common-as-met":             {"engine/bounded", "TestParts_KnowWhatAStepDependsOn"},
	"peered-remembered":         {"engine/bounded", "TestParts_KnowWhatAStepDependsOn"},
	"decided-remembered":        {"engine/bounded", "TestParts_KnowWhatAStepDependsOn"},
	"results-unnamed":           {"engine/bounded", "TestParts_AreTheStatesOfTheMachine"},
	"nobody-meets":              {"engine/bounded", "TestSelf_DoesNotJudgeCallsThatMeet"},
	"meets-with-any-result":     {"engine/bounded", "TestSelf_DoesNotJudgeCallsThatMeet"},
	"taker-not-served":          {"engine/bounded", "TestSelf_DoesNotJudgeCallsThatMeet"},
	"looking-is-meeting":        {"engine/bounded", "TestSelf_DoesNotJudgeCallsThatMeet"},
	"earliest-but-one":          {"subject", "TestEarliest_ChangesNoAnswer"},
	"objects-of-two":            {"vm/parts", "TestLost_MeetsIfTwoThreadsHoldTheSame"},
	"unfair":                    {"interleave", "TestFair_AgreesWithTryingAllSetsOfStates"},
	"forgets-sharing":           {"vm/state", "TestGuards_AreAskedForWhatIsSharedNoLonger"},
}

// unfound are faults that nothing shows, as far as has been tried, and what stands in their way.
var unfound = map[string]string{}

// faults are all of them.
var faults = func() []fault {
	all := slices.Clone(plainFaults)
	for _, b := range borderFaults {
		all = append(all, b.fault)
	}
	return all
}()

var plainFaults = []fault{
	// Front end.
	{"calls-not-ahead", "front", "func Package(pkg *types.Package, files []*ast.File, info *types.Info, instrumented bool) []*ast.File {\n",
		"func Package(pkg *types.Package, files []*ast.File, info *types.Info, instrumented bool) []*ast.File {\n\tif planted(\"calls-not-ahead\") {\n\t\treturn files\n\t}\n",
		"variables are read before the calls beside them"},
	{"array-read-for-length", "front", "func (r *rewriter) lengthOnly(s *ast.RangeStmt) (int64, bool) {\n",
		"func (r *rewriter) lengthOnly(s *ast.RangeStmt) (int64, bool) {\n\tif planted(\"array-read-for-length\") {\n\t\treturn 0, false\n\t}\n",
		"a loop over the indices of an array reads the array"},

	// Machine: values.
	{"less-or-equal", "vm", "truth(int64(a) < int64(b) || in.Op == ir.OpLe && a == b)", "truth(int64(a) < int64(b) || (in.Op == ir.OpLe || planted(\"less-or-equal\")) && a == b)",
		"less is less or equal"},
	{"recover-nothing", "vm", "w[panicState] |= panicRecovered\n", "if planted(\"recover-nothing\") {\n\t\treturn\n\t}\n\tw[panicState] |= panicRecovered\n", "recover recovers nothing"},
	{"add-gives-old", "vm", "regs[in.Dst] = sum\n", "regs[in.Dst] = sum\n\t\tif planted(\"add-gives-old\") {\n\t\t\tregs[in.Dst] = old\n\t\t}\n", "an atomic addition gives the old value"},
	{"and-is-or", "vm", "m.writeWord(p, old&b)", "if planted(\"and-is-or\") {\n\t\t\told |= b\n\t\t\tb = old\n\t\t}\n\t\tm.writeWord(p, old&b)", "an atomic And is an Or"},
	{"swap-stores-nothing", "vm", "case ir.OpAtomicSwap:\n\t\tregs[in.Dst] = old\n\t\tm.writeWord(p, b)", "case ir.OpAtomicSwap:\n\t\tregs[in.Dst] = old\n\t\tif planted(\"swap-stores-nothing\") {\n\t\t\tbreak\n\t\t}\n\t\tm.writeWord(p, b)", "an atomic Swap stores nothing"},
	{"cas-always", "vm", "if same {\n\t\t\tm.writeWord(p, c)", "if planted(\"cas-always\") || same {\n\t\t\tm.writeWord(p, c)", "a failed CompareAndSwap stores"},

	// Machine: synchronisation.
	{"lock-taken", "vm", "return c.object(0, off+1)[off] == 0 }", "return planted(\"lock-taken\") || c.object(0, off+1)[off] == 0 }", "a lock that is held can be taken"},
	{"trylock-fails", "vm", "TryLock\": {visible: ifShared, atomically: object1, run: func(c *call) control {\n\t\tif c.object(0, 1)[0] == 0 {",
		"TryLock\": {visible: ifShared, atomically: object1, run: func(c *call) control {\n\t\tif c.object(0, 1)[0] == 0 && !planted(\"trylock-fails\") {", "Mutex.TryLock never succeeds"},
	{"unlock-unlocked", "vm", "if c.object(0, 1)[0] == 0 {\n\t\t\tc.set(0, 0, 1) // it", "if c.object(0, 1)[0] == 0 && !planted(\"unlock-unlocked\") {\n\t\t\tc.set(0, 0, 1) // it", "unlocking what is unlocked is no error"},
	{"reader-stays", "vm", "c.countReaders(-1)", "if !planted(\"reader-stays\") {\n\t\tc.countReaders(-1)\n\t}", "RUnlock does not let the reader leave"},
	{"writers-together", "vm", "return w[rwWriter] == rwFree\n}", "return planted(\"writers-together\") || w[rwWriter] == rwFree\n}", "two writers hold one lock"},
	{"wait-at-once", "vm", "if state := c.object(0, 1)[wgState]; state>>32 != 0 {", "if state := c.object(0, 1)[wgState]; state>>32 != 0 && !planted(\"wait-at-once\") {", "WaitGroup.Wait does not wait"},
	{"send-on-closed", "vm", "return m.throwPlain(t, \"send on closed channel\")", "if planted(\"send-on-closed\") {\n\t\t\tm.finish(t, c, nil, false)\n\t\t\treturn ctlNext\n\t\t}\n\t\treturn m.throwPlain(t, \"send on closed channel\")", "a send on a closed channel is lost"},
	{"buffer-smaller", "vm", "return uint32(o.Count) < o.Room()", "if planted(\"buffer-smaller\") {\n\t\t\treturn uint32(o.Count)+1 < o.Room()\n\t\t}\n\t\treturn uint32(o.Count) < o.Room()", "a buffer holds one value less"},
	{"closed-gives-ok", "vm", "m.finish(t, c, nil, false)\n\t\tm.note(ReceivedClosed", "m.finish(t, c, nil, planted(\"closed-gives-ok\"))\n\t\tm.note(ReceivedClosed", "a closed channel gives values"},
	{"first-case", "vm", "return m.perform(t, m.chooseCase(t, ready))", "if planted(\"first-case\") {\n\t\treturn m.perform(t, ready[0])\n\t}\n\treturn m.perform(t, m.chooseCase(t, ready))", "select takes the first case that is ready"},
	{"default-waits", "vm", "if in.Op == ir.OpSelect && !m.img.Prog.Selects[in.X].Blocking {\n\t\treturn true", "if in.Op == ir.OpSelect && !m.img.Prog.Selects[in.X].Blocking {\n\t\tif planted(\"default-waits\") {\n\t\t\treturn false\n\t\t}\n\t\treturn true", "a select with a default case waits"},
	{"main-waits-for-nobody", "vm", "!m.gate(m.Alive() > 1)", "!m.gate(m.Alive() > 1 && !planted(\"main-waits-for-nobody\"))", "the end of main goes with the step before"},

	// Races.
	{"race-of-mixed-atomics", "vm", "!a.write && !b.write || a.atomic && b.atomic {", "!a.write && !b.write || a.atomic && b.atomic || planted(\"race-of-mixed-atomics\") && (a.atomic || b.atomic) {", "an atomic and a plain access are no race"},
	{"race-of-maps", "vm", "dst = append(dst, access{state.Operand(regs, consts, in.A), wholeMap, true, false})", "dst = append(dst, access{state.Operand(regs, consts, in.A), wholeMap, !planted(\"race-of-maps\"), false})", "writing a map counts as reading it"},
	{"race-of-append", "vm", "dst = m.moveAccesses(in, regs, dst)", "if !planted(\"race-of-append\") {\n\t\t\tdst = m.moveAccesses(in, regs, dst)\n\t\t}", "append and copy are no accesses"},
	{"race-of-stores", "vm", "in.T.Size, in.Op == ir.OpStore, false}", "in.T.Size, in.Op == ir.OpStore && !planted(\"race-of-stores\"), false}", "a store counts as a load"},

	// Reductions.
	{"all-private", "reductions", "return o.Flags&IsShared != 0 && !m.Ghost\n}", "return o.Flags&IsShared != 0 && !m.Ghost && !planted(\"all-private\")\n}", "fusing: every access is taken for local"},
	{"frozen-unchecked", "reductions", "if m.Frozen == nil || o.Flags&IsKnown == 0 {\n\t\treturn\n", "if m.Frozen == nil || o.Flags&IsKnown == 0 || planted(\"frozen-unchecked\") {\n\t\treturn\n", "frozen: writes are no breach"},
	{"guard-unchecked", "reductions", "if (!ofRoot || len(m.Kept) > 0) && t.Holds(", "if planted(\"guard-unchecked\") || (!ofRoot || len(m.Kept) > 0) && t.Holds(", "guarded: who holds no lock breaches no guard"},
	{"readers-guard-writes", "reductions", "|| !write && slices.Contains(t.Held, lock|ReadHold)", "|| (!write || planted(\"readers-guard-writes\")) && slices.Contains(t.Held, lock|ReadHold)", "guarded: a read lock guards writes"},
	{"releases-of-others", "reductions", "return !c.m.img.hasTry && c.m.Owned() && slices.Contains(c.t.Held, c.args[0]|mode)", "return planted(\"releases-of-others\") || !c.m.img.hasTry && c.m.Owned() && slices.Contains(c.t.Held, c.args[0]|mode)", "releases: any release goes with the step before"},
	{"forgets-sharing", "reductions", "if o.Flags&IsKnown == 0 {\n\t\treturn false\n\t}\n\tif o.Info.locks", "if o.Flags&IsKnown == 0 || o.Flags&IsShared == 0 && planted(\"forgets-sharing\") {\n\t\treturn false\n\t}\n\tif o.Info.locks",
		"guarded: what has been shared needs no guard once it is unlinked"},
	{"items-unnoticed", "reductions", "m.Inspected = m.Inspected || IsItem(a) || IsItem(b)\n\t\tm.Miscompared", "m.Inspected = !planted(\"items-unnoticed\") && (m.Inspected || IsItem(a) || IsItem(b))\n\t\tm.Miscompared", "items: code that looks at items is not noticed"},
	{"keys-unnoticed", "reductions", "m.Miscompared = m.Miscompared || isKey(a) || isKey(b)", "m.Miscompared = !planted(\"keys-unnoticed\") && (m.Miscompared || isKey(a) || isKey(b))", "keys: code that computes with keys is not noticed"},

	{"begins-at-once", "reductions", "p.opt.Fuse && m.Threads() == threads &&", "p.opt.Fuse && (m.Threads() == threads || planted(\"begins-at-once\")) &&", "fusing: goroutines that a call has started never go before its first access"},

	// Remembered steps.
	{"objects-of-two", "parts", "bool { return l.objects&o.objects != 0 ||", "bool { return l.objects&o.objects != 0 && !planted(\"objects-of-two\") ||", "what has left the heap may belong to two threads"},
	{"items-of-two", "parts", "|| l.items&o.items != 0 }", "|| l.items&o.items != 0 && !planted(\"items-of-two\") }", "items that have left the heap may be in the parts of two threads, as two"},
	{"lost-unread", "parts", "if l.objects[k] == 0 && !l.effect.private {", "if l.objects[k] == 0 && !l.effect.private && !planted(\"lost-unread\") {",
		"effects by which an object leaves the heap are the same whatever it holds"},
	{"changes-outlive-effects", "parts", "m.changes.clear()\n\tm.effects, ", "if planted(\"changes-outlive-effects\") && m.changes.slots != nil {\n\t\tm.numbered = 0\n\t} else {\n\t\tm.changes.clear()\n\t}\n\tm.effects, ",
		"when memory is full, what effects do to other threads is kept, and the effects are numbered again"},
	{"holders-unread", "parts", "loose := l.loose()\n", "loose := l.loose()\n\t\tif planted(\"holders-unread\") {\n\t\t\tloose = 0\n\t\t}\n",
		"what leaves the heap leaves it whoever else leads to it"},
	{"common-as-met", "parts", "\tfor ranks := 0; ranks < len(e.common); {", "\tfor i := range e.common {\n\t\tif planted(\"common-as-met\") {\n\t\t\te.renum[e.common[i].id] = leastRank + uint32(i)\n\t\t}\n\t}\n\tfor ranks := 0; ranks < len(e.common) && !planted(\"common-as-met\"); {",
		"what two threads lead to, and the heap does not, has the order in which threads lead to it"},
	{"peered-remembered", "parts", "|| mach.Peered ||", "|| mach.Peered && !planted(\"peered-remembered\") ||", "steps that look at other threads are remembered"},
	{"decided-remembered", "parts", "|| mach.Decided() ||", "|| mach.Decided() && !planted(\"decided-remembered\") ||", "steps that ask for decisions are remembered"},
	{"others-keep-names", "parts", "j == a.agent || !e.renames(t) {", "j == a.agent || !e.renames(t) || planted(\"others-keep-names\") {",
		"a recalled step changes no part of another thread"},
	{"numbers-keep-names", "parts", "|| t.HeldNumbers&e.numbers != 0", "|| t.HeldNumbers&e.numbers != 0 && !planted(\"numbers-keep-names\")",
		"a recalled step changes no thread's number in another's part"},
	{"numbers-of-two", "parts", "e.shares = e.shares || int(k) != m.Thread[i].id", "e.shares = e.shares || int(k) != m.Thread[i].id && !planted(\"numbers-of-two\")",
		"another thread's number, which the heap has not, is taken for the thread's own"},
	{"results-unnamed", "parts", "k, isItem := vm.AsItem(w)\n\t\tif !isItem {", "k, isItem := vm.AsItem(w)\n\t\tif !isItem || planted(\"results-unnamed\") {", "items that a remembered call returns keep the names that they had"},
	{"begun-in-race", "parts", "if begun == nil {\n\t\treturn false", "if begun == nil || planted(\"begun-in-race\") {\n\t\treturn false", "the first access of a remembered call is no side of a race"},

	// The oracle self.
	{"nobody-meets", "self", "ops := h.Operations()\n\tif !ok ||", "ops := h.Operations()\n\tif planted(\"nobody-meets\") || !ok ||", "calls that return only together are held against an order"},
	{"meets-with-any-result", "self", "if op.Returned && mt.result(m, place, op) != op.Result {", "if op.Returned && mt.result(m, place, op) != op.Result && !planted(\"meets-with-any-result\") {",
		"calls that meet may have returned anything"},
	{"taker-not-served", "self", "!m.Idle(i) && !m.Enabled(i) && !t.Midway()", "!planted(\"taker-not-served\") && !m.Idle(i) && !m.Enabled(i) && !t.Midway()",
		"who waits at a channel takes nothing while another operation is executed"},
	{"looking-is-meeting", "self", "return mt.goesRound(w.words, x) && mt.without", "return !planted(\"looking-is-meeting\") && mt.goesRound(w.words, x) && mt.without", "a call that has looked meets who comes before it acts"},
	{"earliest-but-one", "self", "if slices.ContainsFunc(back, func(b string) bool { return b != s && kept[b] }) {", "if slices.ContainsFunc(back, func(b string) bool { return b != s && kept[b] }) || planted(\"earliest-but-one\") && len(out) > 0 {",
		"of the states in which background work may be when a call has returned, one is kept"},

	// Search and fairness.
	{"one-decision", "explore", "c.made = c.made[:last+1]\n\tc.made[last].taken++\n\treturn true", "if planted(\"one-decision\") {\n\t\tc.made = c.made[:c.base]\n\t\tc.kept = 0\n\t\treturn false\n\t}\n\tc.made = c.made[:last+1]\n\tc.made[last].taken++\n\treturn true", "of a step's decisions only the first is tried"},
	{"unfair", "fairness", "case passed.Empty() && len(missed) == 0:\n", "case passed.Empty() && len(missed) == 0 || planted(\"unfair\"):\n", "a goroutine that can go on may be passed over for ever"},
	{"never-endless", "fairness", "if !c.Fair() { // not even weakly", "if planted(\"never-endless\") || !c.Fair() { // not even weakly", "executions without end are not reported"},

	// Oracles and judges.
	{"queue-as-stack", "oracle", "Take: TakeFront, Peek: PeekFront}", "Take: map[bool]Role{false: TakeFront, true: TakeBack}[planted(\"queue-as-stack\")], Peek: PeekFront}", "a queue gives what came last"},
	{"set-adds-twice", "oracle", "case Add:\n\t\tif found {\n\t\t\treturn one(effect{next: state})", "case Add:\n\t\tif found {\n\t\t\treturn one(effect{done: planted(\"set-adds-twice\"), next: state})", "a set takes what it has"},
	{"remove-removes-nothing", "oracle", "return one(effect{done: true, next: slices.Delete(slices.Clone(state), at, at+1)})", "if planted(\"remove-removes-nothing\") {\n\t\t\treturn one(effect{done: true, next: state})\n\t\t}\n\t\treturn one(effect{done: true, next: slices.Delete(slices.Clone(state), at, at+1)})", "a set keeps what is removed"},
	{"any-response", "consist", "s.next, s.configs = s.configs, next\n\tif len(next) == 0 {\n\t\treturn nil\n\t}\n\ts.calls[thread] = 0", "if len(next) == 0 && planted(\"any-response\") {\n\t\tnext = append(next, s.configs...)\n\t}\n\ts.next, s.configs = s.configs, next\n\tif len(next) == 0 {\n\t\treturn nil\n\t}\n\ts.calls[thread] = 0", "the monitor accepts any result"},
	{"no-others-first", "consist", "case t != resp.thread:\n\t\t\t\tnext.done[t] = uint16(e.Result) + 1\n", "case planted(\"no-others-first\") && t != resp.thread:\n\t\t\tcase t != resp.thread:\n\t\t\t\tnext.done[t] = uint16(e.Result) + 1\n", "a call takes effect before no call that began earlier"},
	{"waiting-is-fine", "consist", "m.memo.Put(key, uint32(offender+1))\n\treturn offender < 0, offender", "if planted(\"waiting-is-fine\") {\n\t\toffender = -1\n\t}\n\tm.memo.Put(key, uint32(offender+1))\n\treturn offender < 0, offender", "every call may wait for ever"},
}
