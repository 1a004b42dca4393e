// SPDX-License-Identifier: BSD-3-Clause

package force

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
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
	t, makes, err := f.made()
	if err != nil {
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
	fmt.Fprintf(&b, "\t%s\n", makes)
	for _, c := range f.w.Schedule.PreAdds {
		var args []string
		for _, a := range c.Args {
			args = append(args, strconv.FormatInt(a, 10))
		}
		if _, err := f.results(t, f.w.Source.Ops[c.Op]); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\tc.%s(%s)\n", f.w.Source.Ops[c.Op], strings.Join(args, ", "))
	}
	cut := f.w.Class == "history"
	fmt.Fprintf(&b, "\tzz_forced.Begin([]zz_forced.Want{\n")
	for _, x := range f.wants {
		fmt.Fprintf(&b, "\t\t{%d, %q, %q, %d},\n", x.thread, x.does, x.file, x.line)
	}
	fmt.Fprintf(&b, "\t}, %d, %t, %d)\n\tvar all sync.WaitGroup\n", f.loop, cut, len(f.w.History))
	for thread := 1; thread <= f.w.Threads; thread++ {
		body, err := f.calls(thread, t)
		if err != nil {
			return "", err
		}
		if body != "" {
			fmt.Fprintf(&b, "\tall.Add(1)\n\tgo func() {\n\t\tdefer all.Done()\n\t\tzz_forced.Start(%d)\n%s\t}()\n", thread, body)
		}
	}
	fmt.Fprintf(&b, "\tall.Wait()\n\tzz_forced.Finished()\n}\n")
	text, err := format.Source([]byte(b.String()))
	return string(text), err
}

// calls are the statements with which a thread makes its calls of operations of type t, and tells what they return.
func (f *forcer) calls(thread int, t types.Type) (string, error) {
	var b strings.Builder
	for i := range f.w.History {
		e := &f.w.History[i]
		if e.Thread != thread {
			continue
		}
		n, err := f.results(t, e.Operation)
		if err != nil {
			return "", err
		}
		for _, a := range e.Args {
			if _, err := parser.ParseExpr(a); err != nil {
				return "", cannot("the argument %s of %s is no Go expression", a, e.Operation)
			}
		}
		call := fmt.Sprintf("c.%s(%s)", e.Operation, strings.Join(e.Args, ", "))
		fmt.Fprintf(&b, "\t\tzz_forced.Call(%d)\n", thread)
		if n == 0 {
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

// results is how many results an operation has.
func (f *forcer) results(t types.Type, name string) (int, error) {
	m, _, _ := types.LookupFieldOrMethod(t, true, f.pkg, name)
	fn, ok := m.(*types.Func)
	if !ok {
		return 0, cannot("the operation %s is no method", name)
	}
	return fn.Signature().Results().Len(), nil
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
				list = append(list, strings.TrimRight(fmt.Sprintf("forced result %d = %s", i, strings.Join(e.Results, ", ")), " "))
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
	case "deadlock":
		list = append(list, "fatal error: all goroutines are asleep - deadlock!")
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

// literal is a text as Go source that people can read.
func literal(text string) string {
	return "`" + strings.ReplaceAll(text, "`", "` + \"`\" + `") + "`"
}
