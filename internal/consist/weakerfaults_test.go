// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"strings"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// Faults in the monitor of weaker properties and in their definitions, and that the comparisons find each.

func weakerFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "free-for-all", Old: "case read && !o.reads(s, t) && minds(o.meaning(c)):", New: "case read && (!o.reads(s, t) || planted(\"free-for-all\")) && minds(o.meaning(c)):", Wrong: "a read that begins overlaps other reads that are in progress, too"},
		{Name: "never-disturbed", Old: "case !read && o.reads(s, t) && minds(o.meaning(s.calls.get(t))):", New: "case !read && o.reads(s, t) && minds(o.meaning(s.calls.get(t))) && !planted(\"never-disturbed\"):", Wrong: "a call that begins while a read lasts does not count as overlapping it"},
		{Name: "stale-for-ever", Old: "c.past[max(0, len(c.past)-m.Bound):]", New: "c.past[max(0, len(c.past)-m.Bound-map[bool]int{planted(\"stale-for-ever\"): 1}[true]):]", Wrong: "a read may be one change further behind than its bound"},
		{Name: "ever-forgets", Old: "	if known || !o.weaker.has(verdict.Eventually) {", New: "	if known || !o.weaker.has(verdict.Eventually) || planted(\"ever-forgets\") {", Wrong: "eventually: states that have been are not noted"},
		{Name: "old-though-alone", Old: "	case !s.free.Has(thread): //", New: "	case !s.free.Has(thread) && !planted(\"old-though-alone\"): //", Wrong: "eventually: a read that nothing overlaps may be old"},
		{Name: "eventually-anything", Old: "	if meaning == verdict.Quiet && s.free", New: "	if (meaning == verdict.Quiet || planted(\"eventually-anything\")) && s.free", Wrong: "eventually: a read that something overlaps may return anything"},
		{Name: "ever-keeps-its-names", Old: "c.ever[k] = o.auto.RenameState(p, r)", New: "if !planted(\"ever-keeps-its-names\") {\n				c.ever[k] = o.auto.RenameState(p, r)\n			}", Wrong: "states that have been keep the names of items that others have lost"},
		{Name: "defined-with-present-only", Old: "	if m.Name == verdict.Eventually && s.disturbed(read) {", New: "	if m.Name == verdict.Eventually && s.disturbed(read) && !planted(\"defined-with-present-only\") {", Wrong: "the definition of eventually looks at the present state only"},
		{Name: "nothing-stale", Old: "		next.past = append(slices.Clone(c.past), c.state)", New: "		next.past = append(slices.Clone(c.past), c.state)\n		if planted(\"nothing-stale\") {\n			next.past = nil\n		}", Wrong: "stale: no earlier state is noted"},
		{Name: "skips-stay", Old: "		if !v.skip.Has(thread) {", New: "		if !v.skip.Has(thread) || planted(\"skips-stay\") {", Wrong: "states without the effect of a call stay when it has returned"},
		{Name: "no-base", Old: "		for _, v := range c.base {\n			list = append(list, view{state: v.state})", New: "		for _, v := range c.base {\n			if planted(\"no-base\") {\n				continue\n			}\n			list = append(list, view{state: v.state})", Wrong: "a read that begins sees each call in progress that has taken effect"},
		{Name: "not-ahead", Old: "m == verdict.Some || m == verdict.Between {\n		out = append", New: "(m == verdict.Some || m == verdict.Between) && !planted(\"not-ahead\") {\n		out = append", Wrong: "some, between: a read sees no call before it takes effect"},
		{Name: "ahead-in-any-order", Old: "next.after[t] = next.after[t].With(u)", New: "if !planted(\"ahead-in-any-order\") {\n				next.after[t] = next.after[t].With(u)\n			}", Wrong: "calls that a read has seen may take effect in another order"},
		{Name: "ahead-of-nothing", Old: "next.shown = next.shown.With(t)", New: "if !planted(\"ahead-of-nothing\") {\n			next.shown = next.shown.With(t)\n		}", Wrong: "a call that a read has seen may change nothing when it takes effect"},
		{Name: "keys-forgotten", Old: "	if of.keyed && misses(v.missed, of.key) {", New: "	if of.keyed && misses(v.missed, of.key) && !planted(\"keys-forgotten\") {", Wrong: "parts: which keys' calls were missed is forgotten"},
		{Name: "no-part-missed", Old: "	return append(list, v)\n}\n\nfunc misses", New: "	if planted(\"no-part-missed\") {\n		return list\n	}\n	return append(list, v)\n}\n\nfunc misses", Wrong: "parts: a read sees each call that takes effect while it lasts"},
		{Name: "nothing-is-seen", Old: "	if e.Next == c.state {\n		return next", New: "	if e.Next == c.state && !planted(\"nothing-is-seen\") {\n		return next", Wrong: "a call that changes nothing counts as a change"},
		{Name: "below-is-enough", Old: "return ok && least && slices.ContainsFunc(", New: "return ok && least && planted(\"below-is-enough\") || ok && least && slices.ContainsFunc(", Wrong: "between: a number above the greatest is right, too"},
		{Name: "stuck-was-seen", Old: "c.shown == 0 && o.auto.MayBlock", New: "(c.shown == 0 || planted(\"stuck-was-seen\")) && o.auto.MayBlock", Wrong: "a call that a read has seen may wait for ever"},
		{Name: "threads-stay", Old: "moved.base = append(moved.base, view{state: v.state, skip: v.skip.permuted(p)})", New: "if planted(\"threads-stay\") {\n				moved.base = append(moved.base, v)\n				continue\n			}\n			moved.base = append(moved.base, view{state: v.state, skip: v.skip.permuted(p)})", Wrong: "where threads are renumbered, who is left out of a state is not"},
		{Name: "keys-keep-their-names", Old: "keys[k] = o.auto.RenameName(oracle.Keys, keys[k], r)", New: "if !planted(\"keys-keep-their-names\") {\n				keys[k] = o.auto.RenameName(oracle.Keys, keys[k], r)\n			}", Wrong: "where keys are renamed, those that were missed are not"},
		{Name: "defined-without-returned", Old: "	if !op.Precedes(r) {\n		list = append(list, s.sees(", New: "	if !op.Precedes(r) || planted(\"defined-without-returned\") {\n		list = append(list, s.sees(", Wrong: "the definition lets a read miss calls that had returned"},
		{Name: "defined-with-later", Old: "	if !r.Precedes(op) {\n", New: "	if !r.Precedes(op) || planted(\"defined-with-later\") {\n", Wrong: "the definition lets a read see calls that began behind its return"},
	}
}

func weakerSources(t *testing.T) planting.Sources {
	return planting.Room(t)
}

// faultsPage has a table of the faults of each list.
const faultsPage = "../../doc/monitor-faults.md"

var weakerSection = planting.Section{Page: faultsPage, Title: "Weaker meanings"}

func TestWeakerFaults_CanBePlanted(t *testing.T) {
	weakerSources(t).Check(t, weakerFaults())
	weakerSection.Check(t, weakerFaults())
}

// TestWeakerFaults_AreFound runs the comparisons with each fault switched on: they have to fail.
func TestWeakerFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: minutes")
	}
	by := weakerSources(t).EachFails(t, weakerFaults(), failing, "-test.run=TestWeakerMonitor_|TestCheckWeaker_", "-test.failfast")
	if flags.Update() {
		weakerSection.Write(t, weakerFaults(), by)
	}
}

// failing is the line of the output that says which test has failed.
func failing(out string) string {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "--- FAIL: Test") || strings.HasPrefix(line, "panic:") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
