// SPDX-License-Identifier: BSD-3-Clause

package force

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"pangolin/verdict"
)

// A test calls operations as users do if it can: with arguments and results that are numbers, strings and bools. Other calls
// go through the file that Pangolin drives the collection by (package harness), which makes functions, contexts and
// handles of numbers, and numbers of whatever results are. It is ordinary Go but for two functions without a body.

// driven gets that file if the witness makes calls that need it.
func (f *forcer) driven(ctx context.Context, dir string, drive Drive) (err error) {
	why := f.needsDriver()
	if why == "" {
		return nil
	}
	if drive == nil {
		return cannot("%s", why)
	}
	if f.driver, err = drive(ctx); err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), f.driver.File, f.driver.Text, parser.ImportsOnly)
	if err != nil {
		return err
	}
	needed := []string{f.w.Source.Package}
	for _, x := range file.Imports {
		path, err := strconv.Unquote(x.Path.Value)
		if err != nil {
			return err
		}
		needed = append(needed, path)
	}
	m := f.known[f.w.Source.Package].Module
	if err := f.list(ctx, dir, needed...); err != nil {
		return err
	}
	return f.load(m)
}

// needsDriver says which call is not one of a method with plain arguments and results; "" if each is.
func (f *forcer) needsDriver() string {
	made, _, err := f.made()
	if err != nil {
		return err.Error() // it may name packages that only a file can import
	}
	for _, c := range f.w.Schedule.PreAdds {
		name := f.w.Source.Ops[c.Op]
		sig := f.method(made, name)
		if sig == nil || sig.Variadic() || !all(sig.Params(), integer) || sig.Params().Len() != len(c.Args) {
			return fmt.Sprintf("%s is no method that takes integers only", name)
		}
	}
	for i := range f.w.History {
		e := &f.w.History[i]
		sig := f.method(made, e.Operation)
		switch {
		case sig == nil:
			return e.Operation + " is no method"
		case sig.Variadic() || !all(sig.Params(), plain) || !all(sig.Results(), plain) || sig.Params().Len() != len(e.Args):
			return e.Operation + " takes or returns more than numbers, strings and bools"
		case slices.ContainsFunc(e.Args, func(a string) bool { _, err := parser.ParseExpr(a); return err != nil }):
			return "an argument of " + e.Operation + " is no Go expression"
		}
	}
	return ""
}

// method is the signature of an operation; nil if it is no method.
func (f *forcer) method(made types.Type, name string) *types.Signature {
	m, _, _ := types.LookupFieldOrMethod(made, true, f.pkg, name)
	if fn, ok := m.(*types.Func); ok {
		return fn.Signature()
	}
	return nil
}

func all(list *types.Tuple, is func(types.Type) bool) bool {
	for v := range list.Variables() {
		if !is(v.Type()) {
			return false
		}
	}
	return true
}

func plain(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsBoolean|types.IsNumeric|types.IsString) != 0
}

func integer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// implemented gives the functions of the driver that have no body the meaning that they have under Pangolin.
func implemented(text, hooksPath string) string {
	changed := text
	for _, x := range []struct{ head, body string }{
		{"func pangolinThread() int\n", "{ n, _ := " + hooks + ".Number(); return n }\n"},
		{"func pangolinObject(table *[32]interface{}, x interface{}) int\n", "{ return " + hooks + ".Object(table, x) }\n"},
		{"func pangolinOwn(table *[16]int, write bool, word int) int\n", "{ return " + hooks + ".Own(table, write, word) }\n"},
	} {
		changed = strings.Replace(changed, x.head, strings.TrimSuffix(x.head, "\n")+" "+x.body, 1)
	}
	if head := "; import " + hooks + " "; changed != text && !strings.Contains(changed, head) {
		at := strings.Index(changed, "\npackage ") + 1
		line, rest, _ := strings.Cut(changed[at:], "\n")
		changed = changed[:at] + line + head + strconv.Quote(hooksPath) + "\n" + rest
	}
	return changed
}

// drivenCall is how a call of the history, or one before it, goes through the driver.
func (f *forcer) drivenCall(c *verdict.Call) (call string, results int, err error) {
	if c.Op >= len(f.driver.Ops) {
		return "", 0, cannot("operation %d is not among those of the driver", c.Op)
	}
	fn, ok := f.pkg.Scope().Lookup(f.driver.Ops[c.Op]).(*types.Func)
	if !ok {
		return "", 0, cannot("the driver has no function %s", f.driver.Ops[c.Op])
	}
	args := []string{"c"}
	for _, a := range c.Args[:min(len(c.Args), fn.Signature().Params().Len()-1)] { // what only an oracle is told comes last
		args = append(args, strconv.FormatInt(a, 10))
	}
	return fn.Name() + "(" + strings.Join(args, ", ") + ")", fn.Signature().Results().Len(), nil
}

// callOf is the call of the schedule that call i of the history is.
func (f *forcer) callOf(i int) *verdict.Call {
	for j := range f.w.Schedule.Turns {
		if c := f.w.Schedule.Turns[j].Call; c != nil {
			if i == 0 {
				return c
			}
			i--
		}
	}
	return nil
}
