// SPDX-License-Identifier: BSD-3-Clause

package unbounded

// What objects of registers do.
func init() {
	faults = append(faults, []fault{
		{"start-with-k", "content", "\t\t\tfor _, h := range list {\n\t\t\t\th = h.Clone()", "\t\t\tfor _, h := range list {\n\t\t\t\tif planted(\"start-with-k\") && !is {\n\t\t\t\t\tbreak\n\t\t\t\t}\n\t\t\t\th = h.Clone()", "the registers of a new object hold k"},
		{"one-choice", "content", "return 1 << len(p.Map.Object.Rules[op].Args)", "if planted(\"one-choice\") {\n\t\treturn 1\n\t}\n\treturn 1 << len(p.Map.Object.Rules[op].Args)", "arguments of objects are k"},
		{"guards-before", "content", "\tif written {\n\t\tv.Flags", "\tif written && !planted(\"guards-before\") {\n\t\tv.Flags", "what others put into a register may depend on what was so before"},
		{"guards-before-own", "content", "if r.Descriptor != nil && old.cell != now.cell {", "if r.Descriptor != nil && old.cell != now.cell && !planted(\"guards-before-own\") {", "what a thread puts into a register may depend on what was so before"},
		{"guards-true", "content", "if err == nil && g != no {", "if err == nil && (g != no || planted(\"guards-true\")) {", "at any moment the other registers allow an effect"},
		{"guards-false", "content", "if err == nil && g != yes {", "if err == nil && (g != yes || planted(\"guards-false\")) {", "at any moment the other registers forbid an effect"},
		{"right-while-busy", "content", "busy && rule.Uses(slot) {", "busy && rule.Uses(slot) && !planted(\"right-while-busy\") {", "what a register holds while it has a descriptor may be returned"},
		{"right-unless-idle", "content", "== yes && p.idle(&v.Heap, rule, p.Arguments(int(v.Op), v.Param)) {", "== yes && (planted(\"right-unless-idle\") || p.idle(&v.Heap, rule, p.Arguments(int(v.Op), v.Param))) {", "who would have changed something may return what was there"},
		{"effect-twice", "content", "\tif v.Flags&(shape.Linearized|shape.Announced) != 0 {\n\t\treturn fmt.Errorf(\"%s changes a register", "\tif v.Flags&(shape.Linearized|shape.Announced) != 0 && !planted(\"effect-twice\") {\n\t\treturn fmt.Errorf(\"%s changes a register", "an operation may change a register twice"},
		{"effect-any", "content", "\tif !changes && !keeps {\n\t\treturn fmt.Errorf(\"%s changes", "\tif !changes && !keeps && !planted(\"effect-any\") {\n\t\treturn fmt.Errorf(\"%s changes", "an operation may change a register in any way"},
		{"announced-twice", "content", "\tcase v.Flags&(shape.Linearized|shape.Announced) != 0:", "\tcase v.Flags&(shape.Linearized|shape.Announced) != 0 && !planted(\"announced-twice\"):", "a call may put two descriptors into a register"},
		{"announced-again", "content", "w.Before.Nodes[x[1].cell].Shared:", "w.Before.Nodes[x[1].cell].Shared && !planted(\"announced-again\"):", "a descriptor may be one that others have seen"},
		{"announced-value", "content", "\tcase x[0].value != x[1].value:", "\tcase x[0].value != x[1].value && !planted(\"announced-value\"):", "a descriptor may say that a register held something else"},
		{"announced-arguments", "content", "\t\tif have != args[k] {", "\t\tif have != args[k] && !planted(\"announced-arguments\") {", "a descriptor may have any arguments"},
		{"completed-any", "content", "\tif !changes && !keeps {\n\t\treturn fmt.Errorf(\"what replaces", "\tif !changes && !keeps && !planted(\"completed-any\") {\n\t\treturn fmt.Errorf(\"what replaces", "anything may replace a descriptor"},
		{"completed-unseen", "content", "own != no && v.Flags&shape.GuardTrue != 0 &&", "own != no && (planted(\"completed-unseen\") || v.Flags&shape.GuardTrue != 0) &&", "an operation may take effect whatever other registers hold"},
		{"kept-unseen", "content", "(own != yes || v.Flags&shape.GuardFalse != 0) &&", "(own != yes || planted(\"kept-unseen\") || v.Flags&shape.GuardFalse != 0) &&", "an operation may change nothing whatever other registers hold"},
		{"returned-early", "content", "|| w.Node() == v.Mine.Node() {", "|| w.Node() == v.Mine.Node() && !planted(\"returned-early\") {", "a call may return while its descriptor is there"},
		{"returned-any", "content", "\tcase done && results[0] != v.Taken:", "\tcase done && results[0] != v.Taken && !planted(\"returned-any\"):", "a call that has taken effect may return anything"},
		{"returned-unseen", "content", "== yes && v.Flags&shape.SawRight == 0:", "== yes && v.Flags&shape.SawRight == 0 && !planted(\"returned-unseen\"):", "a call without effect may return anything"},
		{"returned-without-effect", "content", "\tcase rule.Returns < 0 && !done:", "\tcase rule.Returns < 0 && !done && !planted(\"returned-without-effect\"):", "a call that returns nothing need not do anything"},
		{"kinds-crossed", "transfer", "!b.IsData() || a.Class().OfJ() != b.Class().OfJ():", "!b.IsData() || a.Class().OfJ() != b.Class().OfJ() && !planted(\"kinds-crossed\"):", "values of two kinds are never equal"},
		{"guards-of-others", "fixpoint", "\t\tif !v.Idle() {\n\t\t\tc.inv.Property.Observe", "\t\tif !v.Idle() && !planted(\"guards-of-others\") {\n\t\t\tc.inv.Property.Observe", "what others write is not noticed"},
	}...)
}
