// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// Users may set exported fields of a type before they use it: &Cache{MaxEntries: 2}, or q := New(); q.OnDrop = f. Here they are not set at first. A field is
// taken for such a setting if no method writes it, and nothing in it is for several goroutines.

// setFields adds to the ways in which users may make the collection that with its numbers, flags and functions set, and lists the settings that no way sets.
func (c *candidate) setFields(o collection.Overrides, s settings) {
	named, ok := c.Subject.Type.(*types.Named)
	if !ok || o.New != "" || o.Prefix != "" {
		return
	}
	list, ok := named.Underlying().(*types.Struct)
	if !ok {
		return
	}
	s.cell, s.filled, s.flags = false, true, true // what is set to 0 is not set
	f := &filler{pkg: c.Subject.Name.Pkg(), settings: s}
	var set, values []string
	for v := range list.Fields() {
		if !v.Exported() || v.Embedded() || !sets(v.Type()) || o.Clues != nil && o.Clues.Written[v.Name()] {
			continue
		}
		value := ""
		if o.Clues != nil && o.Clues.Written != nil && !o.Clues.Preset[v.Name()] {
			value = f.setting(v)
		}
		if value == "" {
			c.maker.unset = append(c.maker.unset, v.Name())
			continue
		}
		set, values = append(set, v.Name()), append(values, value)
	}
	if !c.addFields(set, values) {
		c.maker.unset = append(c.maker.unset, set...)
		return
	}
	flag := func(value string) bool { return value == "true" }
	if slices.ContainsFunc(values, flag) { // a flag such as Disabled may keep executions from what the others decide
		var some, rest []string
		for i, value := range values {
			if !flag(value) {
				some, rest = append(some, set[i]), append(rest, value)
			}
		}
		c.addFields(some, rest)
	}
}

// addFields adds a way to make the collection, with fields set; false if there is none.
func (c *candidate) addFields(set, values []string) bool {
	if len(set) == 0 {
		return true
	}
	v := collection.Variant{New: c.withFields(set, values), Sets: set}
	if v.New == "" {
		return false
	}
	v.Handlers = handlersIn(v.New)
	c.maker.variants = append(slices.Clip(c.maker.variants), v)
	return true
}

// sets says that a field of a type may be a setting: it is nothing for several goroutines, and nothing whose methods change it.
func sets(t types.Type) bool {
	if shared(t, 0) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Array:
		return false
	case *types.Struct:
		return types.NewMethodSet(types.NewPointer(t)).Len() == 0
	case *types.Pointer:
		return sets(u.Elem()) && types.NewMethodSet(t).Len() == 0
	}
	return true
}

// withFields is an expression that makes the collection with fields set; "" if there is none.
func (c *candidate) withFields(set, values []string) string {
	pkg := c.Subject.Name.Pkg()
	if name := typeString(c.Subject.Type, pkg); c.maker.expr == "new("+name+")" {
		fields := make([]string, len(set))
		for i := range set {
			fields[i] = set[i] + ": " + values[i]
		}
		return "&" + name + "{" + strings.Join(fields, ", ") + "}"
	}
	if len(c.maker.standIns) > 0 {
		return ""
	}
	statements := make([]string, len(set))
	for i := range set {
		statements[i] = "it." + set[i] + " = " + values[i]
	}
	m, err := c.maker.prefixed(pkg, strings.Join(statements, "; "))
	if err != nil {
		return ""
	}
	return strings.ReplaceAll(m.expr, "\n", "; ")
}

// setting is a value for an exported field, "" if there is none but the zero value.
func (f *filler) setting(v *types.Var) string {
	switch u := v.Type().Underlying().(type) {
	case *types.Basic:
		switch {
		case constantFor(v.Type()) != "":
		case isInteger(u):
			return f.basic(v, u)
		case isBool(u) && !unlocks(v.Name(), false):
			return "true"
		}
	case *types.Signature:
		if expr, why := f.function(v, u, v.Type()); why == "" {
			return expr
		}
	}
	return ""
}

// handlersIn lists what is given functions that return nothing but an error, by an expression that makes something: New, of New(func(batch []int) {}); WithSink, of
// New(WithSink(func(items []int) {})); the field OnDrop, of &Queue{OnDrop: func(v int) {}}.
func handlersIn(expr string) (names []string) {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return nil
	}
	add := func(name, value ast.Expr) {
		fn, is := value.(*ast.FuncLit)
		if !is {
			return
		}
		if r := fn.Type.Results; r != nil && r.NumFields() > 0 {
			if id, is := r.List[0].Type.(*ast.Ident); r.NumFields() > 1 || !is || id.Name != "error" {
				return
			}
		}
		if s := types.ExprString(name); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr:
			fn := x.Fun
			switch i := fn.(type) {
			case *ast.IndexExpr:
				fn = i.X
			case *ast.IndexListExpr:
				fn = i.X
			}
			for _, arg := range x.Args {
				add(fn, arg)
			}
		case *ast.KeyValueExpr:
			add(x.Key, x.Value)
		case *ast.AssignStmt: // it.OnDrop = func(v int) {}
			for i, e := range x.Lhs {
				if s, is := e.(*ast.SelectorExpr); is && i < len(x.Rhs) {
					add(s.Sel, x.Rhs[i])
				}
			}
		}
		return true
	})
	return names
}
