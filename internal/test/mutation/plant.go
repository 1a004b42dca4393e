// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Mutants of a package's source. All of a build are in one text, switched off: each is an expression or a statement that package on is
// asked about.

// mutant is a place in the source and what it becomes.
type mutant struct {
	name     string // "internal/consist/judge.go: judge.step: condition is true: s.done", with a number behind it if there are several
	dir      string // of its package, from the root of the module
	file     string // from the root of the module
	line     int
	operator string
	from, to int    // what is put between before and after, in bytes of the file
	at       int    // the byte at which instead takes the place of some bytes within; 0: none
	length   int    // of the bytes at at
	before   string // with %d for the mutant's number
	after    string
	instead  string
}

// planter finds all mutants of a file.
type planter struct {
	fset  *token.FileSet
	info  *types.Info
	dir   string
	path  string
	text  string
	stack []ast.Node
	seen  map[string]int // how many mutants have a name
	found []mutant
}

// mutants lists those of a file, in the order of the source.
func (p *planter) mutants(f *ast.File) []mutant {
	p.seen = map[string]int{}
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			p.stack = p.stack[:len(p.stack)-1]
			return true
		}
		if call, ok := n.(*ast.CallExpr); ok && panics(call) {
			return false // a broken invariant is told, by whatever text
		}
		p.stack = append(p.stack, n)
		if p.function() != nil {
			p.node(n)
		}
		return true
	})
	return p.found
}

func panics(call *ast.CallExpr) bool {
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "panic"
}

// function is the declaration around the current node; nil outside of all.
func (p *planter) function() *ast.FuncDecl {
	for _, n := range p.stack {
		if f, ok := n.(*ast.FuncDecl); ok {
			return f
		}
	}
	return nil
}

func (p *planter) parent() ast.Node {
	if len(p.stack) < 2 {
		return nil
	}
	return p.stack[len(p.stack)-2]
}

// node plants what there is to plant at a node.
func (p *planter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		p.condition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			p.wrap("loop ends at once", n.Cond, "(", ") && !planted_.At(%d)")
		}
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, x := range c.(*ast.CaseClause).List {
					p.condition(x)
				}
			}
		}
	case *ast.BinaryExpr:
		p.binary(n)
	case *ast.BasicLit:
		if b, ok := p.typeOf(n).(*types.Basic); ok && n.Kind == token.INT && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUntyped == 0 {
			p.wrap("constant is greater by one", n, "planted_.Up(%d, "+b.Name()+"(", "))")
		}
	case *ast.ReturnStmt:
		p.returned(n)
	case *ast.BranchStmt:
		if n.Label == nil && (n.Tok == token.BREAK || n.Tok == token.CONTINUE) && p.listed() {
			other := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[n.Tok]
			p.wrap(n.Tok.String()+" becomes "+other, n, "if planted_.At(%d) { "+other+" }; ", "")
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE && p.listed() {
			p.drop(n)
		}
	case *ast.IncDecStmt, *ast.ExprStmt, *ast.DeferStmt:
		if x, ok := n.(*ast.ExprStmt); ok {
			if call, ok := x.X.(*ast.CallExpr); ok && panics(call) {
				return
			}
		}
		if p.listed() {
			p.drop(n)
		}
	}
}

func (p *planter) drop(n ast.Node) {
	p.wrap("statement is left out", n, "if !planted_.At(%d) { ", " }")
}

