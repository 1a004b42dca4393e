// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// Faults in the rules and the algorithms, and that the comparison with the definition finds each.

func judgeFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "swaps-are-pure", Old: "	case CAS, Add, Remove:\n		return !c.Unknown && c.R == 0", New: "	case CAS, Add, Remove:\n		return !c.Unknown && (c.R == 0 || planted(\"swaps-are-pure\"))"},
		{Name: "given-up-has-failed", Old: "return Unknown, limitBudget\n", New: "for planted(\"given-up-has-failed\") && len(s.depth) > 0 {\n				s.fail()\n			}\n			return Unknown, limitBudget\n"},
		{Name: "events-stay-gone", Old: "	for i := range len(s.event) {\n", New: "	for i := range len(s.event) {\n		if planted(\"events-stay-gone\") {\n			break\n		}\n"},
		{Name: "trail-stays", Old: "s.depth[:0], s.trail[:0], s.choice[:0], 0, 0", New: "s.depth[:0], s.trail[:map[bool]int{true: len(s.trail)}[planted(\"trail-stays\")]], s.choice[:0], 0, 0"},
		{Name: "last-returns-first", Old: "return s.end[a] != 0 && (s.end[b] == 0 || s.end[a] < s.end[b])", New: "return (s.end[a] != 0 && (s.end[b] == 0 || s.end[a] < s.end[b])) != planted(\"last-returns-first\")"},
		{Name: "all-alike", Old: "return c.Op == d.Op && c.A == d.A &&", New: "return c.Op == d.Op && (c.A == d.A || planted(\"all-alike\")) &&"},
		{Name: "hides-anywhere", Old: "hide := s.flags[o]&isBlind != 0 && s.begin[o]-1 < top.last", New: "hide := s.flags[o]&isBlind != 0 && (s.begin[o]-1 < top.last || planted(\"hides-anywhere\"))"},
		{Name: "hides-before-any", Old: "} else if s.flags[call]&isBlind != 0 {", New: "} else if s.flags[call]&isBlind != 0 || planted(\"hides-before-any\") {"},
		{Name: "no-resets", Old: "s.nextReset[to.at] > r {", New: "(s.nextReset[to.at] > r || planted(\"no-resets\")) {"},
		{Name: "failures-of-any-mask", Old: "mask[s.slot[i]/64] |= 1 << (s.slot[i] % 64)", New: "if !planted(\"failures-of-any-mask\") {\n				mask[s.slot[i]/64] |= 1 << (s.slot[i] % 64)\n			}"},
		{Name: "failures-of-any-state", Old: "int32(e[0]>>32) == at+1 && Value(e[1]) == state", New: "int32(e[0]>>32) == at+1 && (Value(e[1]) == state || planted(\"failures-of-any-state\"))"},
		{Name: "bits-stay", Old: "mask[slot/64] &^= 1 << (slot % 64)", New: "if !planted(\"bits-stay\") {\n				mask[slot/64] &^= 1 << (slot % 64)\n			}"},
		{Name: "own-order-alone", Old: "if call.End < before && z.broken == nil {", New: "if call.End < before && z.broken == nil && !planted(\"own-order-alone\") {"},
		{Name: "zones-overlap", Old: "if forward[i-1].last > forward[i].first {", New: "if forward[i-1].last > forward[i].first && !planted(\"zones-overlap\") {"},
		{Name: "zones-within", Old: "if i > 0 && forward[i-1].last > c.first {", New: "if i > 0 && forward[i-1].last > c.first && !planted(\"zones-within\") {"},
		{Name: "taken-before-put", Old: "case it.calls[call].End < it.calls[it.list[n].put].Begin:", New: "case it.calls[call].End < it.calls[it.list[n].put].Begin && !planted(\"taken-before-put\"):"},
		{Name: "finds-nothing", Old: "if c.next(call.Begin) >= call.End {", New: "if c.next(call.Begin) >= call.End && !planted(\"finds-nothing\") {"},
		{Name: "any-order", Old: "if b.take >= 0 && calls[b.take].End < last {", New: "if b.take >= 0 && calls[b.take].End < last && !planted(\"any-order\") {"},
		{Name: "returns-order", Old: "calls[returned[next].put].End < calls[b.put].Begin; next++", New: "(calls[returned[next].put].End < calls[b.put].Begin || planted(\"returns-order\") && calls[returned[next].put].End < calls[b.put].End); next++"},
		{Name: "any-priority", Old: "c.next(begin) >= end {", New: "c.next(begin) >= end && !planted(\"any-priority\") {"},
		{Name: "before-the-put", Old: "begin := max(calls[x.take].Begin, calls[x.put].Begin)", New: "begin := max(calls[x.take].Begin, calls[x.put].Begin)\n			if planted(\"before-the-put\") {\n				begin = calls[x.take].Begin\n			}"},
		{Name: "bottom-is-any", Old: "	if s.list[lo].end > most {", New: "	if s.list[lo].end > most || planted(\"bottom-is-any\") {"},
		{Name: "spans-stay", Old: "	s.depth.remove(int(s.list[v].from), s.last(s.list[v])+1)", New: "	if !planted(\"spans-stay\") {\n		s.depth.remove(int(s.list[v].from), s.last(s.list[v])+1)\n	}"},
		{Name: "pieces-anywhere", Old: "if p.before[n] != -2 && c.Op == Append {", New: "if p.before[n] != -2 && c.Op == Append && !planted(\"pieces-anywhere\") {"},
		{Name: "forks", Old: "	if !strings.HasPrefix(s, to.text) {", New: "	if !strings.HasPrefix(s, to.text) && planted(\"forks\") {\n		return to.is[len(to.is)-1], nil\n	}\n	if !strings.HasPrefix(s, to.text) {"},
		{Name: "cycles", Old: "	if done < len(k.calls) {", New: "	if done < len(k.calls) && !planted(\"cycles\") {"},
		{Name: "initial-hidden", Old: "		case w1 < 0:\n", New: "		case w1 < 0 && planted(\"initial-hidden\"):\n			continue\n		case w1 < 0:\n"},
		{Name: "own-hidden", Old: "case k.vector(w2)[k.client[w1]] > k.number[w1]:", New: "case k.vector(w2)[k.client[w1]] > k.number[w1] && !planted(\"own-hidden\"):"},
		{Name: "clients-mixed", Old: "			if bound && !c.Pending() {", New: "			if bound && !c.Pending() && !planted(\"clients-mixed\") {"},
		{Name: "crashed-before", Old: "return b.client >= 0 && s.at[b.client] < b.calls", New: "return b.client >= 0 && s.at[b.client] < b.calls && !planted(\"crashed-before\")"},
		{Name: "reads-of-old-versions", Old: "		if r != to {\n", New: "		if r != to && !planted(\"reads-of-old-versions\") {\n"},
		{Name: "first-chain-anywhere", Old: "if v.writer < 0 && len(v.readers) == 0 {", New: "if v.writer < 0 && len(v.readers) == 0 || planted(\"first-chain-anywhere\") {"},
		{Name: "torn-lists", Old: "|| s.torn(k, long.list[:n+1], k.list[next].writer) {", New: "|| !planted(\"torn-lists\") && s.torn(k, long.list[:n+1], k.list[next].writer) {"},
		{Name: "crashed-transactions-stay", Old: "if stays[i] = !s.calls[i].Pending(); stays[i] {", New: "if stays[i] = !s.calls[i].Pending() || planted(\"crashed-transactions-stay\"); stays[i] {"},
		{Name: "all-forced", Old: "		if from <= i {\n", New: "		if planted(\"all-forced\") {\n			from = 0\n		}\n		if from <= i {\n"},
		{Name: "one-order", Old: "		if p.stage < 2 {\n", New: "		if p.stage < 2 && !(p.stage == 1 && planted(\"one-order\")) {\n"},
		{Name: "nobody-to-blame", Old: "if l < back && !slices.Contains(pairs[at].blames, l) {", New: "if l < back && !planted(\"nobody-to-blame\") && !slices.Contains(pairs[at].blames, l) {"},
		{Name: "time-in-any-order", Old: "	case Linear:\n		type end struct", New: "	case Linear, Serializable:\n		if p == Serializable && !planted(\"time-in-any-order\") {\n			return\n		}\n		type end struct"},
		{Name: "own-writes-unseen", Old: "	if s.g.ryw {\n", New: "	if s.g.ryw && !planted(\"own-writes-unseen\") {\n"},
		{Name: "earlier-writes-unseen", Old: "		if s.g.mw {\n", New: "		if s.g.mw && !planted(\"earlier-writes-unseen\") {\n"},
		{Name: "earlier-reads-unseen", Old: "	if s.g.mr {\n		include(r.read)", New: "	if s.g.mr && !planted(\"earlier-reads-unseen\") {\n		include(r.read)"},
		{Name: "writes-do-not-follow", Old: "		if s.g.wfr {\n			s.readsBefore(int32(w),", New: "		if s.g.wfr && !planted(\"writes-do-not-follow\") {\n			s.readsBefore(int32(w),"},
		{Name: "sets-grow-once", Old: "		if s.grow(n) {\n", New: "		if s.grow(n) && !planted(\"sets-grow-once\") {\n"},
		{Name: "before-itself", Old: "w &^= 1 << (r.from % 64)", New: "if !planted(\"before-itself\") {\n						w &^= 1 << (r.from % 64)\n					}"},
		{Name: "sums-of-the-last", Old: "return cmp.Or(cmp.Compare(s.calls[a].End, s.calls[b].End), cmp.Compare(a, b))", New: "if planted(\"sums-of-the-last\") {\n			return cmp.Compare(s.calls[b].End, s.calls[a].End)\n		}\n		return cmp.Or(cmp.Compare(s.calls[a].End, s.calls[b].End), cmp.Compare(a, b))"},
		{Name: "sums-of-any-set", Old: "		if s.done[i] {\n			bits |= 1\n", New: "		if s.done[i] && !planted(\"sums-of-any-set\") {\n			bits |= 1\n"},
		{Name: "sums-in-order-of-return", Old: "		if s.reason == \"\" && s.before(at, o, r, all) {", New: "		if s.reason == \"\" && (r == o || !planted(\"sums-in-order-of-return\")) && s.before(at, o, r, all) {"},
		{Name: "sums-cut-short", Old: "!s.grows || !again.from(0)", New: "!s.grows || planted(\"sums-cut-short\") || !again.from(0)"},
		{Name: "sums-of-crashed-first", Old: "		if !s.calls[i].Pending() {\n			least", New: "		if !s.calls[i].Pending() || planted(\"sums-of-crashed-first\") {\n			least"},
		{Name: "sums-always-grow", Old: "	s.grows = s.width == 1 &&", New: "	s.grows = s.width == 1 && planted(\"sums-always-grow\") || s.width == 1 &&"},
		{Name: "slots-of-any-amount", Old: "gap%amount != 0 ||", New: "gap%amount != 0 && !planted(\"slots-of-any-amount\") ||"},
		{Name: "slots-too-early", Old: "k.slots[used].lo > t ||", New: "k.slots[used].lo > t && !planted(\"slots-too-early\") ||"},
		{Name: "slots-of-the-last", Old: "return s.calls[s.list[a]].End < s.calls[s.list[b]].End", New: "return (s.calls[s.list[a]].End < s.calls[s.list[b]].End) != planted(\"slots-of-the-last\")"},
		{Name: "slots-not-lowered", Old: "	for n := len(k.slots) - 2; n > 0; n-- {", New: "	for n := len(k.slots) - 2; n > 0 && !planted(\"slots-not-lowered\"); n-- {"},
		{Name: "slots-before-reads", Old: "			k.slots[at+1].lo = max(k.slots[at+1].lo, c.Begin)", New: "			if !planted(\"slots-before-reads\") {\n				k.slots[at+1].lo = max(k.slots[at+1].lo, c.Begin)\n			}"},
		{Name: "slots-behind-reads", Old: "		k.slots[at].hi = min(k.slots[at].hi, c.End-1)", New: "		if !planted(\"slots-behind-reads\") {\n			k.slots[at].hi = min(k.slots[at].hi, c.End-1)\n		}"},
		{Name: "unknown-takes-take-nothing", Old: "(!blind || takes.of(v) > 0)", New: "(!blind || takes.of(v) > 0 || planted(\"unknown-takes-take-nothing\"))"},
		{Name: "early-at-the-same-time", Old: "if k == len(puts) || calls[take].End < calls[puts[k]].Begin {", New: "if k == len(puts) || calls[take].End < calls[puts[k]].Begin || planted(\"early-at-the-same-time\") && calls[take].End < calls[puts[k]].End {"},
		{Name: "pairs-whatever-they-say", Old: "if broken, ok := algorithm(j.h, told); ok && broken == nil {", New: "if broken, ok := algorithm(j.h, told); ok && (broken == nil || planted(\"pairs-whatever-they-say\")) {"},
		{Name: "puts-of-other-values", Old: "		if u.value[p] != u.value[t] {", New: "		if u.value[p] != u.value[t] && !planted(\"puts-of-other-values\") {"},
		{Name: "slots-of-nobody", Old: "			if len(running.list) == 0 {\n				return false", New: "			if len(running.list) == 0 && planted(\"slots-of-nobody\") {\n				continue\n			}\n			if len(running.list) == 0 {\n				return false"},
		{Name: "sums-without-crashed", Old: "		if s.calls[i].Begin < end {\n			all = append(all, i)", New: "		if s.calls[i].Begin < end && !planted(\"sums-without-crashed\") {\n			all = append(all, i)"},
		{Name: "sums-not-with-the-response", Old: "	if s.reason == \"\" && !s.check[o] {\n", New: "	if s.reason == \"\" && !s.check[o] && !planted(\"sums-not-with-the-response\") {\n"},
	}
}

func judgeSources(t *testing.T) planting.Sources {
	return planting.Room(t)
}

func TestFaults_CanBePlanted(t *testing.T) { judgeSources(t).Check(t, judgeFaults()) }

// TestFaults_AreFound runs the comparisons with each fault switched on: they have to fail.
func TestFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: minutes")
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	judgeSources(t).Build(t, judgeFaults(), binary)
	for _, f := range judgeFaults() {
		if !flags.Only(f.Name) {
			continue
		}
		out, err := planting.Command(binary, f.Name, "-test.failfast", "-test.run=AgreesWithThe(Definition|Algorithms)|AgreeWithTheDefinition").CombinedOutput()
		if err == nil {
			t.Errorf("%s is not found", f.Name)
			continue
		}
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, "--- FAIL: TestJudge_") && (strings.Contains(line, "/") || strings.Contains(line, "Causal")) || strings.HasPrefix(line, "panic:") {
				t.Logf("%s: %s", f.Name, strings.TrimSpace(line))
				break
			}
		}
	}
}
