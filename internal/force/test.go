// SPDX-License-Identifier: BSD-3-Clause

package force

import (
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pangolin/verdict"
)

// made is the type of what operations are called on, a pointer, and the statements that make it
// and call it c.
func (f *forcer) made() (t types.Type, makes string, err error) {
	made, err := types.Eval(f.fset, f.pkg, token.NoPos, f.w.Source.New)
	if err != nil {
		return nil, "", cannot("the constructor %s: %v", f.w.Source.New, err)
	}
	t, makes = made.Type, "c := "+f.w.Source.New
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() == 2 {
		t, makes = tuple.At(0).Type(), "c, err := "+f.w.Source.New+"\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}"
	}
	if !pointer(t) {
		makes = "made := " + f.w.Source.New + "\n\tc := &made"
		t = types.NewPointer(t)
	}
	return t, makes, nil
}

// innerTest is the test that runs in the copy: it makes the collection, and lets a goroutine
// for each thread make its calls.
func (f *forcer) innerTest(module string) (string, error) {
	var t types.Type
	makes, err := "", error(nil)
	if f.driver != nil {
		makes = "c := " + f.driver.New + "()"
	} else if t, makes, err = f.made(); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"testing\"\n\n\tzz_forced %q\n)\n\n", f.pkg.Name(), module+"/zz_forced")
	fmt.Fprintf(&b, "func TestForcedSchedule(t *testing.T) {\n\truntime.GOMAXPROCS(1)\n")
	if len(f.decided) > 0 {
		fmt.Fprintf(&b, "\tzz_forced.Choices = %#v\n", f.decided)
	}
	if f.w.Class == "infinite" {
		fmt.Fprintf(&b, "\tzz_forced.Grows = true\n")
	}
	fmt.Fprintf(&b, "\tzz_forced.Make()\n\t%s\n", makes)
	for i := range f.w.Schedule.PreAdds {
		call, _, err := f.scheduled(t, &f.w.Schedule.PreAdds[i], nil)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\t%s\n", call)
	}
	cut := f.w.Class == "history"
	fmt.Fprintf(&b, "\tzz_forced.Begin([]zz_forced.Want{\n")
	for _, x := range f.wants {
		fmt.Fprintf(&b, "\t\t{%d, %q, %q, %d},\n", x.thread, x.does, x.file, x.line)
	}
	fmt.Fprintf(&b, "\t}, %d, %t, %d, %d)\n\tvar all sync.WaitGroup\n", f.loop, cut, len(f.w.History), f.w.Threads)
	for thread := 1; thread <= f.w.Threads; thread++ {
		body, err := f.calls(thread, t)
		if err != nil {
			return "", err
		}
		if body != "" {
			fmt.Fprintf(&b, "\tall.Add(1)\n\tgo func() {\n\t\tdefer all.Done()\n\t\tzz_forced.Start(%d)\n%s\t}()\n", thread, body)
		}
	}
	switch {
	case f.watched():
		fmt.Fprintf(&b, "\tzz_forced.Watch(all.Wait)\n}\n")
	case f.w.Class == "leak":
		fmt.Fprintf(&b, "\tall.Wait()\n\tc = nil\n\tzz_forced.Left()\n}\n")
	case f.w.Class == "invariant" && f.w.Broken.Always:
		return "", cannot("the invariant %s has to be true in every state, and a test can only ask it where no call is in progress", f.w.Broken.Name)
	case f.w.Class == "invariant":
		fmt.Fprintf(&b, "\tall.Wait()\n\tzz_forced.Ask(c.%s)\n\tzz_forced.Finished()\n}\n", f.w.Broken.Name)
	default:
		fmt.Fprintf(&b, "\tall.Wait()\n\tzz_forced.Finished()\n}\n")
	}
	text, err := format.Source([]byte(b.String()))
	return string(text), err
}

// scheduled is a call as Go source, with the number of its results: with arguments as Go writes them, nil for those of the schedule.
func (f *forcer) scheduled(t types.Type, c *verdict.Call, args []string) (call string, results int, err error) {
	if f.driver != nil {
		return f.drivenCall(c)
	}
	if args == nil {
		for _, a := range c.Args {
			args = append(args, strconv.FormatInt(a, 10))
		}
	}
	name := f.w.Source.Ops[c.Op]
	return fmt.Sprintf("c.%s(%s)", name, strings.Join(args, ", ")), f.method(t, name).Results().Len(), nil
}

