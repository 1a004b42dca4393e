// SPDX-License-Identifier: BSD-3-Clause

package agreement

// borderFault is a fault where the machine decides what Go, its memory model or its runtime says: the grown grammar is for these.
type borderFault struct {
	fault
	about string // the construct whose texts are tried first
}

var borderFaults = []borderFault{
	// Values of operations.
	{fault{"argument-in-part", "harness", "\t\tcase c.Shape == collection.AsStruct:\n\t\t\telements = append(elements, p.Name",
		"\t\tcase planted(\"argument-in-part\") && len(elements) > 0:\n\t\tcase c.Shape == collection.AsStruct:\n\t\t\telements = append(elements, p.Name",
		"of a struct that is an argument one field is set"}, "carried"},
	{fault{"result-in-part", "harness", "same = append(same, fmt.Sprintf(\"p%d == %s\", i, g.masked(p.Codec)))",
		"if planted(\"result-in-part\") && i > 0 {\n\t\t\tsame = append(same, fmt.Sprintf(\"p%d == p%[1]d\", i))\n\t\t} else {\n\t\t\tsame = append(same, fmt.Sprintf(\"p%d == %s\", i, g.masked(p.Codec)))\n\t\t}",
		"of a struct that is a result one field is read"}, "carried"},
	{fault{"parts-alike", "collection", "if d := int64(tag) << tagShift; v != 0 && v != d {", "if d := int64(tag) << tagShift; v != 0 && v != d && !planted(\"parts-alike\") {",
		"all parts of a value hold the same, so that one may stand in another's place"}, "carried"},
	{fault{"texts-alike", "harness", "`, collection.StringValues-1, all.String())", "`, map[bool]int{false: collection.StringValues - 1, true: 0}[planted(\"texts-alike\")], all.String())",
		"all strings that are arguments are the same"}, "carried"},
	{fault{"objects-anonymous", "vm", "if typ == 0 || data == 0 || c.m.img.Types[", "if planted(\"objects-anonymous\") || typ == 0 || data == 0 || c.m.img.Types[",
		"which object a call returns is not compared"}, "given"},
	{fault{"objects-always-new", "vm", "if table[2*at] == typ && table[2*at+1] == data {", "if table[2*at] == typ && table[2*at+1] == data && !planted(\"objects-always-new\") {",
		"an object that is returned again is taken for another one"}, "given"},
	{fault{"names-in-order", "self", "if used>>n&1 == 0 {", "if used>>n&1 == 0 && (n == len(names)+1 || !planted(\"names-in-order\")) {",
		"objects must be returned in the order in which the oracle returns them"}, "given"},

	// Addresses, goroutines' numbers, variables of no size.
	{fault{"address-of-number", "vm", "slot := m.slots[id]\n\t\treturn uint64(heapAddress", "slot := m.slots[id]\n\t\tif planted(\"address-of-number\") {\n\t\t\treturn heapAddress + uint64(id)<<slotBits + at\n\t\t}\n\t\treturn uint64(heapAddress",
		"an address is made of the object's number, which another state of the same execution has for another object"}, "address"},
	{fault{"addresses-alike", "vm", "m.GiveSlot(id, m.chooseSlot(), at)", "if planted(\"addresses-alike\") {\n\t\tm.GiveSlot(id, 0, 0)\n\t\treturn\n\t}\n\tm.GiveSlot(id, m.chooseSlot(), at)",
		"two objects have one address"}, "address"},
	{fault{"goroutine-one", "vm", "m.Asked, m.Misnumbered = true, m.Misnumbered || m.Numbers\n\treturn t.id + 1", "m.Asked, m.Misnumbered = true, m.Misnumbered || m.Numbers\n\tif planted(\"goroutine-one\") {\n\t\treturn 1\n\t}\n\treturn t.id + 1",
		"a stack trace has always the number 1"}, "trace"},
	{fault{"one-caller", "subject", "m.SetNumber(0, op.Caller(c.Args))", "if !planted(\"one-caller\") {\n\t\t\tm.SetNumber(0, op.Caller(c.Args))\n\t\t}",
		"the oracle self executes the calls of all threads as one thread"}, "trace"},
	{fault{"tokens-differ", "vm", "return a == b || m.Place(a, b, m.choose(m.Placings(a, b)))", "return a == b || !planted(\"tokens-differ\") && m.Place(a, b, m.choose(m.Placings(a, b)))",
		"pointers to variables of no size always differ"}, "token"},

	// What tells.
	{fault{"closed-twice", "vm", "return m.throwPlain(t, \"close of closed channel\")", "if planted(\"closed-twice\") {\n\t\t\treturn ctlNext\n\t\t}\n\t\treturn m.throwPlain(t, \"close of closed channel\")",
		"a channel may be closed again"}, "closed"},
	{fault{"tryrlock-beside-writer", "vm", "func tryRLock(c *call) control {\n\tif c.object(0, 1)[rwWriter] == rwFree {", "func tryRLock(c *call) control {\n\tif c.object(0, 1)[rwWriter] == rwFree || planted(\"tryrlock-beside-writer\") {",
		"TryRLock succeeds beside a writer"}, "refused"},

	// Races: edges left out, and too many.
	{fault{"load-learns-nothing", "races", "case AtomicRead, GroupWaited, Awaited, Acquired, ReadLocked:\n\t\tm.Learns(t, p, partWord)",
		"case AtomicRead, GroupWaited, Awaited, Acquired, ReadLocked:\n\t\tif s.kind == AtomicRead && planted(\"load-learns-nothing\") {\n\t\t\treturn\n\t\t}\n\t\tm.Learns(t, p, partWord)",
		"an atomic load is not ordered behind the store that it observes"}, "length"},
	{fault{"unlock-tells-nobody", "races", "case Unlocked, GroupDone, Signalled, Released:\n\t\tm.Tells(t, p, partWord)",
		"case Unlocked, GroupDone, Signalled, Released:\n\t\tif s.kind == Unlocked && planted(\"unlock-tells-nobody\") {\n\t\t\treturn\n\t\t}\n\t\tm.Tells(t, p, partWord)",
		"an Unlock is not ordered before the next Lock"}, "refused"},
	{fault{"started-knows-nothing", "races", "case Started:\n\t\tu.Knows = t.Knows",
		"case Started:\n\t\tu.Knows = t.Knows && !planted(\"started-knows-nothing\")",
		"a goroutine is not ordered behind the statement that starts it"}, "default"},
	{fault{"sent-tells-nobody", "races", "m.Silences(p, slot)\n\t\tm.Tells(t, p, slot)",
		"m.Silences(p, slot)\n\t\tif planted(\"sent-tells-nobody\") {\n\t\t\treturn\n\t\t}\n\t\tm.Tells(t, p, slot)",
		"a send into a buffer is not ordered before its receive"}, "length"},
	{fault{"close-tells-nobody", "races", "case Closed:\n\t\tm.Tells(t, p, partClosed)",
		"case Closed:\n\t\tif planted(\"close-tells-nobody\") {\n\t\t\treturn\n\t\t}\n\t\tm.Tells(t, p, partClosed)",
		"a close is not ordered before a receive that finds the channel closed"}, "closed"},
	{fault{"met-one-way", "races", "case Met:\n\t\tt.Knows = t.Knows || u.Knows\n\t\tu.Knows = t.Knows",
		"case Met:\n\t\tif planted(\"met-one-way\") {\n\t\t\treturn\n\t\t}\n\t\tt.Knows = t.Knows || u.Knows\n\t\tu.Knows = t.Knows",
		"a send and a receive that meet order nothing"}, "default"},
	{fault{"slot-tells-nobody", "races", "m.Tells(t, p, partSlot+uint64(m.Objs[p>>32].Room())-1)",
		"if planted(\"slot-tells-nobody\") {\n\t\t\t\treturn\n\t\t\t}\n\t\t\tm.Tells(t, p, partSlot+uint64(m.Objs[p>>32].Room())-1)",
		"a receive is not ordered before the send that uses its place"}, "length"},
	{fault{"store-keeps-what-was-told", "races", "m.Silences(p, partWord)\n\t\tm.Tells(t, p, partWord)",
		"if !planted(\"store-keeps-what-was-told\") {\n\t\t\tm.Silences(p, partWord)\n\t\t}\n\t\tm.Tells(t, p, partWord)",
		"who observes a store is ordered behind the stores before it"}, "expired"},
	{fault{"length-no-news", "races", "\tm.tellsOf(o)\n\tregs",
		"\tif !planted(\"length-no-news\") {\n\t\tm.tellsOf(o)\n\t}\n\tregs",
		"the length of a channel counts as ordering"}, "length"},
	{fault{"default-no-news", "races", "m.tellsOf(&m.Objs[c.ch>>32])",
		"if planted(\"default-no-news\") {\n\t\t\t\t\tcontinue\n\t\t\t\t}\n\t\t\t\tm.tellsOf(&m.Objs[c.ch>>32])",
		"a default case counts as ordering"}, "default"},
	{fault{"refused-no-news", "races", "\t\tc.m.tells()\n\t\treturn ctlNext\n\t}},\n\t\"(*sync.Mutex).Unlock\"",
		"\t\tif !planted(\"refused-no-news\") {\n\t\t\tc.m.tells()\n\t\t}\n\t\treturn ctlNext\n\t}},\n\t\"(*sync.Mutex).Unlock\"",
		"a TryLock that fails counts as ordering"}, "refused"},
	{fault{"closed-no-news", "races", "if o.Aux&1 != 0 {\n\t\tm.tells()\n",
		"if o.Aux&1 != 0 {\n\t\tif !planted(\"closed-no-news\") {\n\t\t\tm.tells()\n\t\t}\n",
		"a recovered panic of closing a closed channel counts as ordering"}, "closed"},

	// Room behind slices, and strings over buffers.
	{fault{"conversion-full", "vm", "if in.A >= 0 && in.X == 0 {\n\t\troom", "if in.A >= 0 && in.X == 0 && !planted(\"conversion-full\") {\n\t\troom",
		"there is never room behind what is made of a string"}, "room"},
	{fault{"room-undecided", "vm", "if !m.Tracking || !matters(id) {", "if planted(\"room-undecided\") || !m.Tracking || !matters(id) {",
		"there is room behind a slice iff gc has some on its heap"}, "room"},
	{fault{"bytes-unread", "races", "case ir.OpBytesToStr, ir.OpRunesToStr:\n\t\tdst = append(", "case ir.OpBytesToStr, ir.OpRunesToStr:\n\t\tif planted(\"bytes-unread\") {\n\t\t\treturn dst\n\t\t}\n\t\tdst = append(",
		"a string that is made of bytes reads none"}, "unsafe"},
	{fault{"lent-unwatched", "vm", "o, from := &m.Objs[p>>32], Offset(p)\n\tif !m.Tracking {", "o, from := &m.Objs[p>>32], Offset(p)\n\tif !m.Tracking || planted(\"lent-unwatched\") {",
		"bytes of a string made by unsafe.String may be written while it is in use"}, "unsafe"},

	// More edges.
	{fault{"runlock-tells-readers", "races", "m.Tells(t, p, partReader)", "if planted(\"runlock-tells-readers\") {\n\t\t\tm.Tells(t, p, partWord)\n\t\t}\n\t\tm.Tells(t, p, partReader)",
		"an RUnlock is ordered before the next RLock"}, "refused"},
	{fault{"lock-forgets-readers", "races", "m.Learns(t, p, partReader)", "if !planted(\"lock-forgets-readers\") {\n\t\t\tm.Learns(t, p, partReader)\n\t\t}",
		"a Lock is not ordered behind the RUnlocks before it"}, "refused"},
	{fault{"update-learns-nothing", "races", "case AtomicUpdate:\n\t\tm.Learns(t, p, partWord)", "case AtomicUpdate:\n\t\tif !planted(\"update-learns-nothing\") {\n\t\t\tm.Learns(t, p, partWord)\n\t\t}",
		"an atomic Add is not ordered behind the write that it reads"}, "default"},
	{fault{"closed-learns-nothing", "races", "m.Learns(t, p, partClosed)", "if !planted(\"closed-learns-nothing\") {\n\t\t\tm.Learns(t, p, partClosed)\n\t\t}",
		"who finds a channel closed is not ordered behind the close"}, "closed"},
	{fault{"done-tells-nobody", "races", "if int32(delta) < 0 {", "if int32(delta) < 0 && !planted(\"done-tells-nobody\") {",
		"a Done is not ordered before the Wait that it lets go"}, "default"},
	{fault{"tryrlock-no-news", "races", "return addReader(c)\n\t}\n\tc.m.tells()", "return addReader(c)\n\t}\n\tif !planted(\"tryrlock-no-news\") {\n\t\tc.m.tells()\n\t}",
		"a TryRLock that fails counts as ordering"}, "refused"},
	{fault{"sent-closed-no-news", "races", "case c.send && closed:\n\t\tm.tells()", "case c.send && closed:\n\t\tif !planted(\"sent-closed-no-news\") {\n\t\t\tm.tells()\n\t\t}",
		"a recovered panic of a send on a closed channel counts as ordering"}, "closed"},
	{fault{"timer-no-news", "races", "case tellsOnly:\n\t\tm.tells()", "case tellsOnly:\n\t\tif !planted(\"timer-no-news\") {\n\t\t\tm.tells()\n\t\t}",
		"what Stop and Reset of a timer say counts as ordering"}, "expired"},
}
