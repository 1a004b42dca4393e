// SPDX-License-Identifier: BSD-3-Clause

package policy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// directive is a parsed directive. Its pieces know their offsets in the text, for messages.
type directive struct {
	every   piece   // operation whose outcomes are all announced; the other fields are empty then
	on      message // the message that it receives; without a name: none
	before  bool    // takes effect before the sender's operation
	from    []piece // states of the call in which it counts; none: in all
	when    piece   // Go expression; empty: always
	as      piece   // a name for the call from now on; empty: unchanged
	emit    piece
	op      string // the operation that takes effect; empty: none
	own     bool   // the operation has the call's own arguments
	args    []piece
	results []piece
	given   bool  // no results are given: any that the specification allows
	may     bool  // the operation takes effect here or later
	owner   piece // whose call takes effect; empty: the thread's own
	send    message
	to      piece // the state from now on; empty: unchanged
}

// message is a broadcast that a directive sends or receives: a name with values.
type message struct {
	name   string
	off    int
	values []piece
}

// piece is a part of a directive's text, with its offset.
type piece struct {
	text string
	off  int
	word int // offset of the keyword before it, if it is a clause
}

// wrong is an error at an offset of a directive.
type wrong struct {
	off int
	msg string
}

func (w *wrong) Error() string { return w.msg }

func wrongAt(off int, format string, args ...any) error {
	return &wrong{off, fmt.Sprintf(format, args...)}
}

// clauses are the keywords in the order in which they must occur; bare are those without anything
// behind them.
var (
	clauses = []string{"every", "on", "before", "after", "from", "when", "as", "may", "emit", "for", "broadcast", "goto"}
	bare    = []string{"before", "after", "may"}
)

// parseDirective parses the text of a directive behind its prefix.
func parseDirective(text string) (*directive, error) {
	parts, err := split(text)
	if err != nil {
		return nil, err
	}
	if p, ok := parts["every"]; ok {
		return &directive{every: p}, alone(p, parts)
	}
	d := &directive{when: parts["when"], as: parts["as"], owner: parts["for"], emit: parts["emit"], to: parts["goto"]}
	_, d.before = parts["before"]
	_, d.may = parts["may"]
	// Expressions are checked first: an unfinished one swallows the clauses behind it, which would
	// be reported as missing.
	for _, p := range []piece{d.when, d.as, d.owner} {
		if p.text == "" {
			continue
		}
		if err := isExpr(p); err != nil {
			return nil, err
		}
	}
	if err := fits(parts, len(text)); err != nil {
		return nil, err
	}
	if d.on, err = readMessage(parts["on"]); err != nil {
		return nil, err
	}
	if d.send, err = readMessage(parts["broadcast"]); err != nil {
		return nil, err
	}
	if err := d.states(parts); err != nil {
		return nil, err
	}
	if d.emit.text == "" {
		return d, nil
	}
	return d, d.emits(d.emit)
}

// alone returns an error if a directive "every OP" has other clauses, or OP is no name.
func alone(p piece, parts map[string]piece) error {
	switch {
	case len(parts) > 1:
		return wrongAt(p.word, "every OP stands alone: it says that all outcomes of an operation are announced, by other directives")
	case !token.IsIdentifier(p.text):
		return wrongAt(p.off, "%s is no operation: write every OP", p.text)
	}
	return nil
}

// fits returns an error if the clauses do not go together.
func fits(parts map[string]piece, end int) error {
	has := func(word string) bool { _, ok := parts[word]; return ok }
	first := func(words ...string) (string, bool) {
		for _, w := range words {
			if has(w) {
				return w, true
			}
		}
		return "", false
	}
	if has("may") && !has("emit") {
		return wrongAt(parts["may"].word, "may says that an operation is announced or not, and none is")
	}
	if !has("on") {
		if w, ok := first("before", "after"); ok {
			return wrongAt(parts[w].word, "%s says when what is received takes effect, and nothing is: on MESSAGE(VALUES) is missing", w)
		}
		if _, ok := first("emit", "as", "broadcast", "goto"); !ok {
			return wrongAt(end, "emit OP(ARGS) = RESULTS is missing")
		}
		if has("for") && !has("emit") {
			return wrongAt(parts["for"].word, "for says whose operation is announced, and none is")
		}
		return nil
	}
	if w, ok := first("as", "for", "broadcast"); ok {
		return wrongAt(parts[w].word, "%s cannot be part of a rule that receives", w)
	}
	switch {
	case has("before") == has("after"):
		return wrongAt(parts["on"].word, "say once whether what is announced takes effect before or after what the sender announces")
	case !has("emit"):
		return wrongAt(end, "emit OP(ARGS) = RESULTS is missing")
	}
	return nil
}

// states reads the states in which a directive counts, and the one that follows.
func (d *directive) states(parts map[string]piece) error {
	if p, ok := parts["from"]; ok {
		d.from = list(p)
	}
	for _, p := range append(slices.Clip(d.from), d.to) {
		if p.text != "" && !token.IsIdentifier(p.text) {
			return wrongAt(p.off, "%s is no name of a state", p.text)
		}
	}
	return nil
}

