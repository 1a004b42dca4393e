// SPDX-License-Identifier: BSD-3-Clause

package generator

// What a generated collection keeps its items in, with the bodies of its operations as they are
// right when one thread uses it. Each is combined with each way to synchronise.

const nodeType = "type node struct {\nval int\nnext *node\n}\n\n"

// storages are what Patterned puts together with a way to synchronise.
var storages = []storage{
	{name: "counter", kind: "counter", fields: "n int\n", methods: []method{
		{name: "Inc", role: "inc", results: "int", body: "t.n++\nreturn t.n"},
		{name: "Get", role: "get", results: "int", body: "return t.n", reads: true},
	}, faults: []replacement{{"return t.n\n}", "return t.n + 1\n}"}}},
	{name: "counter of shards", kind: "counter", own: true, fields: "a [2]atomic.Int64\nturn atomic.Int32\n", methods: []method{
		{name: "Inc", role: "inc", body: "t.a[t.turn.Add(1)&1].Add(1)"},
		{name: "Get", role: "get", results: "int", body: "sum := 0\nfor i := range t.a {\nsum += int(t.a[i].Load())\n}\nreturn sum"},
	}},
	{name: "atomic counter", kind: "counter", own: true, fields: "n atomic.Int64\n", methods: []method{
		{name: "Inc", role: "inc", results: "int", body: "for {\nold := t.n.Load()\nif t.n.CompareAndSwap(old, old+1) {\nreturn int(old + 1)\n}\n}"},
		{name: "Get", role: "get", results: "int", body: "return int(t.n.Load())"},
	}, faults: []replacement{{"if t.n.CompareAndSwap(old, old+1) {", "if t.n.Store(old + 1); true {"}, {"return int(old + 1)", "return int(t.n.Load())"}}},
	{name: "register", kind: "register", of: "any", fields: "n int\n", methods: []method{
		{name: "Set", role: "write", params: "v int", body: "t.n = v\nreturn"},
		{name: "Get", role: "read", results: "int", body: "return t.n", reads: true},
	}},
	{name: "register in two words", kind: "register", own: true, fields: "hi, lo atomic.Int32\n", methods: []method{
		{name: "Set", role: "write", params: "v int", body: "t.hi.Store(int32(v >> 1))\nt.lo.Store(int32(v & 1))"},
		{name: "Get", role: "read", results: "int", body: "return int(t.hi.Load())<<1 | int(t.lo.Load())"},
	}},
	{name: "register published", kind: "register", of: "any", own: true, fields: "p atomic.Pointer[node]\n", types: nodeType, methods: []method{
		{name: "Set", role: "write", params: "v int", body: "n := &node{val: v}\nt.p.Store(n)"},
		{name: "Get", role: "read", results: "int", body: "if n := t.p.Load(); n != nil {\nreturn n.val\n}\nreturn 0"},
	}, faults: []replacement{{"n := &node{val: v}\nt.p.Store(n)", "n := &node{}\nt.p.Store(n)\nn.val = v"}, {"n := &node{val: v}\nt.p.Store(n)", "n := t.p.Load()\nif n == nil {\nn = &node{}\nt.p.Store(n)\n}\nn.val = v"}}},
	{name: "register in a value", kind: "register", own: true, fields: "p atomic.Value\n", methods: []method{
		{name: "Set", role: "write", params: "v int", body: "t.p.Store(v)"},
		{name: "Get", role: "read", results: "int", body: "v, _ := t.p.Load().(int)\nreturn v"},
	}, faults: []replacement{{"t.p.Store(v)", "if t.p.Load() != any(v) {\nt.p.Store(v)\n}"}, {"t.p.Store(v)", "if !t.p.CompareAndSwap(nil, v) {\nt.p.Store(v)\n}"}}},

	{name: "stack in a slice", kind: "stack", of: "any", fields: "s []int\n", methods: []method{
		{name: "Push", role: "put", params: "v int", body: "t.s = append(t.s, v)\nreturn"},
		{name: "Pop", role: "take", results: "(int, bool)", body: "if len(t.s) == 0 {\nreturn 0, false\n}\nv := t.s[len(t.s)-1]\nt.s = t.s[:len(t.s)-1]\nreturn v, true"},
	}, faults: []replacement{{"t.s = append(t.s, v)", "t.s = append(t.s, max(v, 1))"}, {"t.s = append(t.s, v)", "t.s = append(t.s, v|1)"}, {"v := t.s[len(t.s)-1]\nt.s = t.s[:len(t.s)-1]", "v := t.s[0]\nt.s = t.s[1:]"}, {"t.s = append(t.s, v)", "if len(t.s) == 0 || t.s[len(t.s)-1] != v {\nt.s = append(t.s, v)\n}"},
		{"t.s = append(t.s, v)", "if v != 0 {\nt.s = append(t.s, v)\n}"}, {"t.s = append(t.s, v)", "if len(t.s) > 2 {\nt.s = t.s[1:]\n}\nt.s = append(t.s, v)"}}},
	{name: "stack of nodes", kind: "stack", of: "any", fields: "top *node\nfree *node\n", types: nodeType, methods: []method{
		{name: "Push", role: "put", params: "v int", body: "n := t.free\nif n != nil {\nt.free = n.next\n} else {\nn = &node{}\n}\nn.val, n.next = v, t.top\nt.top = n\nreturn"},
		{name: "Pop", role: "take", results: "(int, bool)", body: "n := t.top\nif n == nil {\nreturn 0, false\n}\nt.top = n.next\nv := n.val\nn.next = t.free\nt.free = n\nreturn v, true"},
	}, faults: []replacement{{"v := n.val\nn.next = t.free\nt.free = n\nreturn v, true", "n.next = t.free\nt.free = n\nreturn n.val, true"}, {"n.val, n.next = v, t.top\nt.top = n", "n.next = t.top\nt.top = n\nn.val = v"}}},
	{name: "lock-free stack", kind: "stack", of: "any", own: true, fields: "top atomic.Pointer[node]\n", types: nodeType, methods: []method{
		{name: "Push", role: "put", params: "v int", body: "n := &node{val: v}\nfor {\nold := t.top.Load()\nn.next = old\nif !t.top.CompareAndSwap(old, n) {\ncontinue\n}\nreturn\n}"},
		{name: "Pop", role: "take", results: "(int, bool)", body: "for {\nold := t.top.Load()\nif old == nil {\nreturn 0, false\n}\nif t.top.CompareAndSwap(old, old.next) {\nreturn old.val, true\n}\n}"},
	}, faults: []replacement{{"n := &node{val: v}\nfor", "n := &node{val: min(v, 1)}\nfor"}, {"if t.top.CompareAndSwap(old, old.next) {", "if t.top.Store(old.next); true {"}, {"n := &node{val: v}\nfor", "n := &node{}\nfor"},
		{"if t.top.CompareAndSwap(old, old.next) {", "if t.top.CompareAndSwap(old, t.top.Load().next) {"}, {"continue\n}\nreturn", "return\n}\nreturn"}}},

	{name: "queue in a slice", kind: "queue", of: "any", fields: "s []int\n", methods: []method{
		{name: "Enq", role: "put", params: "v int", body: "t.s = append(t.s, v)\nreturn"},
		{name: "Deq", role: "take", results: "(int, bool)", body: "if len(t.s) == 0 {\nreturn 0, false\n}\nv := t.s[0]\nt.s = t.s[1:]\nreturn v, true"},
	}, faults: []replacement{{"t.s = append(t.s, v)", "t.s = append(t.s, max(v, 1))"}, {"t.s = append(t.s, v)", "t.s = append(t.s, v&^1)"}, {"v := t.s[0]\nt.s = t.s[1:]", "v := t.s[len(t.s)-1]\nt.s = t.s[:len(t.s)-1]"}, {"t.s = append(t.s, v)", "if len(t.s) == 0 || t.s[0] != v {\nt.s = append(t.s, v)\n}"},
		{"t.s = append(t.s, v)", "t.s = append(t.s, v)\nif len(t.s) > 1 && t.s[0] < t.s[1] {\nt.s[0], t.s[1] = t.s[1], t.s[0]\n}"}, {"t.s = append(t.s, v)", "if fmt.Sprint(v) != \"1\" {\nt.s = append(t.s, v)\n}"}}},
	{name: "queue in a ring", kind: "queue", fields: "ring [4]int\nhead, size int\n", methods: []method{
		{name: "Enq", role: "put", params: "v int", body: "t.ring[(t.head+t.size)%len(t.ring)] = v\nt.size++\nreturn"},
		{name: "Deq", role: "take", results: "(int, bool)", body: "if t.size == 0 {\nreturn 0, false\n}\nv := t.ring[t.head]\nt.head = (t.head + 1) % len(t.ring)\nt.size--\nreturn v, true"},
	}, faults: []replacement{{"ring [4]int", "ring [2]int"}, {"v := t.ring[t.head]\nt.head = (t.head + 1) % len(t.ring)", "t.head = (t.head + 1) % len(t.ring)\nv := t.ring[t.head]"}}},
	{name: "queue of two locks", kind: "queue", of: "any", own: true, fields: "head, tail *node\nhm, tm sync.Mutex\n", types: "type node struct {\nval int\nnext atomic.Pointer[node]\n}\n\n", values: "", methods: []method{
		{name: "Enq", role: "put", params: "v int", body: "n := &node{val: v}\nt.tm.Lock()\nt.tail.next.Store(n)\nt.tail = n\nt.tm.Unlock()"},
		{name: "Deq", role: "take", results: "(int, bool)", body: "t.hm.Lock()\ndefer t.hm.Unlock()\nn := t.head.next.Load()\nif n == nil {\nreturn 0, false\n}\nt.head = n\nreturn n.val, true"},
	}, helpers: "func (t *T) init() *T {\nn := &node{}\nt.head, t.tail = n, n\nreturn t\n}\n",
		faults: []replacement{{"t.hm.Lock()\ndefer t.hm.Unlock()\nn := t.head.next.Load()", "n := t.head.next.Load()\nt.hm.Lock()\ndefer t.hm.Unlock()"}, {"n := &node{val: v}\nt.tm.Lock()\nt.tail.next.Store(n)", "n := &node{}\nt.tm.Lock()\nt.tail.next.Store(n)\nn.val = v"}}},
	{name: "queue as channel", kind: "queue", of: "any", own: true, fields: "c chan int\n", values: "c: make(chan int, 8)", methods: []method{
		{name: "Enq", role: "put", params: "v int", body: "t.c <- v"},
		{name: "Deq", role: "take", results: "(int, bool)", body: "select {\ncase v := <-t.c:\nreturn v, true\ndefault:\nreturn 0, false\n}"},
	}, faults: []replacement{{"t.c <- v", "t.c <- v - v%2"}, {"default:\nreturn 0, false", "default:\nreturn 0, len(t.c) > 0"}, {"make(chan int, 8)", "make(chan int, 1)"}, {"t.c <- v", "select {\ncase t.c <- v:\ndefault:\n}"}, {"make(chan int, 8)", "make(chan int)"}}},
	{name: "queue of an actor", kind: "queue", own: true, fields: "in chan int\nout chan chan int\n", values: "in: make(chan int), out: make(chan chan int)", methods: []method{
		{name: "Enq", role: "put", params: "v int", body: "t.in <- v"},
		{name: "Deq", role: "take", results: "(int, bool)", body: "k := make(chan int, 1)\nt.out <- k\nv, ok := <-k\nreturn v, ok"},
	}, helpers: "func (t *T) init() *T {\ngo func() {\nvar s []int\nfor {\nselect {\ncase v := <-t.in:\ns = append(s, v)\ncase k := <-t.out:\nif len(s) == 0 {\nclose(k)\n} else {\nk <- s[0]\ns = s[1:]\n}\n}\n}\n}()\nreturn t\n}\n",
		faults: []replacement{{"s = append(s, v)", "s = append([]int{v}, s...)"}, {"t.in <- v", "go func() { t.in <- v }()"}}},

	{name: "set in a map", kind: "set", of: "comparable", fields: "m map[int]bool\n", values: "m: map[int]bool{}", methods: setMethods(
		"if t.m[k] {\nreturn false\n}\nt.m[k] = true\nreturn true", "if !t.m[k] {\nreturn false\n}\ndelete(t.m, k)\nreturn true", "return t.m[k]"),
		faults: []replacement{{"if t.m[k] {\nreturn false\n}\nt.m[k] = true", "if t.m[k] {\nreturn true\n}\nt.m[k] = true"}, {"delete(t.m, k)", "if k > 0 {\ndelete(t.m, k)\n}"}, {"return t.m[k]", "return k != 0 && t.m[k]"}}},
	{name: "set in a slice", kind: "set", of: "comparable", fields: "s []int\n", methods: setMethods(
		"if slices.Contains(t.s, k) {\nreturn false\n}\nt.s = append(t.s, k)\nreturn true",
		"i := slices.Index(t.s, k)\nif i < 0 {\nreturn false\n}\nt.s = slices.Delete(t.s, i, i+1)\nreturn true",
		"return slices.Contains(t.s, k)"),
		faults: []replacement{{"t.s = append(t.s, k)", "t.s = append(t.s, k)\nsort.Slice(t.s, func(i, j int) bool { return t.s[i] < t.s[j] })"}, {"if slices.Contains(t.s, k) {\nreturn false\n}\nt.s = append(t.s, k)", "t.s = append(t.s, k)"}, {"i < 0", "i <= 0"}}},
	{name: "set of flags", kind: "set", own: true, fields: "a [8]atomic.Bool\n", methods: setMethods(
		"return t.a[k].CompareAndSwap(false, true)", "return t.a[k].CompareAndSwap(true, false)", "return t.a[k].Load()"),
		faults: []replacement{{"return t.a[k].CompareAndSwap(false, true)", "if t.a[k].Load() {\nreturn false\n}\nt.a[k].Store(true)\nreturn true"}, {"return t.a[k].CompareAndSwap(true, false)", "return t.a[0].CompareAndSwap(true, false)"}}},
	{name: "set of bits", kind: "set", own: true, fields: "bits atomic.Uint32\n", methods: setMethods(
		"return t.bits.Or(1<<k)&(1<<k) == 0", "return t.bits.And(^uint32(1<<k))&(1<<k) != 0", "return t.bits.Load()&(1<<k) != 0"),
		faults: []replacement{{"t.bits.Or(1<<k)&(1<<k) == 0", "t.bits.Swap(t.bits.Load()|1<<k)&(1<<k) == 0"}, {"return t.bits.Load()&(1<<k) != 0", "return t.bits.Load()>>k != 0"}}},
	{name: "set in a sync.Map", kind: "set", of: "comparable", own: true, fields: "m sync.Map\n", methods: setMethods(
		"_, loaded := t.m.LoadOrStore(k, true)\nreturn !loaded", "_, loaded := t.m.LoadAndDelete(k)\nreturn loaded", "_, ok := t.m.Load(k)\nreturn ok"),
		faults: []replacement{{"_, loaded := t.m.LoadAndDelete(k)\nreturn loaded", "_, ok := t.m.Load(k)\nt.m.Delete(k)\nreturn ok"}, {"_, loaded := t.m.LoadOrStore(k, true)\nreturn !loaded", "_, loaded := t.m.Swap(k, true)\nreturn loaded"}}},
	{name: "sorted list", kind: "set", of: "cmp.Ordered", fields: "head *node\n", types: nodeType, methods: setMethods(
		"p := &t.head\nfor *p != nil && (*p).val < k {\np = &(*p).next\n}\nif *p != nil && (*p).val == k {\nreturn false\n}\n*p = &node{val: k, next: *p}\nreturn true",
		"p := &t.head\nfor *p != nil && (*p).val < k {\np = &(*p).next\n}\nif *p == nil || (*p).val != k {\nreturn false\n}\n*p = (*p).next\nreturn true",
		"n := t.head\nfor n != nil && n.val < k {\nn = n.next\n}\nreturn n != nil && n.val == k"),
		faults: []replacement{{"n.val < k", "n.val > k"}, {"(*p).val < k", "(*p).val <= k"}, {"*p = (*p).next\nreturn true", "t.head = (*p).next\nreturn true"}}},

	{name: "priority queue", kind: "pqueue", of: "cmp.Ordered", fields: "s []int\n", methods: []method{
		{name: "Add", role: "put", params: "v int", body: "i, _ := slices.BinarySearch(t.s, v)\nt.s = slices.Insert(t.s, i, v)\nreturn"},
		{name: "RemoveMin", role: "take", results: "(int, bool)", body: "if len(t.s) == 0 {\nreturn 0, false\n}\nv := t.s[0]\nt.s = t.s[1:]\nreturn v, true"},
	}, faults: []replacement{{"i, _ := slices.BinarySearch(t.s, v)\nt.s = slices.Insert(t.s, i, v)", "t.s = append(t.s, v)"}, {"i, _ := slices.BinarySearch(t.s, v)\nt.s = slices.Insert(t.s, i, v)", "i, has := slices.BinarySearch(t.s, v)\nif !has {\nt.s = slices.Insert(t.s, i, v)\n}"}}},
	{name: "map", kind: "map", of: "comparable", fields: "m map[int]int\n", values: "m: map[int]int{}", methods: []method{
		{name: "Store", role: "set", params: "k, v int", body: "t.m[k] = v\nreturn"},
		{name: "Load", role: "get", params: "k int", results: "(int, bool)", body: "v, ok := t.m[k]\nreturn v, ok", reads: true},
		{name: "Delete", role: "delete", params: "k int", body: "delete(t.m, k)\nreturn"},
	}, faults: []replacement{{"t.m[k] = v", "if v != 0 {\nt.m[k] = v\n}"}, {"v, ok := t.m[k]\nreturn v, ok", "v := t.m[k]\nreturn v, v != 0"}, {"delete(t.m, k)", "t.m[k] = 0"}}},
}

// setMethods are the operations of a set with their bodies.
func setMethods(add, remove, contains string) []method {
	return []method{
		{name: "Add", role: "add", params: "k int", results: "bool", body: add},
		{name: "Remove", role: "remove", params: "k int", results: "bool", body: remove},
		{name: "Contains", role: "contains", params: "k int", results: "bool", body: contains, reads: true},
	}
}
