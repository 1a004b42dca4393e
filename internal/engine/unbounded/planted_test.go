// SPDX-License-Identifier: BSD-3-Clause

package unbounded

// A fault is planted in the prover by replacing a text that occurs once in its source. In the
// new text, planted("name") says whether the fault is switched on, so that one build holds
// all of them. Each makes the prover unsound, or lose a proof.
type fault struct {
	name, area string
	old, new   string
	wrong      string // what is wrong then
}

var faults = []fault{
	// What is joined, and what is put behind one another.
	{"join-last", "shape", "\t\ta.First |= b.First\n\t\ta.Last |= b.Last\n", "\t\ta.First |= b.First\n\t\tif !planted(\"join-last\") {\n\t\t\ta.Last |= b.Last\n\t\t}\n", "a joined chain ends only as the first one"},
	{"join-first", "shape", "\t\ta.Kinds |= b.Kinds\n\t\ta.First", "\t\ta.Kinds |= b.Kinds\n\t\tif planted(\"join-first\") {\n\t\t\tb = &Node{Last: b.Last, Opt: b.Opt}\n\t\t}\n\t\ta.First", "a joined chain begins only as the first one"},
	{"join-empty", "shape", "a.Opt = a.Opt || b.Opt", "a.Opt = a.Opt || b.Opt && !planted(\"join-empty\")", "a joined chain is empty only if the first one may be"},
	{"grown-unseen", "shape", "return o.Kinds&^n.Kinds == 0 &&", "return planted(\"grown-unseen\") || o.Kinds&^n.Kinds == 0 &&", "a view that allows more counts as known"},
	{"concat-first", "shape", "\tif a.Opt {\n\t\ta.First", "\tif a.Opt && !planted(\"concat-first\") {\n\t\ta.First", "a chain behind one that may be empty does not begin it"},
	{"concat-last", "shape", "\tif b.Opt {\n\t\ta.Last", "\tif b.Opt && !planted(\"concat-last\") {\n\t\ta.Last", "a chain in front of one that may be empty does not end it"},

	// What is hidden, and taken out again.
	{"hide-two-references", "shape", "c.pinned[n] || c.refs[n] != 1 ||", "c.pinned[n] || c.refs[n] != 1 && !planted(\"hide-two-references\") ||", "a cell with two references is hidden"},
	{"hide-locked", "shape", "if words[m] != Nil {", "if words[m] != Nil && !planted(\"hide-locked\") {", "a cell that the thread has locked is hidden"},
	{"hide-k", "shape", "case some && class == Equal, !some && t.hasData:", "case some && class == Equal && !planted(\"hide-k\"), !some && t.hasData:", "a cell with k is hidden"},
	{"publish-one", "shape", "\tfor _, x := range h.Of(n) {\n\t\th.Publish(x)", "\tfor _, x := range h.Of(n) {\n\t\tif planted(\"publish-one\") {\n\t\t\tbreak\n\t\t}\n\t\th.Publish(x)", "what a published cell leads to stays private"},
	{"unfold-never-empty", "transfer", "if s.Opt {", "if s.Opt && !planted(\"unfold-never-empty\") {", "a chain that may be empty has a cell"},
	{"unfold-one-kind", "transfer", "if !s.First.Has(k - 1) {", "if !s.First.Has(k-1) || planted(\"unfold-one-kind\") && s.First&(1<<(k-1)-1) != 0 {", "a chain begins with a cell of the first kind only"},
	{"take-never-last", "shape", "rest.Opt = old.Last.Has(k) &&", "rest.Opt = !planted(\"take-never-last\") && old.Last.Has(k) &&", "behind the first cell of a chain there is another one"},
	{"take-always-last", "shape", "rest.First = d.OfType(old.Kinds, d.types[d.kinds[k].typ].to)", "rest.First = d.OfType(old.Kinds, d.types[d.kinds[k].typ].to)\n\tif planted(\"take-always-last\") && old.Last.Has(k) {\n\t\trest.First = 0\n\t}", "a chain whose first cell may be the last has one cell"},

	// Steps.
	{"branch-one-way", "transfer", "if w.IsTop() && compares(in.Op) {", "if w.IsTop() && compares(in.Op) && planted(\"branch-one-way\") {\n\t\t\tw = truth(true)\n\t\t} else if w.IsTop() && compares(in.Op) {", "a comparison of which nothing is known is true"},
	{"items-equal", "transfer", "\tcase a.Class().Certain():\n\t\treturn truth(true)\n\t}\n\treturn shape.Top", "\tcase a.Class().Certain() || planted(\"items-equal\"):\n\t\treturn truth(true)\n\t}\n\treturn shape.Top", "items of one class are equal"},
	{"order-reversed", "transfer", "return truth(a < b)\n}\n\n// equal is", "return truth(a < b != planted(\"order-reversed\"))\n}\n\n// equal is", "items are in the reverse order"},
	{"two-accesses", "transfer", "visible && !settled && t.moved && (!t.locked || racy) {", "visible && !settled && t.moved && (!t.locked || racy) && !(planted(\"two-accesses\") && in.Op == ir.OpAtomicLoad) {", "a step goes on with atomic loads"},
	{"unlock-goes-on", "transfer", "\tif a.Node() == 0 {\n\t\tif t.moved {", "\tif a.Node() == 0 {\n\t\tif t.moved && !planted(\"unlock-goes-on\") {", "giving back the collection's lock is part of the step before"},
	{"lock-goes-on", "transfer", "if t.moved && !t.locked {\n\t\t\treturn m.stop(t)", "if t.moved && !t.locked && !planted(\"lock-goes-on\") {\n\t\t\treturn m.stop(t)", "taking a lock is part of the step before"},
	{"lock-of-others", "transfer", "\tcase Others:\n\t\treturn false // it waits", "\tcase Others:\n\t\tif planted(\"lock-of-others\") {\n\t\t\tbreak\n\t\t}\n\t\treturn false // it waits", "a lock that another thread holds can be taken"},
	{"mutable-unseen", "transfer", "if write && m.d.SetMutable(typ, off) {", "if write && !planted(\"mutable-unseen\") && m.d.SetMutable(typ, off) {", "no word counts as written while shared"},
	{"plain-unseen", "transfer", "m.Grew = m.d.SetPlain(typ, off) || m.Grew", "m.Grew = !planted(\"plain-unseen\") && m.d.SetPlain(typ, off) || m.Grew", "no word counts as accessed without synchronisation"},
	{"store-unseen", "transfer", "copy(h.Of(a.Node())[a.Off():], words)\n\tfor _, w := range words {", "if planted(\"store-unseen\") && isPlain {\n\t\tm.result.Writes = m.result.Writes[:len(m.result.Writes)-1]\n\t}\n\tcopy(h.Of(a.Node())[a.Off():], words)\n\tfor _, w := range words {", "plain stores are no effects"},
	{"lock-unseen", "transfer", "func (m *Machine) setLock(t *thread, a shape.Word, w shape.Word, l Locking) {\n\tif a.Node() == 0 {", "func (m *Machine) setLock(t *thread, a shape.Word, w shape.Word, l Locking) {\n\tif a.Node() == 0 && !planted(\"lock-unseen\") {", "taking a lock is no effect"},
	{"fail-unseen", "transfer", "if same == shape.Nil {\n\t\tm.Covered", "if planted(\"fail-unseen\") && same == shape.Nil {\n\t\treturn false\n\t}\n\tif same == shape.Nil {\n\t\tm.Covered", "a compare-and-swap never fails"},

	{"attempt-unseen", "transfer", "m.p == nil || !d.Shared || !m.d.Plain(int(d.Type), a.Off()) {", "m.p == nil || !d.Shared || planted(\"attempt-unseen\") || !m.d.Plain(int(d.Type), a.Off()) {", "a compare-and-swap that fails is no effect"},

	// What is settled, and what is forgotten.
	{"replaced-unseen", "shape", "if !slices.ContainsFunc(x.replaced, p.equal) {", "if !slices.ContainsFunc(x.replaced, p.equal) && !planted(\"replaced-unseen\") {", "no value counts as replaced"},
	{"returns-unseen", "shape", "h.Nodes[w.Node()].Shared && !x.returns {", "h.Nodes[w.Node()].Shared && !x.returns && !planted(\"returns-unseen\") {", "no address counts as written a second time"},
	{"returns-anyway", "shape", "d.writesTo(h, n, off).returns\n", "d.writesTo(h, n, off).returns && !planted(\"returns-anyway\")\n", "an address that is not there never comes back"},
	{"final-never-empty", "shape", "return n.Opt && d.may(h, n.Next, p)", "return n.Opt && !planted(\"final-never-empty\") && d.may(h, n.Next, p)", "what stands behind a chain that may be empty does not count for what is replaced"},
	{"final-changing", "shape", "return d.types[t].scalar[off] && !d.types[t].mutable[off]", "return d.types[t].scalar[off] && (!d.types[t].mutable[off] || planted(\"final-changing\"))", "what is replaced depends on words of cells that change"},
	{"gone-equal", "shape", "if !h.differ(h.Get(n, off), w) {", "if !planted(\"gone-equal\") && !h.differ(h.Get(n, off), w) {", "a compare-and-swap counts as failed of which it is not known whether it is"},
	{"settled-lost", "fixpoint", "\t\t} else if err := c.goOn(&v, e, by); err", "\t\t} else if planted(\"settled-lost\") {\n\t\t} else if err := c.goOn(&v, e, by); err", "who has nothing more to wait for does not go on"},
	{"dead-read", "transfer", "\t\tif w.IsDead() {\n\t\t\tm.d.Need(w)", "\t\tif w.IsDead() && !planted(\"dead-read\") {\n\t\t\tm.d.Need(w)", "what has been forgotten is read"},
	{"bury-shared", "shape", "if x.Shared || x.N == 0 ||", "if x.Shared && (n == 0 || x.Summary || !planted(\"bury-shared\")) || x.N == 0 ||", "addresses in shared cells are forgotten"},

	// What is held.
	{"saw-empty", "content", "if list, ok := p.sequence(h); ok && len(list) == 0 {\n\t\treturn shape.SawEmpty", "if list, ok := p.sequence(h); ok && (len(list) == 0 || planted(\"saw-empty\")) {\n\t\treturn shape.SawEmpty", "at any moment nothing was held"},
	{"saw-both", "content", "case yes:\n\t\t\treturn shape.SawPresent", "case yes && planted(\"saw-both\"):\n\t\t\treturn shape.SawPresent | shape.SawAbsent\n\t\tcase yes:\n\t\t\treturn shape.SawPresent", "what is held is absent as well"},
	{"saw-marked", "content", "case mark == shape.Nil:\n\t\t\t\tyes", "case mark == shape.Nil || planted(\"saw-marked\"):\n\t\t\t\tyes", "what is marked is held"},
	{"saw-later", "content", "v.Flags |= p.Certain(&v.Heap) & mask", "v.Flags |= p.Certain(&v.Heap) & mask &^ map[bool]shape.Flags{true: shape.SawPresent}[planted(\"saw-later\")]", "a thread does not see itself that k is held"},
	{"twice", "content", "if v.Flags&shape.Linearized != 0 {\n\t\treturn fmt.Errorf(\"%s changes what is held a second time\", op.Name)\n\t}\n\tif v.Flags&shape.Offering", "if v.Flags&shape.Linearized != 0 && !planted(\"twice\") {\n\t\treturn fmt.Errorf(\"%s changes what is held a second time\", op.Name)\n\t}\n\tif v.Flags&shape.Offering", "an operation may change what is held twice"},
	{"another-item", "content", "case op.Item < 0 || results[op.Item] != v.Taken:", "case op.Item < 0 || results[op.Item] != v.Taken && !planted(\"another-item\"):", "any item may be returned"},
	{"wrong-end", "content", "case n == len(old)+1 && p.Kind == oracle.Stack && same(old, now[1:]):", "case n == len(old)+1 && (p.Kind == oracle.Stack || planted(\"wrong-end\")) && same(old, now[1:]):", "a queue may be added to at its front"},
	{"never-empty-unsaid", "content", "case !done && v.Flags&shape.SawEmpty == 0:", "case !done && v.Flags&shape.SawEmpty == 0 && !planted(\"never-empty-unsaid\"):", "a take may always say that nothing was held"},

	// Effects.
	{"e-goes-on", "interference", "if last := a.Kinds & b.Last; last != 0 &&", "if last := a.Kinds & b.Last; last != 0 && !planted(\"e-goes-on\") &&", "two chains: the writer's is not the longer one"},
	{"j-goes-on", "interference", "if last := a.Last & b.Kinds; last != 0 &&", "if last := a.Last & b.Kinds; last != 0 && !planted(\"j-goes-on\") &&", "two chains: the victim's is not the longer one"},
	{"end-together", "interference", "\tif ends {\n\t\tc := g.clone(x)", "\tif ends && !planted(\"end-together\") {\n\t\tc := g.clone(x)", "two chains are never the same"},
	{"left-over", "interference", "return h.IsSummary(w) && h.Nodes[w.Node()].Opt &&", "return h.IsSummary(w) && h.Nodes[w.Node()].Opt && !planted(\"left-over\") &&", "what is left of a chain has a cell"},
	{"aligned-ends", "interference", "return common&a.Last != 0 && (t.may(endA, onB) || common&b.Last != 0 && t.may(endA, endB)) ||", "return common&a.Last != 0 && (t.may(endA, onB) || !planted(\"aligned-ends\") && common&b.Last != 0 && t.may(endA, endB)) ||", "two chains do not end at one place"},
	{"both-empty", "interference", "First: a.First & b.First, Opt: a.Opt && b.Opt}", "First: a.First & b.First, Opt: a.Opt && b.Opt && !planted(\"both-empty\")}", "two chains that are the same have a cell"},
	{"e-empty", "interference", "if a.Opt && g.possible(x, a.Next, wb) {", "if a.Opt && !planted(\"e-empty\") && g.possible(x, a.Next, wb) {", "two chains: the writer's is not empty"},
	{"j-empty", "interference", "if b.Opt && a.Kinds != 0 && g.possible(x, wa, b.Next) {", "if b.Opt && !planted(\"j-empty\") && a.Kinds != 0 && g.possible(x, wa, b.Next) {", "two chains: the victim's is not empty"},
	{"e-empty-cell", "interference", "\tif d.Opt && g.possible(x, d.Next, b) {", "\tif d.Opt && !planted(\"e-empty-cell\") && g.possible(x, d.Next, b) {", "a chain of the writer's is not empty where the victim knows a cell"},
	{"j-empty-cell", "interference", "\tif d.Opt && g.possible(x, a, d.Next) {", "\tif d.Opt && !planted(\"j-empty-cell\") && g.possible(x, a, d.Next) {", "a chain of the victim's is not empty where the writer knows a cell"},
	{"e-cell", "interference", "if !d.First.Has(k) || !g.fits(k, &x.j, b) {", "if !d.First.Has(k) || !g.fits(k, &x.j, b) || planted(\"e-cell\") {", "no cell of the victim's begins a chain of the writer's"},
	{"j-cell", "interference", "if !d.First.Has(k) || !g.fits(k, &x.e, a) {", "if !d.First.Has(k) || !g.fits(k, &x.e, a) || planted(\"j-cell\") {", "no cell of the writer's begins a chain of the victim's"},
	{"locks-exclude", "interference", "\tcase a == transfer.Mine && b == transfer.Mine:\n\t\treturn false\n", "\tcase a == transfer.Mine && b == transfer.Mine, planted(\"locks-exclude\") && (a == transfer.Mine || b == transfer.Mine):\n\t\treturn false\n", "nobody does anything while a thread holds a lock"},
	{"removed-target", "interference", "case d.Type == typ && x.inv[i] < 0:", "case planted(\"removed-target\") && target:\n\t\tcase d.Type == typ && x.inv[i] < 0:", "writes to removed cells meet nobody who knows them"},
	{"removed-value", "interference", "\tc := g.clone(x)\n\tc.copyCell(n)\n\tg.stack = append(g.stack, c)", "\tif planted(\"removed-value\") {\n\t\treturn false, false, nil\n\t}\n\tc := g.clone(x)\n\tc.copyCell(n)\n\tg.stack = append(g.stack, c)", "a removed cell that is linked in again is one that the victim knows"},
	{"removed-chain", "interference", "if g.d.OfType(d.Kinds, int(typ)) != 0 {", "if g.d.OfType(d.Kinds, int(typ)) != 0 && !planted(\"removed-chain\") {", "a removed cell is none of a chain that the victim knows"},
	{"written-private", "interference", "\t\th.Put(hit, at.Off()+i, w)\n\t\th.Publish(w)", "\t\th.Put(hit, at.Off()+i, w)\n\t\tif !planted(\"written-private\") {\n\t\t\th.Publish(w)\n\t\t}", "what others link in stays private"},
	{"given-back-to-nobody", "interference", "h.Put(hit, at.Off(), transfer.Free)", "if !planted(\"given-back-to-nobody\") {\n\t\t\th.Put(hit, at.Off(), transfer.Free)\n\t\t}", "a lock that others give back stays taken"},
	{"memo-unnamed", "interference", "\t\t\tm.key = binary.LittleEndian.AppendUint16(m.key, uint16(w.Node()))", "\t\t\tif !planted(\"memo-unnamed\") {\n\t\t\t\tm.key = binary.LittleEndian.AppendUint16(m.key, uint16(w.Node()))\n\t\t\t}", "it does not matter to which cells registers refer"},
	{"saw-others", "interference", "c.Flags |= o.Certain & minds", "if planted(\"saw-others\") {\n\t\tc.Flags |= minds\n\t}\n\tc.Flags |= o.Certain & minds", "whatever others write, at that moment everything was so"},

	// The table.
	{"requeue", "fixpoint", "\tc.todo.addStep(e)\n\treturn e", "\tif !planted(\"requeue\") || e.View == v {\n\t\tc.todo.addStep(e)\n\t}\n\treturn e", "joined views are not looked at again"},
	{"meets-once", "fixpoint", "\tif !e.waits {\n", "\tif !e.waits && (!planted(\"meets-once\") || e.grown == 0) {\n", "joined views do not meet effects again"},
	{"gone-once", "fixpoint", "if c.key = v.Exact(c.key[:0]); c.gone[string(c.key)] {", "if c.key = v.Exact(c.key[:0]); planted(\"gone-once\") {\n\t\tc.key = v.Heap.Exact(c.key[:0])\n\t}\n\tif c.gone[string(c.key)] {", "of several threads that see one memory one goes on"},
	{"effects-unjoined", "fixpoint", "} else if !old.Join(&f.Heap) {", "} else if planted(\"effects-unjoined\") || !old.Join(&f.Heap) {", "an effect that allows more counts as known"},
	{"effects-once", "fixpoint", "\tfor _, f := range c.inv.Effects {\n\t\tif err := c.interfere(e, f); err", "\tfor _, f := range c.inv.Effects {\n\t\tif planted(\"effects-once\") {\n\t\t\tbreak\n\t\t}\n\t\tif err := c.interfere(e, f); err", "new views do not meet effects that are known"},
	{"one-argument", "fixpoint", "return []shape.Class{shape.Below, shape.Equal, shape.Above}", "if planted(\"one-argument\") {\n\t\t\treturn []shape.Class{shape.Equal}\n\t\t}\n\t\treturn []shape.Class{shape.Below, shape.Equal, shape.Above}", "arguments of sets are k"},
	{"no-races", "fixpoint", "if !a.At.IsRef() || !a.Plain && !f.Plain ||", "if planted(\"no-races\") || !a.At.IsRef() || !a.Plain && !f.Plain ||", "no race is reported"},

	// Offers, and slices.
	{"offer-unkeyed", "shape", "\t\tif n.Offer.held() {\n\t\t\tdst", "\t\tif n.Offer.held() && !planted(\"offer-unkeyed\") {\n\t\t\tdst", "memories with other offers are the same"},
	{"offer-both", "shape", "if o.Holder == Self && p.Holder == Self {", "if o.Holder == Self && p.Holder == Self && !planted(\"offer-both\") {", "two threads have one offer"},
	{"offer-of-nobody", "interference", "].Offer = o.By(shape.Another)", "].Offer = o.By(map[bool]shape.Holder{true: shape.Nobody, false: shape.Another}[planted(\"offer-of-nobody\")])", "others do not see an offer"},
	{"offer-stays", "interference", "\t\tholder, *o = o.Holder, shape.Offer{}", "\t\tif holder = o.Holder; !planted(\"offer-stays\") {\n\t\t\t*o = shape.Offer{}\n\t\t}", "what others replace stays an offer"},
	{"offer-lost", "interference", "].Offer = o.By(holder)", "].Offer = o.By(map[bool]shape.Holder{true: shape.Another, false: holder}[planted(\"offer-lost\") && holder != shape.Nobody])", "an answer to a thread's offer is another's"},
	{"offer-kept", "transfer", "\tfor _, n := range ended {\n", "\tfor _, n := range ended {\n\t\tif planted(\"offer-kept\") {\n\t\t\tbreak\n\t\t}\n", "what a thread replaces stays an offer"},
	{"offer-alike", "content", "if o.Takes == p.takes(v) || v.Flags", "if o.Takes == p.takes(v) && !planted(\"offer-alike\") || v.Flags", "two that put meet"},
	{"offer-answered-late", "content", "|| v.Flags&(shape.Linearized|shape.Offering) != 0 {", "|| v.Flags&(shape.Linearized|shape.Offering) != 0 && !planted(\"offer-answered-late\") {", "who has taken effect meets another one"},
	{"offer-second", "content", "return v.Flags&(shape.Linearized|shape.Offering) == 0 &&", "return (v.Flags&(shape.Linearized|shape.Offering) == 0 || planted(\"offer-second\")) &&", "who has taken effect makes an offer"},
	{"offer-learnt", "content", "\tif o.Stage != shape.Met {\n\t\treturn\n\t}\n\tv.Flags |=", "\tif o.Stage != shape.Met && !planted(\"offer-learnt\") {\n\t\treturn\n\t}\n\tv.Flags |=", "an offer that is taken back has been met"},
	{"offer-undecided", "content", "\tif v.Flags&shape.Offering != 0 {\n\t\treturn fmt.Errorf(\"%s changes", "\tif v.Flags&shape.Offering != 0 && !planted(\"offer-undecided\") {\n\t\treturn fmt.Errorf(\"%s changes", "a call takes effect while its offer stands"},
	{"offer-item", "content", "\tout.Stage, out.Class = shape.Met, p.putting(v)", "\tout.Stage, out.Class = shape.Met, p.putting(v)\n\tif planted(\"offer-item\") {\n\t\tout.Class = shape.Above\n\t}", "a take that was answered has got an item that is not k"},
	{"element-first", "transfer", "shape.Ref(a.Node(), a.Off()+int(i.Value())*in.T.Size)\n\tf.pc++", "shape.Ref(a.Node(), a.Off()+map[bool]int{false: int(i.Value()) * in.T.Size}[planted(\"element-first\")])\n\tf.pc++", "every element of a slice is the first one"},
}