// calls are the statements with which a thread makes its calls of operations of type t, and tells what they return.
func (f *forcer) calls(thread int, t types.Type) (string, error) {
	var b strings.Builder
	for i := range f.w.History {
		e := &f.w.History[i]
		if e.Thread != thread {
			continue
		}
		c := f.callOf(i)
		if c == nil {
			return "", cannot("the schedule has fewer calls than the history")
		}
		call, n, err := f.scheduled(t, c, append([]string{}, e.Args...))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\t\tzz_forced.Call(%d)\n", thread)
		switch {
		case e.Panicked && f.w.Class != "panic":
			fmt.Fprintf(&b, "\t\tzz_forced.Panics(func() { %s })\n\t\tzz_forced.Return(%d, %d)\n", call, thread, i)
			continue
		case n == 0:
			fmt.Fprintf(&b, "\t\t%s\n\t\tzz_forced.Return(%d, %d)\n", call, thread, i)
			continue
		}
		var names []string
		for k := range n {
			names = append(names, fmt.Sprintf("r%d_%d", i, k))
		}
		list := strings.Join(names, ", ")
		fmt.Fprintf(&b, "\t\t%s := %s\n\t\tzz_forced.Return(%d, %d, %s)\n", list, call, thread, i, list)
	}
	return b.String(), nil
}

// returned are the results of a call as the copy prints them.
func (f *forcer) returned(i int) []string {
	if f.driver == nil {
		return f.w.History[i].Results
	}
	var words []string
	for _, x := range f.driver.Returned[i] {
		words = append(words, strconv.FormatInt(int64(x), 10))
	}
	return words
}

// render puts everything into the file of the user's package.
func (f *forcer) render(p *listed) ([]byte, error) {
	template, err := templates.ReadFile("test.go.txt")
	if err != nil {
		return nil, err
	}
	var files strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.copies)) {
		fmt.Fprintf(&files, "\t%q: %s,\n", name, literal(f.copies[name]))
	}
	f.name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, f.w.Source.Type)
	return format.Source([]byte(strings.NewReplacer(
		"PACKAGE", p.Name, "NAME", f.name, "CLASS", strconv.Quote(f.w.Class), "CLIENT", strings.Join(strings.Fields(f.w.Client), " "),
		"FILES", files.String(), "EXPECTED", f.expected(), "RACE", strconv.FormatBool(f.w.Class == "race"),
	).Replace(string(template))))
}

// expected is what the output must contain, each a Go literal.
func (f *forcer) expected() string {
	var list []string
	switch f.w.Class {
	case "history":
		for i := range f.w.History {
			e := &f.w.History[i]
			if e.Responded > 0 && !e.Panicked {
				list = append(list, strings.TrimRight(fmt.Sprintf("forced result %d = %s", i, strings.Join(f.returned(i), ", ")), " "))
			}
		}
	case "panic":
		if f.w.Crash != nil {
			text, _, _ := strings.Cut(f.w.Crash.Text, "\n")
			list = append(list, text)
			for _, x := range f.w.Stack(f.w.Crash.Frame) {
				if !x.Library {
					list = append(list, x.Base())
					break
				}
			}
		}
	case "invariant":
		list = append(list, "forced invariant is not true")
	case "deadlock", "leak":
		list = f.waits()
	case "livelock", "nontermination":
		list = append(list, "forced end lap repeated 100 times")
	case "infinite":
		list = append(list, "forced end memory grows without end")
	case "race":
		list = append(list, "WARNING: DATA RACE")
		for _, c := range f.w.Race {
			for _, x := range f.w.Stack(c.Frame) {
				if !x.Model {
					list = append(list, x.Base())
					break
				}
			}
		}
	}
	var b strings.Builder
	for _, text := range list {
		fmt.Fprintf(&b, "%q, ", text)
	}
	return b.String()
}

// watched reports whether a deadlock is one that the runtime does not report, since a timer may be pending.
func (f *forcer) watched() bool { return f.w.Class == "deadlock" && f.w.Source.Time != "" }

// waits is what is printed of goroutines that wait for ever.
func (f *forcer) waits() (list []string) {
	if f.w.Class == "deadlock" && !f.watched() {
		return []string{"fatal error: all goroutines are asleep - deadlock!"}
	}
	for _, x := range f.w.Waiting {
		if x.Waits {
			list = append(list, "forced waits "+x.Base())
		}
	}
	return append(list, "forced end waiting")
}

// literal is a text as Go source that people can read.
func literal(text string) string {
	return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
}