// readMessage reads NAME or NAME(VALUES).
func readMessage(p piece) (message, error) {
	if p.text == "" {
		return message{}, nil
	}
	name, values, err := called(p)
	switch {
	case err != nil:
		return message{}, err
	case name == "":
		return message{}, wrongAt(p.off, "%s is no message: write NAME, or NAME(VALUES)", p.text)
	}
	return message{name, p.off, values}, allExprs(values)
}

// called parses NAME(VALUES). values is nil for NAME alone; name is empty if the text has neither form.
func called(p piece) (name string, values []piece, err error) {
	e, err := parser.ParseExpr(p.text)
	if err != nil {
		return "", nil, within(p, err)
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name, nil, nil
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return "", nil, nil
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok {
		return "", nil, wrongAt(p.off, "the operation is named by its method alone, without a receiver")
	}
	open := int(call.Lparen - call.Pos())
	inside := p.text[open+1 : int(call.Rparen-call.Pos())]
	values = []piece{}
	if strings.TrimSpace(inside) != "" {
		values = list(piece{text: inside, off: p.off + open + 1})
	}
	return id.Name, values, nil
}

// split finds the clauses of a directive. Keywords in brackets are not clauses.
func split(text string) (map[string]piece, error) {
	out := map[string]piece{}
	last, depth, known := "", 0, -1
	begin := func(word string, off int) {
		if last != "" {
			before := out[last]
			p := trimmed(text[before.off:off], before.off)
			p.word = before.word
			out[last] = p
		}
		last = word
		out[word] = piece{off: off + len(word), word: off}
	}
	for _, t := range tokens(text) {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		at := slices.Index(clauses, t.lit)
		switch {
		case depth != 0 || at < 0:
			if last == "" {
				return nil, wrongAt(t.off, "a point begins with one of %s, not with %s", strings.Join(clauses, ", "), t.lit)
			}
		case at <= known:
			return nil, wrongAt(t.off, "%s stands too late: the order is %s", t.lit, strings.Join(clauses, ", "))
		default:
			begin(t.lit, t.off)
			known = at
		}
	}
	begin("", len(text))
	delete(out, "")
	for _, word := range clauses {
		p, ok := out[word]
		if !ok {
			continue
		}
		switch empty := slices.Contains(bare, word); {
		case p.text == "" && !empty:
			return nil, wrongAt(p.off, "nothing stands behind %s", word)
		case p.text != "" && empty:
			return nil, wrongAt(p.off, "%s stands alone, without %s", word, p.text)
		}
	}
	return out, nil
}

func trimmed(s string, off int) piece {
	left := strings.TrimLeft(s, " \t")
	return piece{text: strings.TrimRight(left, " \t"), off: off + len(s) - len(left)}
}

// lexeme is a token of a directive.
type lexeme struct {
	tok token.Token
	lit string
	off int
}

func tokens(text string) []lexeme {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	var out []lexeme
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		if lit == "" {
			lit = tok.String()
		}
		out = append(out, lexeme{tok, lit, file.Offset(pos)})
	}
}

// isExpr says whether a piece is a Go expression.
func isExpr(p piece) error {
	_, err := parser.ParseExpr(p.text)
	return within(p, err)
}

// within adds the offset of a piece to the positions in a parser's error.
func within(p piece, err error) error {
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return wrongAt(p.off+min(list[0].Pos.Offset, len(p.text)), "%s", endOfText.Replace(list[0].Msg))
	}
	return err
}

// endOfText rewords the parser's messages about the end of an expression.
var endOfText = strings.NewReplacer("expected 'EOF', found ", "unexpected ", "found 'EOF'", "found the end of the expression")

// emits parses OP(ARGS) = RESULTS.
func (d *directive) emits(p piece) error {
	left, right, at := p, piece{}, outside(p.text, token.ASSIGN)
	if len(at) > 0 {
		left = trimmed(p.text[:at[0]], p.off)
		right = trimmed(p.text[at[0]+1:], p.off+at[0]+1)
	}
	if err := d.operation(left); err != nil {
		return err
	}
	if len(at) == 0 {
		return nil
	}
	if right.text == "" {
		return wrongAt(right.off, "results are missing behind =")
	}
	if right.text == "?" {
		d.given = true
		return nil
	}
	d.results = list(right)
	return allExprs(d.results)
}

// operation parses OP or OP(ARGS).
func (d *directive) operation(p piece) error {
	name, values, err := called(p)
	switch {
	case err != nil:
		return err
	case name == "":
		return wrongAt(p.off, "%s is no operation: write OP, or OP(ARGS)", p.text)
	}
	d.op, d.own, d.args = name, values == nil, values
	return allExprs(d.args)
}

func allExprs(list []piece) error {
	for _, p := range list {
		if err := isExpr(p); err != nil {
			return err
		}
	}
	return nil
}

// list splits a piece at commas outside of brackets.
func list(p piece) []piece {
	var out []piece
	from := 0
	for _, off := range outside(p.text, token.COMMA) {
		out = append(out, trimmed(p.text[from:off], p.off+from))
		from = off + 1
	}
	return append(out, trimmed(p.text[from:], p.off+from))
}

// outside is the offset and length of the first such token outside of brackets; nil if there is
// none.
func outside(text string, tok token.Token) []int {
	var at []int
	depth := 0
	for _, t := range tokens(text) {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case tok:
			if depth == 0 {
				at = append(at, t.off)
			}
		}
	}
	return at
}
