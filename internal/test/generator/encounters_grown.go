// SPDX-License-Identifier: BSD-3-Clause

package generator

// grownEncounter is an encounter that is about a construct.
type grownEncounter struct {
	about string // the construct's name
	encounter
}

var grownEncounters = []grownEncounter{
	{"trace", encounter{name: "a lock that its owner may take again", fields: "mu sync.Mutex\nowner atomic.Int64\ndepth, x int\n", operations: [][]string{
		{"if o.owner.Load() != gid() {\no.mu.Lock()\no.owner.Store(gid())\n}\no.depth++\no.x += v\nif o.owner.Load() == gid() {\no.x++\n}\nif o.depth--; o.depth == 0 {\no.owner.Store(0)\no.mu.Unlock()\n}",
			"o.mu.Lock()\no.owner.Store(gid())\no.x += v\no.owner.Store(0)\no.mu.Unlock()",
			"if o.owner.CompareAndSwap(0, gid()) {\no.x += v\nr = o.x\no.owner.Store(0)\n}"},
		{"if o.owner.Load() != gid() {\no.mu.Lock()\no.owner.Store(gid())\n}\nr = o.x\no.owner.Store(0)\no.mu.Unlock()", "if o.owner.Load() == gid() {\nr = -1\n} else {\no.mu.Lock()\nr = o.x\no.mu.Unlock()\n}",
			"o.mu.Lock()\nr = o.x\no.mu.Unlock()\nr = r*2 + b2i(o.owner.Load() == gid())"},
	}}},
	{"token", encounter{name: "an owner that is a token", fields: "holder atomic.Pointer[token]\nx int\n", operations: [][]string{
		{"k := new(token)\nif o.holder.CompareAndSwap(nil, k) {\no.x += v\nr = o.x\no.holder.CompareAndSwap(k, nil)\n}", "k := new(token)\nif o.holder.CompareAndSwap(nil, k) || o.holder.Load() == k {\no.x += v\nr = o.x\n}"},
		{"k := new(token)\nif o.holder.CompareAndSwap(nil, k) {\nr = o.x\no.holder.Store(nil)\n}", "if o.holder.CompareAndSwap(new(token), nil) {\nr = -1\n}", "r = b2i(o.holder.Load() == new(token))"},
	}}},
	{"unsafe", encounter{name: "names in a buffer", fields: "mu sync.Mutex\nbuf [2]byte\nnames []string\n", operations: [][]string{
		{"o.mu.Lock()\no.buf[0] = byte('a' + v)\no.names = append(o.names, unsafe.String(&o.buf[0], 1))\nr = len(o.names)\no.mu.Unlock()", "o.mu.Lock()\no.buf[0] = byte('a' + v)\no.names = append(o.names, strings.Clone(unsafe.String(&o.buf[0], 1)))\nr = len(o.names)\no.mu.Unlock()",
			"o.mu.Lock()\no.buf[v&1] = byte('a' + v)\ns := unsafe.String(&o.buf[v&1], 1)\no.mu.Unlock()\no.mu.Lock()\no.names = append(o.names, s)\nr = len(o.names)\no.mu.Unlock()"},
		{"o.mu.Lock()\nr = b2i(slices.Contains(o.names, string(rune('a'+v))))\no.mu.Unlock()", "o.mu.Lock()\nr = len(strings.Join(o.names, \",\")) * 10\nfor _, s := range o.names {\nr += int(s[0] - 'a')\n}\no.mu.Unlock()",
			"o.mu.Lock()\no.buf[0] = byte('a' + v)\nr = b2i(slices.Contains(o.names, unsafe.String(&o.buf[0], 1)))\no.mu.Unlock()"},
	}}},
	{"room", encounter{name: "keys behind a common prefix", fields: "prefix []byte\nmu sync.Mutex\nm map[string]int\nstr string\n", made: "o.str = \"ab\"\no.prefix = []byte(o.str)\no.m = map[string]int{}\n", operations: [][]string{
		{"k := append(o.prefix, byte('0'+v))\no.mu.Lock()\no.m[string(k)]++\nr = o.m[string(k)]\no.mu.Unlock()", "k := append([]byte(o.str), byte('0'+v))\no.mu.Lock()\no.m[string(k)]++\nr = o.m[string(k)]\no.mu.Unlock()",
			"o.mu.Lock()\nk := append(o.prefix, byte('0'+v))\no.mu.Unlock()\no.mu.Lock()\no.m[string(k)]++\nr = o.m[string(k)]\no.mu.Unlock()"},
		{"k := append(o.prefix, byte('0'+v))\no.mu.Lock()\nr = o.m[string(k)]\no.mu.Unlock()", "o.mu.Lock()\nk := append(o.prefix, byte('0'+v))\nr = o.m[string(k)]\no.mu.Unlock()"},
	}}},
	{"address", encounter{name: "counts by the address of what is counted", fields: "mu sync.Mutex\nnames map[string]int\nitems [2]*pair\n", made: "o.names = map[string]int{}\no.items = [2]*pair{{}, {}}\n", operations: [][]string{
		{"o.mu.Lock()\nk := fmt.Sprintf(\"%p\", o.items[v&1])\no.names[k]++\nr = o.names[k]\no.mu.Unlock()", "o.mu.Lock()\nk := fmt.Sprintf(\"%p\", o.items[v&1])\no.mu.Unlock()\no.mu.Lock()\no.names[k]++\nr = o.names[k]\no.mu.Unlock()"},
		{"o.mu.Lock()\no.items[v&1] = &pair{a: v}\nr = len(o.names)\no.mu.Unlock()", "o.mu.Lock()\nr = b2i(fmt.Sprintf(\"%p\", o.items[0]) == fmt.Sprintf(\"%p\", o.items[v&1]))\no.mu.Unlock()"},
	}}},
	{"refused", encounter{name: "what a refused lock tells", fields: "mu sync.Mutex\nrw sync.RWMutex\nx int\n", operations: [][]string{
		{"o.x = v\no.mu.Lock()\nr = 1\no.mu.Unlock()", "o.mu.Lock()\no.x = v\no.mu.Unlock()", "o.rw.RLock()\nr = o.x\no.rw.RUnlock()", "o.rw.Lock()\no.x += v\no.rw.Unlock()"},
		{"if !o.mu.TryLock() {\nr = o.x\n} else {\no.mu.Unlock()\n}", "if o.mu.TryLock() {\no.x += v\no.mu.Unlock()\n} else {\nr = -1\n}", "if !o.rw.TryRLock() {\nr = o.x\n} else {\no.rw.RUnlock()\n}", "if o.rw.TryLock() {\no.x = v\no.rw.Unlock()\n} else {\no.x++\n}"},
	}}},
	{"length", encounter{name: "what the length of a channel tells", fields: "c chan int\nx int\n", made: "o.c = make(chan int, 2)\n", operations: [][]string{
		{"o.x = v\no.c <- v", "o.c <- v\no.x = v", "if len(o.c) < cap(o.c) {\no.c <- v\n}"},
		{"if len(o.c) > 0 {\nr = o.x\n}", "if len(o.c) > 0 {\nr = <-o.c\n}", "r = len(o.c)"},
	}}},
	{"default", encounter{name: "what a default case tells", fields: "c chan int\nx int\n", made: "o.c = make(chan int, 1)\n", operations: [][]string{
		{"o.x = v\nselect {\ncase o.c <- v:\nr = 1\ndefault:\nr = 2\n}", "select {\ncase o.c <- v:\no.x = v\n<-o.c\ndefault:\nr = 2\n}"},
		{"select {\ncase o.c <- v:\ndefault:\nr = o.x\n}", "select {\ncase r = <-o.c:\ndefault:\nr = -1\n}", "select {\ncase r = <-o.c:\ndefault:\no.x++\n}"},
	}}},
	{"closed", encounter{name: "what a recovered panic tells", fields: "c chan int\nmu sync.Mutex\nx int\n", made: "o.c = make(chan int, 2)\n", operations: [][]string{
		{"o.x = v\nr = b2i(closes(o.c))", "r = b2i(closes(o.c))", "o.mu.Lock()\no.x = v\nr = b2i(closes(o.c))\no.mu.Unlock()"},
		{"if !sends(o.c, v) {\nr = o.x\n}", "if !closes(o.c) {\nr = o.x\n}", "r = b2i(sends(o.c, v))"},
	}}},
	{"expired", encounter{name: "what a context tells", fields: "over *scoped\nx int\n", made: "o.over = newScoped()\n", operations: [][]string{
		{"o.x = v\no.over.cancel()", "o.over.cancel()\nr = o.x", "r = b2i(o.over.Err() == nil)"},
		{"if o.over.Err() != nil {\nr = o.x\n}", "select {\ncase <-o.over.Done():\nr = o.x\ndefault:\nr = -1\n}", "r = b2i(o.over.Err() == nil) + v*2"},
	}}},
}
