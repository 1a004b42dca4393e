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

// directive is a directive's text, taken apart. Texts keep where they begin in it.
type directive struct {
	when    piece // Go expression; empty: always
	op      string
	own     bool // no arguments: those of the call
	args    []piece
	results []piece
}

// piece is a part of a directive: its text and where it begins.
type piece struct {
	text string
	off  int
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

// clauses are the words that begin the parts of a directive, in their order.
var clauses = []string{"when", "emit"}

// parseDirective reads what stands behind the prefix.
func parseDirective(text string) (*directive, error) {
	parts, err := split(text)
	if err != nil {
		return nil, err
	}
	d := &directive{when: parts["when"]}
	if d.when.text != "" {
		if err := isExpr(d.when); err != nil {
			return nil, err
		}
	}
	emit, ok := parts["emit"]
	if !ok {
		return nil, wrongAt(len(text), "emit OP(ARGS) = RESULTS is missing")
	}
	return d, d.emits(emit)
}

// split finds the clauses: words outside of brackets.
func split(text string) (map[string]piece, error) {
	out := map[string]piece{}
	last, depth, known := "", 0, -1
	begin := func(word string, off int) {
		if last != "" {
			out[last] = trimmed(text[out[last].off:off], out[last].off)
		}
		last = word
		out[word] = piece{off: off + len(word)}
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
				return nil, wrongAt(t.off, "a point begins with %s, not with %s", strings.Join(clauses, " or "), t.lit)
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
	for word, p := range out {
		if p.text == "" {
			return nil, wrongAt(p.off, "nothing stands behind %s", word)
		}
	}
	return out, nil
}

func trimmed(s string, off int) piece {
	left := strings.TrimLeft(s, " \t")
	return piece{strings.TrimRight(left, " \t"), off + len(s) - len(left)}
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

// within moves the error of a parser to where the piece stands.
func within(p piece, err error) error {
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return wrongAt(p.off+min(list[0].Pos.Offset, len(p.text)), "%s", list[0].Msg)
	}
	return err
}

// emits reads OP(ARGS) = RESULTS.
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
	d.results = list(right)
	return allExprs(d.results)
}

// operation reads OP or OP(ARGS).
func (d *directive) operation(p piece) error {
	e, err := parser.ParseExpr(p.text)
	if err != nil {
		return within(p, err)
	}
	if id, ok := e.(*ast.Ident); ok {
		d.op, d.own = id.Name, true
		return nil
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return wrongAt(p.off, "%s is no operation: write OP, or OP(ARGS)", p.text)
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok {
		return wrongAt(p.off, "the operation is named by its method alone, without a receiver")
	}
	d.op = id.Name
	open := int(call.Lparen - call.Pos())
	inside := p.text[open+1 : int(call.Rparen-call.Pos())]
	if strings.TrimSpace(inside) != "" {
		d.args = list(piece{inside, p.off + open + 1})
	}
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

// list cuts at commas outside of brackets.
func list(p piece) []piece {
	var out []piece
	from := 0
	for _, off := range outside(p.text, token.COMMA) {
		out = append(out, trimmed(p.text[from:off], p.off+from))
		from = off + 1
	}
	return append(out, trimmed(p.text[from:], p.off+from))
}

// outside is where a token stands outside of brackets.
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
