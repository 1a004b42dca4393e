// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
)

// Filled lists for each method, "Buffer.Read", the indices of the parameters through which it hands something to its caller: p of Read(p []byte),
// out of Get(key string, out *Record) bool. It writes to what the parameter points to, and does nothing else with the parameter but read
// that, so that it cannot keep it. It may give its caller back what it was given, or something new instead: LoadLink(l *Link) *Link
// of which l may be nil. A function of the package that is given the parameter has to be of the same sort, and gives nothing back.
//
// A pointer that is read as well, n of Remove(n *Node), may have to be one that the object holds: if another method of the type
// takes such a pointer and may keep it, or gives one, it is listed in held instead.
func (p *Listed) Filled() (filled, held map[string][]int) {
	r := &fillReader{functions: map[string][]*fillable{}}
	for _, name := range p.listed.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), name, p.source(name), parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				r.functions[fn.Name.Name] = append(r.functions[fn.Name.Name], newFillable(fn))
			}
		}
	}
	filled, held = map[string][]int{}, map[string][]int{}
	for _, list := range r.functions {
		for _, f := range list {
			for i := range f.params {
				if f.receiver == "" || !r.fills(f, i) {
					continue
				}
				into := filled
				if f.reads[i] && r.holds(f.receiver, f.types[i]) {
					into = held
				}
				into[f.receiver+"."+f.name] = append(into[f.receiver+"."+f.name], i)
			}
		}
	}
	return filled, held
}

// fillable is a function with the names of its parameters.
type fillable struct {
	name, receiver string // of a method: the type's name
	params         []string
	types          []string     // of the parameters that are pointers, "*Node"; "" of others
	gives          []string     // likewise, of the results
	reads          map[int]bool // parameters that are filled, and read as well
	returns        map[int]bool // parameters that are given back, or slices of them
	body           *ast.BlockStmt
	answers        map[int]bool // what is known of parameters; of one that is looked at meanwhile: that it is not filled
}

func newFillable(fn *ast.FuncDecl) *fillable {
	f := &fillable{name: fn.Name.Name, body: fn.Body, answers: map[int]bool{}, reads: map[int]bool{}, returns: map[int]bool{}}
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		f.receiver = BaseType(fn.Recv.List[0].Type)
	}
	for _, field := range fn.Type.Params.List {
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{ast.NewIdent("_")}
		}
		for _, n := range names {
			f.params = append(f.params, n.Name)
			f.types = append(f.types, pointerText(field.Type))
		}
	}
	if fn.Type.Results != nil {
		for _, field := range fn.Type.Results.List {
			f.gives = append(f.gives, pointerText(field.Type))
		}
	}
	return f
}

// pointerText is the text of a pointer's type, "*Node"; "" of another type.
func pointerText(t ast.Expr) string {
	if _, ok := t.(*ast.StarExpr); !ok {
		return ""
	}
	return types.ExprString(t)
}

// fillReader answers whether functions fill parameters.
type fillReader struct{ functions map[string][]*fillable }

// holds reports whether a method of a type takes a pointer of type pointer that it may keep, or gives one.
func (r *fillReader) holds(receiver, pointer string) bool {
	if pointer == "" {
		return false
	}
	for _, list := range r.functions {
		for _, f := range list {
			if f.receiver != receiver {
				continue
			}
			if slices.Contains(f.gives, pointer) {
				return true
			}
			for i, t := range f.types {
				if t == pointer && !r.fills(f, i) {
					return true
				}
			}
		}
	}
	return false
}

func (r *fillReader) fills(f *fillable, param int) bool {
	name := f.params[param]
	if known, ok := f.answers[param]; ok || name == "_" {
		return known
	}
	f.answers[param] = false
	u := &fillUse{reader: r, names: []string{name}, allowed: map[*ast.Ident]bool{}, refused: map[*ast.Ident]bool{}, targets: map[ast.Expr]bool{}, fields: fieldsIn(f.body)}
	for changed := 0; changed < len(u.names); { // a slice of the parameter has a name of its own
		changed = len(u.names)
		ast.Inspect(f.body, u.visit)
	}
	kept := false
	ast.Inspect(f.body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		kept = kept || ok && u.is(id) && (u.refused[id] || !u.allowed[id])
		return !kept
	})
	f.answers[param], f.reads[param], f.returns[param] = u.written && !kept, u.seen, u.returned
	return f.answers[param]
}

// fillUse is what a function does with a parameter.
type fillUse struct {
	reader  *fillReader
	names   []string            // of the parameter, and of slices of it
	allowed map[*ast.Ident]bool // the places that only read or write what it points to
	refused map[*ast.Ident]bool // the places that may keep it, whatever else they are
	fields  map[*ast.Ident]bool // identifiers that name fields or methods, and no variable
	targets map[ast.Expr]bool   // the places that are written, and not read
	written bool
	seen    bool // something of it is read

	returned bool // it, or a slice of it, is given back
}

// fieldsIn lists the identifiers in a function that name fields or methods. A key may be a field, or, in a map, a variable.
func fieldsIn(body *ast.BlockStmt) map[*ast.Ident]bool {
	fields := map[*ast.Ident]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			fields[s.Sel] = true
		}
		return true
	})
	return fields
}

// handsOn matches functions of other packages that fill what they are given, and keep nothing: io.ReadFull, binary.PutUvarint, r.Read.
var handsOn = regexp.MustCompile(`^(Read|ReadFull|ReadAt|ReadAtLeast|PutU?[Vv]arint|PutUint16|PutUint32|PutUint64)$`)

