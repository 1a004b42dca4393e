package policy

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// rewriter puts ghost code into one file. All of it goes into lines that exist, and a line
// comment in front of what follows gives that its column back.
type rewriter struct {
	*source
	out        *Annotated
	of         string // the type in question
	operations map[string]Signature
	methods    map[string][]string // by name: types that have one
	edits      []edit
}

// edit replaces text.
type edit struct {
	from, to int
	text     string
	order    int
}

func (r *rewriter) rewrite() error {
	notes, err := r.notes()
	if err != nil {
		return err
	}
	ghosts := map[ast.Stmt]string{}
	targets := map[ast.Stmt]target{}
	var order []ast.Stmt
	for i := range notes {
		code, err := r.ghost(&notes[i])
		var w *wrong
		if errors.As(err, &w) {
			return &Error{r.off(&notes[i], w.off), w.msg}
		}
		if err != nil {
			return err
		}
		if code == "" {
			continue
		}
		t := notes[i].target
		if _, known := targets[t.stmt]; !known {
			order = append(order, t.stmt)
		}
		targets[t.stmt] = t
		ghosts[t.stmt] += code
	}
	if len(order) == 0 {
		return nil
	}
	for _, st := range order {
		if err := r.place(targets[st], ghosts[st]); err != nil {
			return err
		}
	}
	r.finish()
	return nil
}

// ghost is the code of a directive; "" if it is about another type.
func (r *rewriter) ghost(n *note) (string, error) {
	d, err := parseDirective(n.text)
	if err != nil {
		return "", err
	}
	sig, known := r.operations[d.op]
	fits := known && len(d.results) == sig.Results && (d.own || len(d.args) == sig.Args)
	switch {
	case !known && r.methods[d.op] != nil:
		return "", nil
	case known && !fits && n.target.of != r.of && slices.Contains(r.methods[d.op], n.target.of):
		return "", nil
	case !known:
		return "", wrongAt(strings.Index(n.text, d.op), "there is no operation %s: there are %s", d.op, strings.Join(slices.Sorted(maps.Keys(r.operations)), ", "))
	case !d.own && len(d.args) != sig.Args:
		return "", wrongAt(strings.Index(n.text, d.op), "%s takes %d arguments, not %d", d.op, sig.Args, len(d.args))
	case len(d.results) != sig.Results:
		return "", wrongAt(strings.Index(n.text, d.op), "%s has %d results, not %d", d.op, sig.Results, len(d.results))
	}
	ru := Rule{Pos: r.at(n.comment.Pos()), Op: d.op, Own: d.own, Args: len(d.args), Results: len(d.results), Text: strings.TrimSpace(n.text)}
	name := ru.Name(len(r.out.Rules))
	r.out.Rules = append(r.out.Rules, ru)
	var values []string
	for _, p := range slices.Concat(d.args, d.results) {
		values = append(values, r.quoted(n, p))
	}
	call := fmt.Sprintf("%s(%s)", name, strings.Join(values, ", "))
	if d.when.text != "" {
		call = fmt.Sprintf("if %s { %s }", r.quoted(n, d.when), call)
	}
	return fmt.Sprintf("%s(true); %s; %s(false)", Bracket, call, Bracket) + "; ", nil
}

// quoted is an expression of a directive as Go text that says where it comes from. The
// word result means what the statement evaluates; _ in the place of a value is its zero.
func (r *rewriter) quoted(n *note, p piece) string {
	if p.text == "_" {
		return "nil"
	}
	at := r.off(n, p.off)
	return fmt.Sprintf("/*line :%d:%d*/%s", at.Line, at.Col, renamed(p.text, n.target.stmt))
}

// renamed replaces the words result, result1, result2 ... by the variables in which the
// rewritten statement keeps them; those that keep nothing leave them alone.
func renamed(text string, st ast.Stmt) string {
	switch st.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.ReturnStmt:
	default:
		return text
	}
	var b strings.Builder
	from, after := 0, token.ILLEGAL
	for _, t := range tokens(text) {
		if rest, ok := strings.CutPrefix(t.lit, "result"); ok && t.tok == token.IDENT && after != token.PERIOD {
			if k := strings.Trim(rest, "0123456789"); k == "" && rest != "0" {
				b.WriteString(text[from:t.off] + value + cmp.Or(rest, "1"))
				from = t.off + len(t.lit)
			}
		}
		after = t.tok
	}
	return b.String() + text[from:]
}

