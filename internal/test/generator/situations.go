// SPDX-License-Identifier: BSD-3-Clause

package generator

// situation is a meeting of goroutines that statements drawn at random seldom come to,
// because it takes several of them, in different goroutines, on the same objects.
type situation struct {
	name  string
	parts [][]string // what the goroutines do, one part each, by turns: alternatives
	equal bool       // all goroutines, main among them, run one function
	again bool       // they run main itself
}

// locked are critical sections of a read-write lock, of readers and writers.
var (
	readers = []string{
		"@rw.RLock()\nr = r*3 + @x\n@rw.RUnlock()",
		"@rw.RLock()\n@rw.RUnlock()\nr++",
		"func() {\n@rw.RLock()\ndefer @rw.RUnlock()\nr += @x\n}()",
		"@rw.RLocker().Lock()\nr += @x\n@rw.RLocker().Unlock()",
		"if @rw.TryRLock() {\nr += @x\n@rw.RUnlock()\n}",
		"@rw.RLock()\nr += @x\n@rw.RUnlock()\n@rw.RLock()\nr = r*3 + @x\n@rw.RUnlock()",
		"@rw.RLock()\n@rw.RLock()\nr += @x\n@rw.RUnlock()\n@rw.RUnlock()",
	}
	writers = []string{
		"@rw.Lock()\n@x = @x*2 + {K}\n@rw.Unlock()",
		"@rw.Lock()\n@x++\n@rw.Unlock()",
		"if @rw.TryLock() {\n@x++\n@rw.Unlock()\n} else {\nr += 7\n}",
		"@rw.Lock()\n@rw.Unlock()\nr++",
		"@rw.Lock()\n@x++\n@rw.Unlock()\n@rw.RLock()\nr += @x\n@rw.RUnlock()",
	}
	senders = []string{
		"{C1} <- {K}",
		"{C1} <- 1\n{C1} <- 2",
		"select {\ncase {C1} <- {K}:\nr++\ndefault:\nr += 7\n}",
		"select {\ncase {C1} <- {K}:\nr++\ncase {C2} <- {K}:\nr += 7\n}",
		"func() {\ndefer func() {\nif recover() != nil {\nr += 50\n}\n}()\n{C1} <- {K}\n}()",
		"for i := range 2 {\n{C1} <- i\n}",
	}
	receivers = []string{
		"r = r*3 + <-{C1}",
		"for v := range {C1} {\nr = r*3 + v\n}",
		"v, ok := <-{C1}\nr += v*2 + b2i(ok)",
		"select {\ncase v, ok := <-{C1}:\nr += v*2 + b2i(ok)\ncase v := <-{C2}:\nr -= v\n}",
		"select {\ncase v := <-{C1}:\nr = r*3 + v\ndefault:\nr--\n}",
	}
	closers = []string{
		"close({C1})",
		"{C1} <- {K}\nclose({C1})",
		"close({C1})\nr += len({C1})",
		"{X1}++\nclose({C1})",
		"func() {\ndefer func() { r += b2i(recover() != nil) }()\nclose({C1})\n}()",
	}
	// increments are steps that may go wrong if two goroutines take them at once.
	increments = []string{
		"{X1}++",
		"{X1} = {X1}*2 + {K}",
		"r = r*3 + {X1}\n{X1} = r",
		"{M1}.Lock()\n{X1}++\nr += {X1}\n{M1}.Unlock()",
		"@rw.RLock()\n{X1}++\n@rw.RUnlock()",
		"r = r*3 + int({T1}.Add(1))",
		"if {T1}.CompareAndSwap(0, 1) {\n{X1}++\n{T1}.Store(0)\n}",
		"{M1}.Lock()\nk := {X1}\n{M1}.Unlock()\n{M1}.Lock()\n{X1} = k + 1\n{M1}.Unlock()",
		"@m[{K}]++",
		"@e <- r\nr += <-@e",
	}
)

