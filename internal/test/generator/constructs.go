// SPDX-License-Identifier: BSD-3-Clause

package generator

import "regexp"

// A construct is a part of Go at which the machine touches what it does not decide itself: what is
// compared of a value, what orders two accesses, what the runtime is free to choose. Texts of the
// grown grammar have one or two of them beside the themes of every text.

// Construct is a part of Go that the grown grammar puts into texts.
type Construct struct {
	Name  string
	theme theme
	signs *regexp.Regexp // what its texts, and no others, match
	open  *regexp.Regexp // what leaves open how it comes out; nil: nothing does
}

// The themes of the constructs. No text of the plain grammar has them.
const (
	themeCarried theme = themeControl + 1 + iota // structs and arrays as arguments and results
	themeGiven                                   // pointers as results
	themeUnsafe                                  // strings that share their bytes with a buffer
	themeRoom                                    // slices made of strings, and what is appended to them
	themeAddress                                 // pointers formatted
	themeTrace                                   // goroutines' numbers out of stack traces
	themeToken                                   // pointers to variables without a size
	themeRefused                                 // TryLock and TryRLock that fail, which tells something
	themeLength                                  // the length of a channel, which tells something
	themeDefault                                 // a select's default case, which tells something
	themeClosed                                  // recovered panics of sends on closed channels, and of closing them again
	themeExpired                                 // contexts and timers that say that they are over
)

// Constructs lists the constructs of the grown grammar.
func Constructs() []Construct {
	sign := regexp.MustCompile
	return []Construct{
		{Name: "carried", theme: themeCarried, signs: sign(`\b(shift|turned|total|exchange|boxed|half)\(`)},
		{Name: "given", theme: themeGiven, signs: sign(`\b(place|nth)\(|\) \*item \{`)},
		{Name: "unsafe", theme: themeUnsafe, signs: sign(`\bunsafe\.String`)},
		{Name: "room", theme: themeRoom, signs: sign(`\[\](byte|rune)\([\w.]*str0?\)`), open: sign(`append\(\[\]byte|append\([\w.]*buf|append\(b,`)},
		{Name: "address", theme: themeAddress, signs: sign(`%p|\[\]\*node\{`)},
		{Name: "trace", theme: themeTrace, signs: sign(`\bgid\(\)`)},
		{Name: "token", theme: themeToken, signs: sign(`\btoken\b`), open: sign(`\btoken\b`)},
		{Name: "refused", theme: themeRefused, signs: sign(`!.*\.Try(Lock|RLock)\(\)|Try(Lock|RLock)\(\) \{\n[^}]*\n\s*\} else \{`)},
		{Name: "length", theme: themeLength, signs: sign(`\b(len|cap)\([\w.]*\b[cde]0?\)`)},
		{Name: "default", theme: themeDefault, signs: sign(`\bdefault:\n\s*[^}\s]`)},
		{Name: "closed", theme: themeClosed, signs: sign(`\b(sends|closes)\(`)},
		{Name: "expired", theme: themeExpired, signs: sign(`\.Err\(\) |!\w+\.(Stop|Reset)\(`)},
	}
}

// Has says that a text has the construct.
func (c *Construct) Has(text string) bool { return c.signs.MatchString(text) }

// IsOpen says that the language, or a limit that the verifier names, leaves open how a text with the construct comes out, so
// that one execution by gc shows one of several answers.
func (c *Construct) IsOpen(text string) bool { return c.open != nil && c.open.MatchString(text) }