// listed reports whether the current statement is one of a list, and no part of the head of another.
func (p *planter) listed() bool {
	switch p.parent().(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

func (p *planter) condition(x ast.Expr) {
	p.wrap("condition is true", x, "(", ") || planted_.At(%d)")
	p.wrap("condition is false", x, "(", ") && !planted_.At(%d)")
}

func (p *planter) typeOf(x ast.Expr) types.Type { return p.info.Types[x].Type }

func (p *planter) binary(n *ast.BinaryExpr) {
	if p.info.Types[n].Value != nil {
		return // a constant expression
	}
	ordered := map[token.Token]string{token.LSS: "Less", token.LEQ: "AtMost", token.GTR: "More", token.GEQ: "AtLeast"}
	switch n.Op {
	case token.LAND:
		p.wrap("side is true", n.X, "((", ") || planted_.At(%d))")
		p.wrap("side is true", n.Y, "((", ") || planted_.At(%d))")
	case token.LOR:
		p.wrap("side is false", n.X, "((", ") && !planted_.At(%d))")
		p.wrap("side is false", n.Y, "((", ") && !planted_.At(%d))")
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		m := p.wrap("bound takes in or leaves out equal values", n, "planted_."+ordered[n.Op]+"(%d, ", ")")
		m.at, m.length, m.instead = p.offset(n.OpPos), len(n.Op.String()), ","
	case token.ADD, token.SUB:
		if b, ok := p.typeOf(n).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			p.wrap("+ becomes -, or - becomes +", n.Y, "planted_.Minus(%d, ", ")")
		}
	case token.OR, token.AND, token.AND_NOT, token.XOR:
		p.wrap("operand is zero", n.Y, "planted_.Zero(%d, ", ")")
	}
}

// returned plants other results.
func (p *planter) returned(n *ast.ReturnStmt) {
	var signature *types.Signature
	for _, at := range slices.Backward(p.stack) {
		if f, ok := at.(*ast.FuncLit); ok {
			signature, _ = p.typeOf(f).(*types.Signature)
			break
		} else if f, ok := at.(*ast.FuncDecl); ok {
			signature, _ = p.info.Defs[f.Name].Type().(*types.Signature)
			break
		}
	}
	if signature == nil || signature.Results().Len() != len(n.Results) {
		return
	}
	for i, x := range n.Results {
		t := signature.Results().At(i).Type()
		if b, ok := t.(*types.Basic); ok && b.Kind() == types.Bool {
			p.wrap("result is the opposite", x, "planted_.At(%d) != (", ")")
		} else if types.Identical(p.typeOf(x), t) && p.text[p.offset(x.Pos()):p.offset(x.End())] != "0" {
			p.wrap("result is zero", x, "planted_.Zero(%d, ", ")")
		}
	}
}

func (p *planter) offset(at token.Pos) int { return p.fset.Position(at).Offset }

// wrap adds a mutant.
func (p *planter) wrap(operator string, n ast.Node, before, after string) *mutant {
	from, to := p.offset(n.Pos()), p.offset(n.End())
	f := p.function()
	in := f.Name.Name
	if f.Recv != nil && len(f.Recv.List) > 0 {
		t := p.text[p.offset(f.Recv.List[0].Type.Pos()):p.offset(f.Recv.List[0].Type.End())]
		t, _, _ = strings.Cut(strings.TrimPrefix(t, "*"), "[")
		in = t + "." + in
	}
	shown := strings.Join(strings.Fields(p.text[from:to]), " ")
	if r := []rune(shown); len(r) > 60 {
		shown = string(r[:59]) + "…"
	}
	name := fmt.Sprintf("%s: %s: %s: %s", p.path, in, operator, shown)
	if p.seen[name]++; p.seen[name] > 1 {
		name += fmt.Sprintf(" (%d)", p.seen[name])
	}
	p.found = append(p.found, mutant{name: name, dir: p.dir, file: p.path, line: p.fset.Position(n.Pos()).Line,
		operator: operator, from: from, to: to, before: before, after: after})
	return &p.found[len(p.found)-1]
}

// drawn puts mutants in an order that depends on their names and the seed alone, so that those of a function stay the same when others change.
func drawn(all []mutant, seed uint64) []mutant {
	key := func(m *mutant) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, m.name))
		return string(sum[:])
	}
	keys := map[string]string{}
	for i := range all {
		keys[all[i].name] = key(&all[i])
	}
	out := slices.Clone(all)
	slices.SortFunc(out, func(a, b mutant) int { return cmp.Compare(keys[a.name], keys[b.name]) })
	return out
}

// insertion is text at a byte of a file, in the place of some bytes.
type insertion struct {
	at, skip int
	opens    bool
	span     int  // of the mutant's place, in bytes
	inner    bool // the mutant takes the place of an operator: what goes around the same expression is outside
	number   int
	text     string
}

// outside is negative if, of two mutants, a goes around b.
func outside(a, b insertion) int {
	if a.span != b.span {
		return cmp.Compare(b.span, a.span)
	}
	if a.inner != b.inner {
		if a.inner {
			return 1
		}
		return -1
	}
	return cmp.Compare(a.number, b.number)
}

// planted is the text of a file with mutants in it, by their numbers. Lines keep their numbers.
func planted(text string, name string, numbers map[int]mutant) string {
	var list []insertion
	for k, m := range numbers {
		with := func(s string) string {
			if strings.Contains(s, "%d") {
				return fmt.Sprintf(s, k)
			}
			return s
		}
		list = append(list,
			insertion{at: m.from, opens: true, span: m.to - m.from, inner: m.at > 0, number: k, text: with(m.before)},
			insertion{at: m.to, span: m.to - m.from, inner: m.at > 0, number: k, text: with(m.after)})
		if m.at > 0 {
			list = append(list, insertion{at: m.at, skip: m.length, opens: true, number: k, text: m.instead})
		}
	}
	// What ends at a byte stands before what begins there; the wider of two places is outside.
	slices.SortFunc(list, func(a, b insertion) int {
		if c := cmp.Compare(a.at, b.at); c != 0 {
			return c
		}
		if a.opens != b.opens {
			if a.opens {
				return 1
			}
			return -1
		}
		if a.opens {
			return outside(a, b)
		}
		return outside(b, a)
	})
	var b strings.Builder
	at := 0
	for _, i := range list {
		b.WriteString(text[at:i.at])
		b.WriteString(i.text)
		at = i.at + i.skip
	}
	b.WriteString(text[at:])
	return strings.Replace(b.String(), "\npackage "+name+"\n", "\npackage "+name+"; import planted_ \"pangolin/internal/test/mutation/on\"\n", 1)
}