var situations = []situation{
	{name: "readers and writers", parts: [][]string{readers, writers}},
	{name: "writers", parts: [][]string{writers}},
	{name: "readers that write", parts: [][]string{{
		"@rw.RLock()\n@x++\n@rw.RUnlock()", "@rw.RLock()\n@x = {K}\n@rw.RUnlock()", "@rw.RLock()\n@s[0]++\n@rw.RUnlock()",
		"@rw.RLock()\n@n.val++\n@rw.RUnlock()", "@rw.RLock()\n@m[{K}]++\n@rw.RUnlock()",
	}, {
		"@rw.RLock()\n@x++\n@rw.RUnlock()", "@rw.RLock()\nr += @x\n@rw.RUnlock()", "@rw.Lock()\n@x++\n@rw.Unlock()", "@rw.RLock()\n@s[0]++\n@rw.RUnlock()",
		"@rw.RLock()\n@n.val++\n@rw.RUnlock()", "@rw.RLock()\nr += @m[{K}]\n@rw.RUnlock()",
	}}},
	{name: "senders and who closes", parts: [][]string{senders, closers}},
	{name: "receivers and who closes", parts: [][]string{receivers, closers}},
	{name: "senders, receivers and who closes", parts: [][]string{receivers, senders, closers}},
	{name: "equal goroutines", equal: true, parts: [][]string{increments}},
	{name: "equal goroutines on a lock", equal: true, parts: [][]string{append(readers[:len(readers):len(readers)], writers...)}},
	{name: "equal goroutines on a channel", equal: true, parts: [][]string{{
		"select {\ncase {C1} <- r:\nr++\ncase v := <-{C1}:\nr += v * 3\n}", "select {\ncase v := <-{C1}:\nr = r*3 + v\ndefault:\n{C1} <- {K}\n}",
		"{C1} <- r\nr = r*3 + <-{C1}", "select {\ncase {C1} <- {K}:\n{X1}++\ndefault:\nr += <-{C1}\n}",
	}}},
	{name: "main again", again: true, parts: [][]string{increments}},
	{name: "several decisions", parts: [][]string{{
		"{\nk := map[int]int{1: 1, 2: 3}\nfor i, v := range k {\nr = r*3 + i*v\n}\n}",
		"{\na, b := make(chan int, 1), make(chan int, 1)\na <- 1\nb <- 2\nfor range 2 {\nselect {\ncase v := <-a:\nr = r*3 + v\ncase v := <-b:\nr = r*5 - v\n}\n}\n}",
		"{\na := make(chan int, 2)\na <- 1\nselect {\ncase v := <-a:\nr += v\ncase a <- {K}:\nr += 3\n}\nselect {\ncase a <- 7:\nr += 5\ndefault:\nr *= 2\n}\n}",
		"{\nk := map[string]bool{\"a\": true, \"b\": false}\nfor i := range k {\nr = r*3 + int(i[0])\nbreak\n}\nfor i := range k {\nr = r*3 + int(i[0])\n}\n}",
		"{\nk := &sync.Pool{}\nk.Put(1)\nr += number(k.Get())\nr = r*3 + number(k.Get())\n}",
	}, increments}},
	{name: "decisions about what is shared", parts: [][]string{{
		"for i, v := range @m {\nr = r*3 + i*v\n}", "@m[1], @m[2] = 5, 7\nfor i, v := range @m {\nr = r*3 + i*v\ndelete(@m, 1)\n}",
		"@e <- 1\nselect {\ncase @e <- 2:\nr++\ncase v := <-@e:\nr += v * 3\n}", "@c <- 1\n@e <- 2\nfor range 2 {\nselect {\ncase v := <-@c:\nr = r*3 + v\ncase v := <-@e:\nr = r*5 - v\n}\n}",
		"@sm.Store(1, 2)\n@sm.Store(3, 4)\n@sm.Range(func(k, v any) bool {\nr = r*3 + number(k)\nreturn true\n})",
	}, {"r++", "{X1}++", "@e <- 3", "r += <-@e", "@sm.Delete(1)"}}},
	{name: "a lock that is asked for again and again", parts: [][]string{{
		"for {\n@mu.Lock()\nif @x > 0 {\n@mu.Unlock()\nbreak\n}\n@mu.Unlock()\n}",
		"for {\n@rw.RLock()\nk := @y\n@rw.RUnlock()\nif k != 1 {\nbreak\n}\n}",
		"for done := false; !done; {\n@mu.Lock()\ndone = @x > 0\n@mu.Unlock()\nruntime.Gosched()\n}",
		"for !@mu.TryLock() {\n}\nr += @x\n@mu.Unlock()",
		"for @at.Load() == 0 {\n@mu.Lock()\n@mu.Unlock()\n}",
		"for !@ab.Load() {\n}",
	}, {
		"@mu.Lock()\n@x++\n@mu.Unlock()\n@rw.Lock()\n@y++\n@rw.Unlock()", "@mu.Lock()\n@x++\n@mu.Unlock()\n@at.Store(1)", "@rw.Lock()\n@y = 3\n@rw.Unlock()\n@ab.Store(true)",
		"@mu.Lock()\n@at.Store(1)\n@x++\n@mu.Unlock()", "@ab.Store(true)",
	}}},
	{name: "a case that is passed over", parts: [][]string{{
		"{\nt := time.NewTicker(time.Millisecond)\nfor k := true; k; {\nselect {\ncase <-t.C:\ncase <-@c:\nk = false\n}\n}\nt.Stop()\n}",
		"for k := true; k; {\nselect {\ncase <-@c:\nk = false\ndefault:\n}\n}",
		"for k := true; k; {\nselect {\ncase @e <- 1:\n<-@e\ncase <-@c:\nk = false\n}\n}",
		"{\nz := make(chan int)\nclose(z)\nfor k := true; k; {\nselect {\ncase <-z:\ncase <-@c:\nk = false\n}\n}\n}",
		"for k := true; k; {\nselect {\ncase _, k = <-@c:\ncase <-@d:\n}\n}",
	}, {"@c <- {K}", "close(@c)", "{X1}++\n@c <- {K}", "{X1}++\nclose(@c)", "for k := true; k; {\nselect {\ncase @d <- 1:\ncase @c <- 1:\nk = false\n}\n}\nclose(@c)"}}},
	{name: "a lock given to another", parts: [][]string{
		{"@mu.Lock()\n@x++\n@d <- 1", "@mu.Lock()\n@d <- 1\n@mu.Lock()\n@x++\n@mu.Unlock()", "@mu.Lock()\n@x++\n@at.Store(1)\n@d <- {K}"},
		{"<-@d\n@x++\n@mu.Unlock()", "r += <-@d\n@mu.Unlock()\n@x++", "r += <-@d\n@mu = sync.Mutex{}\n@x++"},
		{"@mu.Lock()\nr += @x\n@mu.Unlock()", "if @mu.TryLock() {\nr += @x\n@mu.Unlock()\n}", "@mu.Lock()\n@x = {K}\n@mu.Unlock()"},
	}},
	{name: "a lock that another releases", parts: [][]string{
		{"r += int(@at.Load())\n@mu.Lock()\n@x++", "r += int(@at.Load())\n@mu.Lock()\n@mu.Lock()\nr = r*3 + int(@at.Load())", "@mu.Lock()\nr += int(@at.Load())\n@mu.Lock()\n@at.Add(1)", "@rw.Lock()\n@mu.Lock()\nr += int(@at.Load())\n@rw.Lock()"},
		{"@at.Store(1)\n@mu.Unlock()", "@at.Add(1)\n@mu.Unlock()\nr += int(@at.Add(2))", "@at.Add(1)\n@rw.Unlock()\n@at.Add(2)"},
	}},
	{name: "waiters of a condition", parts: [][]string{
		{"@cm.Lock()\nfor @x == 0 {\n@cond.Wait()\n}\n@x--\n@cm.Unlock()", "@cm.Lock()\nif @x == 0 {\n@cond.Wait()\n}\nr = r*3 + @x\n@cm.Unlock()"},
		{"@cm.Lock()\n@x++\n@cond.Signal()\n@cm.Unlock()", "@cm.Lock()\n@x++\n@cm.Unlock()\n@cond.Broadcast()", "@cm.Lock()\n@x += 2\n@cond.Broadcast()\n@cm.Unlock()", "@cm.Lock()\nfor @x == 0 {\n@cond.Wait()\n}\n@cond.Signal()\n@cm.Unlock()"},
	}},
	{name: "a node that is used again", parts: [][]string{{
		"@mu.Lock()\nk := @n\n@n = &node{val: {K}}\n@mu.Unlock()\nk.val++\nr += k.val",
		"@mu.Lock()\nk := @n\n@n = nil\n@mu.Unlock()\nif k != nil {\nk.val = 5\n@mu.Lock()\n@n = k\n@mu.Unlock()\n}",
		"if k := @ap.Swap(nil); k != nil {\nk.val++\n@ap.Store(k)\n} else {\n@ap.Store(&node{val: {K}})\n}",
	}, {
		"@mu.Lock()\nk := @n\nif k != nil {\nr += k.val\n}\n@mu.Unlock()", "@mu.Lock()\nk := @n\n@mu.Unlock()\nif k != nil {\nr += k.val\n}",
		"if k := @ap.Load(); k != nil {\nr += k.val\n}", "@mu.Lock()\nk := @n\n@mu.Unlock()\nif k != nil {\n@mv.Lock()\nk.val++\n@mv.Unlock()\n}",
	}}},
	{name: "a group that is used again", parts: [][]string{
		{"@wg.Add(1)\n@x++\n@wg.Done()\n@wg.Wait()", "@wg.Add(1)\ngo func() {\ndefer @wg.Done()\n@at.Add(1)\n}()\n@wg.Wait()\nr += int(@at.Load())", "@wg.Go(func() { @at.Add(1) })\n@wg.Wait()"},
		{"@wg.Wait()\nr += int(@at.Load())", "@wg.Wait()\nr += @x", "@wg.Add(1)\n@wg.Done()", "@wg.Go(func() { @x++ })"},
	}},
	{name: "once", parts: [][]string{{
		"@once.Do(func() { @x++ })\nr += @x", "func() {\ndefer func() { r += b2i(recover() != nil) }()\n@once.Do(func() {\n@x++\npanic(1)\n})\n}()\nr += @x",
		"@once.Do(func() {\n@mu.Lock()\n@x++\n@mu.Unlock()\n})\nr += @x", "@mu.Lock()\n@once.Do(func() { @x++ })\n@mu.Unlock()", "r += @value()",
	}}},
	{name: "an end beside others", parts: [][]string{
		{"{X1}++\npanic(r)", "os.Exit(r)", "{M1}.Lock()\n{X1}++\nruntime.Goexit()", "{X1} = {K}\nif {X1} > 0 {\npanic(fmt.Sprint(\"at \", {X1}))\n}", "r += @s[{X1}+2]", "{T1}.Add(1)\n{M1}.Unlock()"},
		{"{X1}++", "{M1}.Lock()\nr += {X1}\n{M1}.Unlock()", "fmt.Println({T1}.Load())", "{T1}.Add(1)\nr += {X1}", "defer func() {\nrecover()\n{T1}.Add(2)\n}()\nr += 6 / {X1}"},
	}},
}