// grownStatements are the productions of {S} of the constructs.
var grownStatements = []production{
	{themeCarried, "@q = shift(@q, {I})"},
	{themeCarried, "@ps[{K}&1] = shift(@ps[0], {K})"},
	{themeCarried, "r += @exchange(pair{{I}, {K}}).b"},
	{themeCarried, "@exchange(shift(pair{b: r}, {K}))"},
	{themeCarried, "@a = turned(@a)"},
	{themeCarried, "r = r*3 + turned([2]int{{I}, {K}})[0]"},
	{themeCarried, "r += total(@a, @q)"},
	{themeCarried, "@q = boxed(@q).get()"},
	{themeCarried, "@mu.Lock()\n@q = shift(@q, {K})\n@mu.Unlock()"},
	{themeCarried, "@q.a = {I}"},
	{themeCarried, "@a[1]++"},

	{themeGiven, "{\np := @place({K})\np.a += {K}\nr += p.b\n}"},
	{themeGiven, "@place({K}).b = @q.a + {K}"},
	{themeGiven, "r += b2i(@place({K}) == @place({K}))"},
	{themeGiven, "if k := @nth({K}); k != nil {\nk.val++\nr += k.val\n}"},
	{themeGiven, "r += b2i(@nth({K}) == @n)"},
	{themeGiven, "@n.next = @nth({K})"},
	{themeGiven, "@n = &node{val: {K}}"},
	{themeGiven, "@mu.Lock()\np := @place({K})\n@mu.Unlock()\nr += p.a"},

	{themeUnsafe, "{\ns := unsafe.String(&@buf[0], 2)\n@buf[{K}&1] = 'x'\nr += int(s[{K}&1])\n}"},
	{themeUnsafe, "@str = unsafe.String(&@buf[0], 2)"},
	{themeUnsafe, "@buf[{K}&1]++"},
	{themeUnsafe, "@buf[0] = 'a' + {K}"},
	{themeUnsafe, "r += b2i(@str == \"ab\")"},
	{themeUnsafe, "r += b2i(@str > unsafe.String(&@buf[0], 2))"},
	{themeUnsafe, "if len(@str) > 1 {\nr += int(@str[1])\n}"},
	{themeUnsafe, "{\ns := unsafe.String(unsafe.SliceData(@buf), 2)\n@buf[1]--\n@str = strings.Clone(s)\n}"},
	{themeUnsafe, "@mu.Lock()\ncopy(@buf, \"yz\")\n@mu.Unlock()"},
	{themeUnsafe, "@mu.Lock()\n@str = unsafe.String(&@buf[0], 1) + @str\n@mu.Unlock()"},
	{themeUnsafe, "{\nk := unsafe.Slice(unsafe.StringData(unsafe.String(&@buf[0], 2)), 2)\nk[1] = 'q'\nr += int(@buf[1])\n}"},

	{themeRoom, "{\nb := []byte(@str)\nk := append(b, 'x')\nl := append(b, 'y')\nr += int(k[len(b)]) + len(l)\n}"},
	{themeRoom, "{\nb := []rune(@str)\nk := append(b, 'x')\nl := append(b, 'y')\nr += int(k[len(b)]) + len(l)\n}"},
	{themeRoom, "@buf = append([]byte(@str), 'z')"},
	{themeRoom, "@buf = []byte(@str)"},
	{themeRoom, "{\nk := append(@buf, 'p')\nr += int(k[len(k)-1])\n}"},
	{themeRoom, "@buf = append(@buf, 'q')"},
	{themeRoom, "@str = string(append([]byte(@str), 'x'))"},
	{themeRoom, "{\nk := append(@buf, 'u')\n@buf = append(@buf, 'w')\nr += int(k[len(k)-1])\n}"},
	{themeRoom, "@mu.Lock()\n@buf = append(@buf, []byte(@str)...)\n@mu.Unlock()"},
	{themeRoom, "r += len([]rune(@str)) + len(@buf)"},

	{themeAddress, "r += b2i(fmt.Sprintf(\"%p\", @n) == fmt.Sprintf(\"%p\", @n.next))"},
	{themeAddress, "@names[fmt.Sprintf(\"%p\", @n)]++"},
	{themeAddress, "@mu.Lock()\n@names[fmt.Sprintf(\"%p\", @n)]++\n@mu.Unlock()"},
	{themeAddress, "@v = fmt.Sprintf(\"%p\", @n)"},
	{themeAddress, "r += b2i(@v == any(fmt.Sprintf(\"%p\", @n)))"},
	{themeAddress, "fmt.Printf(\"%p\\n\", @n)"},
	{themeAddress, "fmt.Println([]*node{@n}, {K})"},
	{themeAddress, "@n = &node{val: {K}}"},
	{themeAddress, "r += len(@names)"},

	{themeTrace, "r += b2i(gid() == gid())"},
	{themeTrace, "if @owner.Load() == gid() {\nr += 10\n} else {\n@mu.Lock()\n@owner.Store(gid())\n{X1}++\n@owner.Store(0)\n@mu.Unlock()\n}"},
	{themeTrace, "@mu.Lock()\n@owner.Store(gid())\n{X1} += {K}\nr += b2i(@owner.Load() == gid())\n@owner.Store(0)\n@mu.Unlock()"},
	{themeTrace, "@owner.Store(gid())"},
	{themeTrace, "r += b2i(@owner.Load() == gid())"},
	{themeTrace, "if @owner.CompareAndSwap(0, gid()) {\n{X1}++\n}"},
	{themeTrace, "{\nk := make(chan int64, 1)\ngo func() { k <- gid() }()\nr += b2i(<-k == gid())\n}"},
	{themeTrace, "@mu.Lock()\n@mg[gid()]++\nr += len(@mg)\n@mu.Unlock()"},

	{themeToken, "{\nk := new(token)\nif @tk == nil {\n@tk = k\n}\nr += b2i(@tk == k)\n}"},
	{themeToken, "r += b2i(any(new(token)) == any(@tk))"},
	{themeToken, "if k := new(token); @holder.CompareAndSwap(nil, k) {\n{X1}++\n@holder.CompareAndSwap(k, nil)\n}"},
	{themeToken, "if k := &(token{}); @holder.CompareAndSwap(nil, k) || @holder.Load() == k {\n{X1}++\n}"},
	{themeToken, "@tk = new(token)"},
	{themeToken, "@mk[any(new(token))]++\nr += len(@mk)"},
	{themeToken, "@holder.Store(nil)"},

	{themeRefused, "if !{M1}.TryLock() {\nr += {X1}\n} else {\n{M1}.Unlock()\n}"},
	{themeRefused, "if {M1}.TryLock() {\n{M1}.Unlock()\n} else {\n{X1} = {K}\n}"},
	{themeRefused, "if !{R1}.TryRLock() {\nr += {X1}\n} else {\n{R1}.RUnlock()\n}"},
	{themeRefused, "if {R1}.TryLock() {\n{R1}.Unlock()\n} else {\nr += {X1}\n}"},
	{themeRefused, "{X1} = {K}\n{M1}.Lock()"},
	{themeRefused, "{X1}++\n{R1}.Lock()"},
	{themeRefused, "{X1}++\n{R1}.RLock()\nr++\n{R1}.RUnlock()"},
	{themeRefused, "{X1}++\n{M1}.Lock()\nr += {K}\n{M1}.Unlock()"},

	{themeLength, "{X1} = {K}\n{C1} <- 1"},
	{themeLength, "if len({C1}) > 0 {\nr += {X1}\n}"},
	{themeLength, "if len({C1}) == 0 {\n{X1}++\n}"},
	{themeLength, "if len({C1}) == cap({C1}) {\n{X1} = {K}\n}"},
	{themeLength, "<-{C1}\n{X1}++"},
	{themeLength, "{X1}++\n<-{C1}"},
	{themeLength, "for k := 0; k < 2 && len({C1}) == 0; k++ {\nr++\n}\nr += {X1}"},

	{themeDefault, "select {\ncase {C1} <- {K}:\ndefault:\nr += {X1}\n}"},
	{themeDefault, "select {\ncase {C1} <- {K}:\nr++\ndefault:\n{X1} = {K}\n}"},
	{themeDefault, "select {\ncase <-{C1}:\nr += {X1}\ndefault:\n{X1} = {K}\n}"},
	{themeDefault, "{X1}++\n{C1} <- 1"},
	{themeDefault, "<-{C1}\n{X1}++"},
	{themeDefault, "{X1} = {K}\nclose({C1})"},

	{themeClosed, "if closes({C1}) {\nr++\n} else {\nr += {X1}\n}"},
	{themeClosed, "if !sends({C1}, {K}) {\nr += {X1}\n}"},
	{themeClosed, "if !sends({C1}, {K}) {\n{X1}++\n}"},
	{themeClosed, "{X1} = {K}\nclose({C1})"},
	{themeClosed, "{X1} = {K}\nr += b2i(closes({C1}))"},
	{themeClosed, "r += b2i(closes({C1}))\n{X1}++"},

	{themeExpired, "{X1} = {K}\n@over.cancel()"},
	{themeExpired, "if @over.Err() != nil {\nr += {X1}\n}"},
	{themeExpired, "select {\ncase <-@over.Done():\nr += {X1}\ndefault:\nr++\n}"},
	{themeExpired, "<-@over.Done()\nr += {X1}"},
	{themeExpired, "if @over.Err() == nil {\n{X1}++\n}"},
	{themeExpired, "{\nt := time.AfterFunc(time.Microsecond, func() { {X1}++ })\nif !t.Stop() {\nr += {X1}\n}\n}"},
	{themeExpired, "{\nt := time.AfterFunc(time.Microsecond, func() { {X1}++ })\n{X2}++\nif !t.Reset(time.Hour) {\nr += {X1}\n}\n}"},
}

