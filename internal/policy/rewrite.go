// SPDX-License-Identifier: BSD-3-Clause

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

// rewriter puts ghost code into one file. All of it is put into existing lines. A line directive
// restores the column of the text behind it.
type rewriter struct {
	*source
	out        *Annotated
	of         string // the type that is verified
	operations map[string]Signature
	methods    map[string][]string // by method name: the types that have such a method
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
	var order []ast.Stmt // statements and bodies of functions
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
		at := t.stmt
		if t.body != nil {
			at = t.body
		}
		if _, known := targets[at]; !known {
			order = append(order, at)
		}
		targets[at] = t
		ghosts[at] += code
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

// ghost is the code for a directive; "" if the directive is about another type.
func (r *rewriter) ghost(n *note) (string, error) {
	d, err := parseDirective(n.text)
	if err != nil {
		return "", err
	}
	if d.every.text != "" {
		return "", r.closes(&d.every, n)
	}
	if err := r.tells(d, n); err != nil {
		return "", err
	}
	if d.op == "" && n.target.of != r.of && r.hasOperations(n.target.of) {
		return "", nil
	}
	if d.op != "" {
		if ours, err := r.announces(d, n); err != nil || !ours {
			return "", err
		}
	}
	ru := Rule{Pos: r.at(n.comment.Pos()), Op: d.op, Own: d.own, Args: len(d.args), Results: len(d.results), Given: d.given, May: d.may, Before: d.before,
		As: d.as.text != "", Owner: d.owner.text != "", On: d.on.name, Send: d.send.name, Values: len(d.on.values) + len(d.send.values),
		To: -1, Text: strings.TrimSpace(n.text)}
	for _, s := range d.from {
		ru.From = append(ru.From, r.out.state(s.text))
	}
	if d.to.text != "" {
		ru.To = r.out.state(d.to.text)
	}
	number := len(r.out.Rules)
	r.out.Rules = append(r.out.Rules, ru)
	code := r.does(d, n, number)
	if ru.On != "" {
		code = r.expects(d, n, number)
	}
	return fmt.Sprintf("%s(true); %s; %s(false)", Bracket, code, Bracket) + "; ", nil
}

// closes records that all outcomes of an operation are announced, if it is an operation of this
// type.
func (r *rewriter) closes(op *piece, n *note) error {
	_, known := r.operations[op.text]
	switch {
	case n.target.of != r.of && slices.Contains(r.methods[op.text], n.target.of), !known && r.methods[op.text] != nil:
		return nil
	case !known:
		return wrongAt(op.off, "there is no operation %s: there are %s", op.text, strings.Join(slices.Sorted(maps.Keys(r.operations)), ", "))
	}
	r.out.Every[op.text] = true
	return nil
}

// tells records the messages and states of a directive. Those of directives about other types count
// too, as this type may wait for them.
func (r *rewriter) tells(d *directive, n *note) error {
	if d.to.text != "" {
		r.out.reached[r.out.state(d.to.text)] = true
	}
	return cmp.Or(r.mail(&d.on, n, true), r.mail(&d.send, n, false))
}

// hasOperations reports whether a type may be a collection with directives of its own: it has
// methods with the names of all operations.
func (r *rewriter) hasOperations(of string) bool {
	for name := range r.operations {
		if of != "" && slices.Contains(r.methods[name], of) {
			return true
		}
	}
	return false
}

// announces reports whether a directive announces an operation of this type, not a method of
// another type.
func (r *rewriter) announces(d *directive, n *note) (ours bool, err error) {
	sig, known := r.operations[d.op]
	results := len(d.results)
	if d.given && sig.Results > 0 {
		results = sig.Results
	}
	fits := known && results == sig.Results && (d.own || len(d.args) == sig.Args)
	switch {
	case !known && r.methods[d.op] != nil:
		return false, nil
	case known && !fits && n.target.of != r.of && slices.Contains(r.methods[d.op], n.target.of):
		return false, nil
	case !known:
		return false, wrongAt(d.emit.off, "there is no operation %s: there are %s", d.op, strings.Join(slices.Sorted(maps.Keys(r.operations)), ", "))
	case !d.own && len(d.args) != sig.Args:
		return false, wrongAt(d.emit.off, "%s takes %s, not %d", d.op, count(sig.Args, "argument"), len(d.args))
	case d.given && sig.Results == 0:
		return false, wrongAt(d.emit.off, "%s has no results that the specification could give", d.op)
	case results != sig.Results:
		return false, wrongAt(d.emit.off, "%s has %s, not %d", d.op, count(sig.Results, "result"), results)
	}
	return true, nil
}

// count writes a number of things: "1 value", "2 values".
func count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// state is the number of a state.
func (a *Annotated) state(name string) int {
	if at := slices.Index(a.states, name); at >= 0 {
		return at
	}
	a.states = append(a.states, name)
	return len(a.states) - 1
}

// mail records who sends or receives a message. All must agree on its number of values.
func (r *rewriter) mail(m *message, n *note, expected bool) error {
	if m.name == "" {
		return nil
	}
	known := r.out.messages[m.name]
	if known == nil {
		known = &mailing{values: len(m.values)}
		r.out.messages[m.name] = known
	}
	if known.values != len(m.values) {
		return wrongAt(m.off, "%s has %d values elsewhere, not %d", m.name, known.values, len(m.values))
	}
	place := &known.sends
	if expected {
		place = &known.expects
	}
	if *place == (Position{}) {
		*place = r.off(n, m.off)
	}
	return nil
}

// does is the code of a rule about the thread that executes it.
func (r *rewriter) does(d *directive, n *note, number int) string {
	ru := &r.out.Rules[number]
	var values []string
	for _, p := range slices.Concat(some(d.as), some(d.owner), d.args, d.results, d.send.values) {
		values = append(values, r.quoted(n, p))
	}
	code := fmt.Sprintf("%s(%s)", ru.Name(number), strings.Join(values, ", "))
	if d.when.text != "" {
		code = fmt.Sprintf("if %s { %s }", r.quoted(n, d.when), code)
	}
	if len(ru.From) > 0 {
		code = fmt.Sprintf("if %s(%d) { %s }", Enabled, number, code)
	}
	return code
}

func some(p piece) []piece {
	if p.text == "" {
		return nil
	}
	return []piece{p}
}

// expects is the code of a rule that receives a message: it captures the variables, and passes on
// what to do with a message.
func (r *rewriter) expects(d *directive, n *note, number int) string {
	ru := &r.out.Rules[number]
	params, conds := []string{who + " int"}, []string(nil)
	for i, p := range d.on.values {
		params = append(params, fmt.Sprintf("%s%d any", sent, i))
		conds = append(conds, fmt.Sprintf("%s%d == any(%s)", sent, i, r.quoted(n, p)))
	}
	if d.when.text != "" {
		conds = append(conds, "("+r.quoted(n, d.when)+")")
	}
	values := []string{who}
	for _, p := range slices.Concat(d.args, d.results) {
		values = append(values, r.quoted(n, p))
	}
	code := fmt.Sprintf("%s(%s)", ru.Fire(number), strings.Join(values, ", "))
	if len(conds) > 0 {
		code = fmt.Sprintf("if %s { %s }", strings.Join(conds, " && "), code)
	}
	kept := ""
	if names := r.variables(n, slices.Concat(d.on.values, some(d.when), d.args, d.results)); len(names) > 0 {
		kept = fmt.Sprintf("%[1]s := %[1]s; ", strings.Join(names, ", "))
	}
	return fmt.Sprintf("{ %s%s(func(%s) { %s }) }", kept, ru.Name(number), strings.Join(params, ", "), code)
}

// variables lists the names in the pieces that the enclosing function declares.
func (r *rewriter) variables(n *note, pieces []piece) []string {
	var out []string
	for _, p := range pieces {
		after := token.ILLEGAL
		for _, t := range tokens(renamed(p.text, n.target.stmt)) {
			if t.tok == token.IDENT && after != token.PERIOD && !slices.Contains(out, t.lit) &&
				(slices.Contains(n.target.declared, t.lit) || strings.HasPrefix(t.lit, value)) {
				out = append(out, t.lit)
			}
			after = t.tok
		}
	}
	return out
}

// quoted is an expression of a directive as Go text, with a line directive for its position. The
// word result stands for what the statement evaluates; _ as a value is the zero value.
func (r *rewriter) quoted(n *note, p piece) string {
	if p.text == "_" {
		return "nil"
	}
	at := r.off(n, p.off)
	return fmt.Sprintf("/*line :%d:%d*/%s", at.Line, at.Col, renamed(p.text, n.target.stmt))
}

// renamed replaces the words result, result1, result2 ... by the variables to which the rewritten
// statement assigns its results.
func renamed(text string, st ast.Stmt) string {
	switch st.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.ReturnStmt, *ast.ExprStmt:
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

// place puts ghost code behind the evaluation of a statement.
func (r *rewriter) place(t target, code string) error {
	if t.body != nil {
		r.insert(t.body.Lbrace+1, " "+code)
		return nil
	}
	switch st := t.stmt.(type) {
	case *ast.ExprStmt:
		if strings.Contains(code, value+"1") {
			r.insert(st.Pos(), "{ "+value+"1 := ")
			code += "}"
		}
		r.insert(st.End(), "; "+strings.TrimSuffix(code, "; "))
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeclStmt, *ast.GoStmt, *ast.DeferStmt:
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

// placeReturn assigns the results of a return statement to variables, executes the ghost code, and
// returns them.
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

// head is the part of a statement whose value it decides on, such as the condition of an if.
type head struct {
	stmt ast.Stmt
	init ast.Stmt
	on   ast.Expr
	body *ast.BlockStmt
}

// head moves the evaluation of a statement's head before the statement.
func (r *rewriter) head(h head, code, word string) {
	before := "{ "
	if h.init != nil {
		before += r.line(h.init.Pos()) + r.text(h.init) + "; "
	}
	r.replace(h.stmt.Pos(), h.on.Pos(), before+value+"1 := ")
	r.replace(h.on.End(), h.body.Lbrace, fmt.Sprintf("; %s%s %s1 ", code, word, value))
	r.insert(h.stmt.End(), " }")
}

// text is the source text of a node.
func (r *rewriter) text(n ast.Node) string {
	return string(r.file.Text[r.fset.Position(n.Pos()).Offset:r.fset.Position(n.End()).Offset])
}

// line is a line directive for the position of what follows.
func (r *rewriter) line(pos token.Pos) string {
	p := r.fset.Position(pos)
	return fmt.Sprintf("/*line :%d:%d*/", p.Line, p.Column)
}

func (r *rewriter) insert(pos token.Pos, text string) { r.replace(pos, pos, text) }

// replace records an edit. What follows it keeps its position.
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

// Declarations are the declarations that the ghost code of all files needs. They are appended to
// one file.
func (a *Annotated) Declarations() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nfunc %s(bool) {}\n\nvar %s func(rule int) bool\n", Bracket, Enabled)
	for i := range a.Rules {
		r := &a.Rules[i]
		if r.On == "" {
			fmt.Fprintf(&b, "\nvar %s func(%s)\n", r.Name(i), anys(r.Passed()))
			continue
		}
		fmt.Fprintf(&b, "\nvar %s func(func(int, %s))\n", r.Name(i), anys(r.Values))
		fmt.Fprintf(&b, "\nvar %s func(int, %s)\n", r.Fire(i), anys(r.Args+r.Results))
	}
	return b.String()
}

// anys are the types of n parameters.
func anys(n int) string { return strings.TrimSuffix(strings.Repeat("any, ", n), ", ") }