func (u *fillUse) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			u.targets[l] = n.Tok == token.ASSIGN
			u.write(l)
		}
		for i, e := range n.Rhs { // rest := p[n:], p = p[n:]
			if len(n.Lhs) != len(n.Rhs) {
				break
			}
			to, ok := n.Lhs[i].(*ast.Ident)
			if ok && u.is(to) && isNew(e) { // if p == nil { p = new(Record) }
				u.allowed[to] = true
			}
			if ok && (n.Tok == token.DEFINE || u.is(to)) && u.slice(e) {
				u.allowed[to] = true
				if !u.is(to) {
					u.names = append(u.names, to.Name)
				}
			}
		}
	case *ast.IncDecStmt:
		u.write(n.X)
	case *ast.ReturnStmt: // its caller has it already
		for _, e := range n.Results {
			u.returned = u.slice(e) || u.returned
		}
	case *ast.RangeStmt:
		u.read(n.X)
	case *ast.StarExpr:
		u.read(n)
	case *ast.SelectorExpr: // a field; of a method the call is looked at first
		if len(u.reader.functions[n.Sel.Name]) > 0 { // f := p.Run keeps it
			u.refuse(n.X)
		}
		u.read(n)
	case *ast.IndexExpr:
		u.read(n)
	case *ast.BinaryExpr:
		for _, pair := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
			id, ok := pair[0].(*ast.Ident)
			other, is := pair[1].(*ast.Ident)
			if ok && is && u.is(id) && other.Name == "nil" { // compared with another pointer, it has to be the one that is held
				u.allowed[id] = true
			}
		}
	case *ast.SliceExpr: // t.buf = (*p)[:] keeps an array of it
		if u.part(n.X) {
			u.refuse(n.X)
		}
	case *ast.GoStmt: // it is filled behind the call
		u.refuse(n.Call)
	case *ast.UnaryExpr: // &p.x
		if n.Op == token.AND {
			u.refuse(n.X)
		}
	case *ast.FuncLit:
		u.refuse(n.Body)
	case *ast.CallExpr:
		u.call(n)
	}
	return true
}

// isNew reports whether an expression makes something: new(T), make(T, n), &T{}.
func isNew(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.Ident)
		return ok && (f.Name == "new" || f.Name == "make")
	case *ast.UnaryExpr:
		_, ok := e.X.(*ast.CompositeLit)
		return ok && e.Op == token.AND
	}
	return false
}

// refuse forbids the parameter in a part of the function: its address, or the body of a function of its own, may be kept.
func (u *fillUse) refuse(within ast.Node) {
	ast.Inspect(within, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && u.is(id) {
			u.refused[id] = true
		}
		return true
	})
}

// is reports whether an identifier names the parameter, or a slice of it.
func (u *fillUse) is(id *ast.Ident) bool { return slices.Contains(u.names, id.Name) && !u.fields[id] }

// slice allows p, p[i:j] and (p), and reports whether an expression is one.
func (u *fillUse) slice(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.SliceExpr:
		return u.slice(e.X)
	case *ast.ParenExpr:
		return u.slice(e.X)
	case *ast.Ident:
		if u.is(e) {
			u.allowed[e] = true
			return true
		}
	}
	return false
}

// part allows *p, p.x, p[i] and parts of these, and reports whether an expression is one.
func (u *fillUse) part(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return u.slice(e.X) || u.part(e.X)
	case *ast.SelectorExpr:
		return u.slice(e.X) || u.part(e.X)
	case *ast.IndexExpr:
		return u.slice(e.X) || u.part(e.X)
	case *ast.ParenExpr:
		return u.part(e.X)
	}
	return false
}

func (u *fillUse) read(e ast.Expr) {
	if u.part(e) {
		u.seen = u.seen || !u.targets[e]
	} else {
		u.slice(e)
	}
}

func (u *fillUse) write(e ast.Expr) { u.written = u.part(e) || u.written }

// call looks at what a function is given: copy(p, x), append(x, p...), len(p), r.Read(p), fill(p).
func (u *fillUse) call(n *ast.CallExpr) {
	if s, ok := n.Fun.(*ast.SelectorExpr); ok { // a method may keep its receiver
		u.refuse(s.X)
	}
	var known []*fillable
	name, builtin := "", false
	switch f := n.Fun.(type) {
	case *ast.Ident:
		name = f.Name
		known = slices.DeleteFunc(slices.Clone(u.reader.functions[name]), func(f *fillable) bool { return f.receiver != "" })
		builtin = len(known) == 0
	case *ast.SelectorExpr:
		name, known = f.Sel.Name, u.reader.functions[f.Sel.Name]
	}
	for i, a := range n.Args {
		switch {
		case builtin && (name == "len" || name == "cap" || name == "copy" && i == 1 || name == "append" && i == 1 && n.Ellipsis.IsValid() || name == "string"):
			u.slice(a)
		case builtin && (name == "copy" || name == "clear"), len(known) == 0 && handsOn.MatchString(name):
			u.written = u.slice(a) || u.written
		case len(known) > 0:
			all := true
			for _, f := range known {
				all = all && i < len(f.params) && u.reader.fills(f, i) && !f.returns[i] // t.last = fill(p) would keep it
				u.seen = u.seen || i < len(f.params) && f.reads[i]
			}
			if all {
				u.written = u.slice(a) || u.written
			}
		}
	}
}