// grownExpressions are the productions of {I} of the constructs.
var grownExpressions = []production{
	{themeCarried, "shift(@q, {K}).a"}, {themeGiven, "@place({K}).b"}, {themeCarried, "total(@a, pair{{K}, @x})"},
	{themeUnsafe, "int(unsafe.String(&@buf[0], 2)[{K}&1])"}, {themeUnsafe, "len(@str)"},
	{themeRoom, "len([]byte(@str))"}, {themeAddress, "len(@names)"}, {themeTrace, "b2i(gid() == @owner.Load())"},
	{themeToken, "b2i(@tk == nil)"}, {themeRefused, "{X1}"}, {themeLength, "len({C1})"}, {themeDefault, "{X1}"}, {themeClosed, "{X1}"},
	{themeExpired, "b2i(@over.Err() != nil)"},
}

// grownSituations are meetings that are about a construct: one goroutine does something, another can tell by the
// construct that it has, or keeps what it relies on.
var grownSituations = []grownSituation{
	{themeLength, situation{name: "what the length of a channel tells", parts: [][]string{
		{"{X1} = {K}\n@c <- 1", "{X1}++\n@e <- 1\n@c <- 2", "@c <- 1\n{X1} = {K}\n<-@c", "{X1} += 2\nselect {\ncase @c <- 1:\ndefault:\n}"},
		{"if len(@c) > 0 {\nr += {X1}\n}", "if len(@c) == 1 {\n<-@c\nr += {X1}\n}", "if len(@c) == 0 {\n{X1} = {K}\n}", "for len(@c) == 0 {\n}\nr += {X1}"},
	}}},
	{themeDefault, situation{name: "what a default case tells", parts: [][]string{
		{"{X1} = {K}\n@c <- 1", "{X1}++\n@c <- 1\n<-@c", "{X1}++\nclose(@c)", "{X1} = {K}\n<-@d"},
		{"select {\ncase @c <- 2:\ndefault:\nr += {X1}\n}", "select {\ncase <-@c:\nr += {X1}\ndefault:\n{X1} = {K}\n}", "select {\ncase @d <- 2:\nr += {X1}\ndefault:\nr = 9\n{X1}++\n}"},
	}}},
	{themeRefused, situation{name: "what a lock that is refused tells", parts: [][]string{
		{"{X1} = {K}\n@mu.Lock()", "{X1}++\n@mu.Lock()\n@x += 0\n@mu.Unlock()", "{X1} = {K}\n@rw.Lock()", "{X1}++\n@rw.RLock()", "{X1}++\n@rw.RLock()\n@rw.RUnlock()"},
		{"if !@mu.TryLock() {\nr += {X1}\n}", "if @mu.TryLock() {\n@mu.Unlock()\n} else {\n{X1} = {K}\n}", "if !@rw.TryLock() {\nr += {X1}\n}", "if !@rw.TryRLock() {\nr += {X1}\n}"},
	}}},
	{themeClosed, situation{name: "what a recovered panic tells", parts: [][]string{
		{"{X1} = {K}\nclose(@c)", "{X1}++\nr += b2i(closes(@c))", "close(@c)\n{X1}++"},
		{"if !sends(@c, 1) {\nr += {X1}\n}", "if !closes(@c) {\nr += {X1}\n}", "if !closes(@c) {\n{X1} = {K}\n}", "<-@c\nif !closes(@c) {\nr += {X1}\n}"},
	}}},
	{themeExpired, situation{name: "what a context tells", parts: [][]string{
		{"{X1} = {K}\n@over.cancel()", "@over.cancel()\n{X1} = {K}"},
		{"if @over.Err() != nil {\nr += {X1}\n}", "<-@over.Done()\nr += {X1}", "select {\ncase <-@over.Done():\nr += {X1}\ndefault:\n{X1}++\n}", "for @over.Err() == nil {\n}\nr += {X1}"},
	}}},
	{themeTrace, situation{name: "a lock that knows its owner", parts: [][]string{
		{"again := @owner.Load() == gid()\nif !again {\n@mu.Lock()\n@owner.Store(gid())\n}\n{X1}++\nif @owner.Load() == gid() {\n{X1}++\n}\nif !again {\n@owner.Store(0)\n@mu.Unlock()\n}"},
		{"if @owner.Load() == gid() {\nr += 10\n}\n@mu.Lock()\n@owner.Store(gid())\n{X1} = {K}\n@owner.Store(0)\n@mu.Unlock()", "@mu.Lock()\nr += b2i(@owner.Load() == gid())\n@mu.Unlock()"},
	}}},
	{themeToken, situation{name: "an owner that is a token", parts: [][]string{
		{"k := new(token)\nif @holder.CompareAndSwap(nil, k) {\n{X1}++\nr += b2i(@holder.Load() == k)\n@holder.Store(nil)\n}", "k := new(token)\n@holder.Store(k)\nif @holder.Load() == k {\n{X1}++\n}"},
		{"k := new(token)\nif @holder.Load() == k {\n{X1} = {K}\n}", "k := new(token)\n@holder.Store(k)\nif @holder.Load() == k {\nr += {X1}\n}", "k := &(token{})\nif @holder.CompareAndSwap(k, nil) {\nr += 5\n}"},
	}}},
	{themeUnsafe, situation{name: "strings over a buffer", parts: [][]string{
		{"@mu.Lock()\n@buf[0] = 'a' + {K}\n@str = unsafe.String(&@buf[0], 2)\n@mu.Unlock()", "@mu.Lock()\n@buf[1]++\n@mu.Unlock()"},
		{"@mu.Lock()\nk := @str\n@mu.Unlock()\nr += b2i(k == \"bb\")", "@mu.Lock()\nk := strings.Clone(@str)\n@mu.Unlock()\nr += b2i(k == \"bb\")", "@mu.Lock()\nr += b2i(@str == unsafe.String(&@buf[0], 2))\n@mu.Unlock()"},
	}}},
	{themeCarried, situation{name: "values in parts", parts: [][]string{
		{"@mu.Lock()\n@q.a = {K}\n@mu.Unlock()\n@mu.Lock()\n@q.b = {K}\n@mu.Unlock()", "@mu.Lock()\n@q = shift(@q, {K})\n@mu.Unlock()", "@mu.Lock()\n@exchange(pair{{K}, 5})\n@mu.Unlock()"},
		{"@mu.Lock()\nk := @q\n@mu.Unlock()\nr += total([2]int{k.b, k.a}, k)", "@mu.Lock()\nk := boxed(@q).get()\n@mu.Unlock()\nfmt.Println(k)"},
	}}},
	{themeGiven, situation{name: "pointers into what is shared", parts: [][]string{
		{"@mu.Lock()\n@q.a = {K}\n@mu.Unlock()", "@mu.Lock()\n*@place(0) = pair{{K}, 5}\n@mu.Unlock()", "@mu.Lock()\n@ps[1].b = {K}\n@mu.Unlock()"},
		{"@mu.Lock()\nk := @place(0)\n@mu.Unlock()\nr += k.a", "@mu.Lock()\nk := @place(2)\nr += k.b\n@mu.Unlock()", "@mu.Lock()\nr += b2i(@place({K}) == &@q)\n@mu.Unlock()"},
	}}},
	{themeRoom, situation{name: "a prefix that is shared", parts: [][]string{
		{"k := append(@buf, 'x')\nr += int(k[len(k)-1])", "k := append([]byte(@str), 'x')\n@mu.Lock()\n@buf = k\n@mu.Unlock()"},
		{"k := append(@buf, 'y')\nr += int(k[len(k)-1])", "@mu.Lock()\nk := append(@buf, 'z')\n@mu.Unlock()\nr += int(k[len(k)-1])"},
	}}},
	{themeAddress, situation{name: "names that are addresses", parts: [][]string{
		{"@mu.Lock()\n@names[fmt.Sprintf(\"%p\", @n)]++\n@n = &node{val: {K}}\n@mu.Unlock()", "@mu.Lock()\n@n = &node{val: {K}, next: @n}\n@mu.Unlock()"},
		{"@mu.Lock()\nr += @names[fmt.Sprintf(\"%p\", @n)]\n@mu.Unlock()", "@mu.Lock()\n@v = fmt.Sprintf(\"%p\", @n)\n@mu.Unlock()", "@mu.Lock()\nr += b2i(@v == any(fmt.Sprintf(\"%p\", @n)))\n@mu.Unlock()"},
	}}},
}

type grownSituation struct {
	theme theme
	situation
}
