// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"path/filepath"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/planting"
)

// settleFaults are planted in what settles initialisation, and in what finds its effects. That statement looks at jumps back changes nothing, and no fault is planted there:
// go/ssa writes no loop into the initialiser of a package, only calls of functions with loops.
var settleFaults = []planting.Fault{
	{Name: "variables-by-name", Old: "if l.effects.Changed[g] || s.leads(m, g, changed) {",
		New: "if l.effects.Changed[g] || !planted(\"variables-by-name\") && s.leads(m, g, changed) {"},
	{Name: "variables-unpointed", Old: "if may(r) { // a variable",
		New: "if may(r) && !(planted(\"variables-unpointed\") && int(r) <= len(s.prog.Globals)) { // a variable"},
	{Name: "address-unchanged", Old: "\tfor g := range l.effects.Changed {\n",
		New: "\tfor g := range l.effects.Changed {\n\t\tif planted(\"address-unchanged\") {\n\t\t\tbreak\n\t\t}\n"},
	{Name: "unknown-lead-nowhere", Old: "if other != l && shares(",
		New: "if !planted(\"unknown-lead-nowhere\") && other != l && shares("},
	{Name: "known-before", Old: "if ok && !from.before(known) {",
		New: "if ok && (planted(\"known-before\") || !from.before(known)) {"},
	{Name: "callers-know", Old: "initialises && (place{at, m.pc}.before(from)",
		New: "(initialises || planted(\"callers-know\")) && (place{at, m.pc}.before(from)"},
	{Name: "once-is-enough", Old: "for again := true; again && len(s.left) <= mostUnknown; {\n\t\tagain = s.pass()",
		New: "for again := true; again && len(s.left) <= mostUnknown; {\n\t\tagain = s.pass() && !(planted(\"once-is-enough\") && len(s.unknown) > 0)"},
	{Name: "goroutines-nowhere", Old: "if len(m.Thread) > 1 {",
		New: "if len(m.Thread) > 1 && !planted(\"goroutines-nowhere\") {"},
	{Name: "boxes-closed", Old: "if is != ThroughBoxes {",
		New: "if is != ThroughBoxes || planted(\"boxes-closed\") {"},
	{Name: "names-differ", Old: "if of != nil && converts(of, t) {",
		New: "if of != nil && !planted(\"names-differ\") && converts(of, t) {"},
	{Name: "parameters-made", Old: "\tif !made {\n",
		New: "\tif !made && !planted(\"parameters-made\") {\n"},
	{Name: "maps-unwritten", Old: "\t\tw.e.entries[in.T.Entry] = true\n",
		New: "\t\tif !planted(\"maps-unwritten\") {\nw.e.entries[in.T.Entry] = true\n}\n"},
	{Name: "appends-anew", Old: "\t\tw.e.elements[flat(in.T)] = true\n\tcase OpMapSet",
		New: "\t\tif !planted(\"appends-anew\") {\nw.e.elements[flat(in.T)] = true\n}\n\tcase OpMapSet"},
	{Name: "channels-silent", Old: "\tcase OpSend, OpRecv, OpClose, OpSelect:\n\t\tw.e.channels = true",
		New: "\tcase OpSend, OpRecv, OpClose, OpSelect:\n\t\tw.e.channels = !planted(\"channels-silent\")"},
	{Name: "casts-read", Old: "w.e.Open = w.e.Open || !w.onlyRead(in)",
		New: "w.e.Open = w.e.Open || !planted(\"casts-read\") && !w.onlyRead(in)"},
	{Name: "addresses-stay", Old: "if !w.leavesAlone(in) && !w.onlyRead(in) {\n\t\t\t\tw.e.Changed",
		New: "if !w.leavesAlone(in) && !w.onlyRead(in) && !planted(\"addresses-stay\") {\n\t\t\t\tw.e.Changed"},
	{Name: "fields-whole", Old: "\t\t\t\tw.e.structs[in.T] = true\n",
		New: "\t\t\t\tif !planted(\"fields-whole\") {\nw.e.structs[in.T] = true\n}\n"},
	{Name: "unknown-is-quiet", Old: "\t\tif handed = r.made(handed, f); e.Open {",
		New: "\t\tif handed = r.made(handed, f); e.Open && !planted(\"unknown-is-quiet\") {"},
	{Name: "memory-is-quiet", Old: "\t\t\tfor _, f := range m.callable(&m.Objs[id]) {\n",
		New: "\t\t\tfor _, f := range m.callable(&m.Objs[id]) {\n\t\t\t\tif planted(\"memory-is-quiet\") {\n\t\t\t\t\tbreak\n\t\t\t\t}\n"},
	{Name: "unknown-by-types", Old: "if e.Open || channel && e.channels {",
		New: "if e.Open && !planted(\"unknown-by-types\") || channel && e.channels {"},
	{Name: "no-values-before", Old: "\treturn r.among\n",
		New: "\tif planted(\"no-values-before\") {\n\t\treturn map[*Func]bool{}\n\t}\n\treturn r.among\n"},
	{Name: "loads-anything", Old: "return c.Kind == CallStatic && c.Func.External && w.meaning(c.Func) == Harmless",
		New: "return c.Kind == CallStatic && c.Func.External && (planted(\"loads-anything\") || w.meaning(c.Func) == Harmless)"},
	{Name: "copies-read", Old: "copied := of.Op == OpMove && of.N == 1\n",
		New: "copied := of.Op == OpMove && of.N == 1\n\tif planted(\"copies-read\") && copied {\n\t\treturn true\n\t}\n"},
}

func settleSources(t *testing.T) planting.Sources {
	t.Helper()
	texts := planting.Sources{}
	texts.Read(t, "settle.go")
	texts.Read(t, "../ir/effects.go")
	return texts
}

func TestSettleFaults_CanBePlanted(t *testing.T) { settleSources(t).Check(t, settleFaults) }

// TestSettleFaults_AreFound fails if the tests of Settle pass with a fault in it.
func TestSettleFaults_AreFound(t *testing.T) {
	if !flags.Plant() {
		t.Skip("with -plant")
	}
	binary := filepath.Join(t.TempDir(), "vm.test")
	settleSources(t).Build(t, settleFaults, binary)
	for _, f := range settleFaults {
		if !flags.Only(f.Name) {
			continue
		}
		if planting.Command(binary, f.Name, "-test.run", "^TestSettle_Knows").Run() != nil {
			t.Logf("%s: TestSettle_KnowsWhatIsUnknown", f.Name)
			continue
		}
		if planting.Command(binary, f.Name, "-test.run", "^TestSettle_Agrees").Run() != nil {
			t.Logf("%s: TestSettle_AgreesWithExecution", f.Name)
			continue
		}
		t.Errorf("%s is not found", f.Name)
	}
}