// place puts ghost code behind what a statement evaluates.
func (r *rewriter) place(t target, code string) error {
	switch st := t.stmt.(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeclStmt, *ast.GoStmt, *ast.DeferStmt:
		r.insert(st.End(), "; "+strings.TrimSuffix(code, "; "))
	case *ast.ReturnStmt:
		return r.placeReturn(st, t.results, code)
	case *ast.IfStmt:
		if t.labelled {
			return r.refuse(st, "a labelled if")
		}
		r.head(head{st, st.Init, st.Cond, st.Body}, code, "if")
	case *ast.SwitchStmt:
		if t.labelled || st.Tag == nil {
			return r.refuse(st, "a switch with a label or without a value")
		}
		r.head(head{st, st.Init, st.Tag, st.Body}, code, "switch")
	case *ast.ForStmt:
		if st.Cond == nil {
			return r.refuse(st, "a loop without a condition")
		}
		cond := r.text(st.Cond)
		r.replace(st.Cond.Pos(), st.Cond.End(), "")
		r.insert(st.Body.Lbrace+1, fmt.Sprintf(" %s1 := %s%s; %sif !%s1 { break }; ", value, r.line(st.Cond.Pos()), cond, code, value))
	default:
		return r.refuse(st, "this statement")
	}
	return nil
}

func (r *rewriter) refuse(st ast.Stmt, what string) error {
	return &Error{r.at(st.Pos()), "a point cannot be put on " + what + "; put it on a statement within, or name the value first"}
}

// placeReturn evaluates the results, lets the ghost code see them, and returns them.
func (r *rewriter) placeReturn(st *ast.ReturnStmt, results *ast.FieldList, code string) error {
	if len(st.Results) == 0 {
		r.insert(st.Pos(), code)
		return nil
	}
	var vars, names []string
	for _, f := range results.List {
		for range max(1, len(f.Names)) {
			name := fmt.Sprintf("%s%d", value, len(names)+1)
			names = append(names, name)
			vars = append(vars, fmt.Sprintf("var %s %s; ", name, r.text(f.Type)))
		}
	}
	all := strings.Join(names, ", ")
	first, last := st.Results[0], st.Results[len(st.Results)-1]
	r.replace(st.Pos(), first.Pos(), "{ "+strings.Join(vars, "")+all+" = ")
	r.insert(last.End(), fmt.Sprintf("; %sreturn %s }", code, all))
	return nil
}

// head is that of a statement which decides on a value.
type head struct {
	stmt ast.Stmt
	init ast.Stmt
	on   ast.Expr
	body *ast.BlockStmt
}

// head evaluates what a statement decides on before it.
func (r *rewriter) head(h head, code, word string) {
	before := "{ "
	if h.init != nil {
		before += r.line(h.init.Pos()) + r.text(h.init) + "; "
	}
	r.replace(h.stmt.Pos(), h.on.Pos(), before+value+"1 := ")
	r.replace(h.on.End(), h.body.Lbrace, fmt.Sprintf("; %s%s %s1 ", code, word, value))
	r.insert(h.stmt.End(), " }")
}

// text is what a node is written as.
func (r *rewriter) text(n ast.Node) string {
	return string(r.file.Text[r.fset.Position(n.Pos()).Offset:r.fset.Position(n.End()).Offset])
}

// line is a comment that says where what follows stands.
func (r *rewriter) line(pos token.Pos) string {
	p := r.fset.Position(pos)
	return fmt.Sprintf("/*line :%d:%d*/", p.Line, p.Column)
}

func (r *rewriter) insert(pos token.Pos, text string) { r.replace(pos, pos, text) }

// replace notes an edit; what follows it keeps its position.
func (r *rewriter) replace(from, to token.Pos, text string) {
	r.edits = append(r.edits, edit{r.fset.Position(from).Offset, r.fset.Position(to).Offset, text + r.line(to), len(r.edits)})
}

// finish applies the edits and declares what ghost code needs.
func (r *rewriter) finish() {
	slices.SortFunc(r.edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.order, b.order)) })
	var b strings.Builder
	at := 0
	for _, e := range r.edits {
		b.Write(r.file.Text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(r.file.Text[at:])
	r.out.Files[r.file.Path] = []byte(b.String())
}

// Declarations is what the ghost code of all files needs, for the end of one of them.
func (a *Annotated) Declarations() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nfunc %s(bool) {}\n", Bracket)
	for i := range a.Rules {
		r := &a.Rules[i]
		fmt.Fprintf(&b, "\nvar %s func(%s)\n", r.Name(i), strings.TrimSuffix(strings.Repeat("any, ", r.Args+r.Results), ", "))
	}
	return b.String()
}
