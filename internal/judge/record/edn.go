// SPDX-License-Identifier: BSD-3-Clause

package record

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"pangolin/internal/judge"
)

// Jepsen's histories: EDN with one map a line, and Jepsen's text log. In both, an event has a
// process, a type (:invoke, :ok, :fail or :info), an operation and a value.

// term is a value of EDN.
type term struct {
	sort byte // 'n' nil, 'i' integer, 's' string, 'k' keyword or symbol, 'v' vector, 'm' map or anything else that is skipped
	text string
	num  judge.Value
	list []term
}

// jepsenEvent is an event of either format.
type jepsenEvent struct {
	process, kind, op string
	value, key        term
	keyed             bool
	explained         bool // it has an :error
}

// readEDN reads a line such as {:process 0, :type :invoke, :f :read, :value nil}.
func (b *builder) readEDN(line []byte) error {
	p := &ednScanner{scanner{text: line}}
	// A history may be a vector of maps.
	for p.at < len(p.text) && (p.text[p.at] == '[' || p.text[p.at] == ' ') {
		p.at++
	}
	if rest := bytes.TrimSpace(p.text[p.at:]); len(rest) == 0 || string(rest) == "]" {
		return nil
	}
	t, err := p.term(0)
	if err != nil {
		return err
	}
	if t.sort != 'm' {
		return p.want("a map such as {:process 0, :type :invoke, :f :read, :value nil}")
	}
	p.space()
	if rest := string(p.text[p.at:]); rest != "" && rest != "]" {
		return p.want("the end of the line")
	}
	var e jepsenEvent
	seen := map[string]bool{}
	for i := 0; i+1 < len(t.list); i += 2 {
		k, v := t.list[i], t.list[i+1]
		if seen[k.text] {
			return fmt.Errorf("the key %s occurs twice", k.text)
		}
		seen[k.text] = true
		switch k.text {
		case ":process":
			e.process = v.text
		case ":type":
			e.kind = v.text
		case ":f":
			e.op = v.text
		case ":value":
			e.value = v
		case ":key":
			e.key, e.keyed = v, true
		case ":error":
			e.explained = v.sort != 'n'
		}
	}
	for _, need := range []string{":process", ":type", ":f"} {
		if !seen[need] {
			return fmt.Errorf("the event has no %s", need)
		}
	}
	return b.jepsen(e)
}

// mark precedes an event in a text log.
var mark = []byte("jepsen.util - ")

// readLog reads a line such as "INFO  jepsen.util - 0 :invoke :read nil". Other lines are ignored.
func (b *builder) readLog(line []byte) error {
	_, rest, found := bytes.Cut(line, mark)
	if !found {
		return nil
	}
	b.began = true
	p := &ednScanner{scanner{text: rest}}
	var t [4]term
	for i := range t {
		var err error
		if t[i], err = p.term(0); err != nil {
			return err
		}
		if i == 0 && t[0].text == ":nemesis" {
			return nil
		}
	}
	p.space()
	return b.jepsen(jepsenEvent{process: t[0].text, kind: t[1].text, op: t[2].text, value: t[3]})
}

// jepsen adds an event.
func (b *builder) jepsen(e jepsenEvent) error {
	if e.process == ":nemesis" {
		return nil // an event of the nemesis, which makes no calls
	}
	client := b.client(e.process)
	if b.h.Kind == "" && e.op == ":txn" {
		b.h.Kind = judge.Transactions
	}
	if b.h.Kind == judge.Transactions {
		return b.jepsenTransaction(e, client)
	}
	if e.kind == ":invoke" {
		c, err := b.invoke(e)
		if err != nil {
			return err
		}
		return b.call(client, c)
	}
	c, err := b.current(client)
	if err != nil {
		return err
	}
	op, ok := b.h.Kind.Find([]byte(strings.TrimPrefix(e.op, ":")))
	if !ok || op.Op != c.Op {
		return fmt.Errorf("process %s returns from %s; the call of line %d is another one", e.process, e.op, c.Line)
	}
	_, value, err := b.split(e)
	if err != nil {
		return err
	}
	switch e.kind {
	case ":info":
		b.open[client] = -1
		return nil
	case ":fail":
		if c.Op == judge.CAS && value.sort == 'v' && !e.explained {
			c.R, c.Unknown = 0, false
			b.returns(client)
		} else {
			b.failed(client)
		}
		return nil
	case ":ok":
		switch op.Result {
		case judge.BoolResult:
			if c.R, err = b.succeeded(c, value); err != nil {
				return err
			}
		case judge.NoResult:
		default:
			if c.R, err = b.termValue(value); err != nil {
				return err
			}
		}
		c.Unknown = false
		b.returns(client)
		return nil
	}
	return fmt.Errorf("type %s: want :invoke, :ok, :fail or :info", e.kind)
}

// succeeded is the result of a call that returns whether it has done something: true if it is :ok with the values of the call or nil, else what the value says.
func (b *builder) succeeded(c *judge.Call, value term) (judge.Value, error) {
	switch {
	case value.text == "true" && value.sort == 'k':
		return 1, nil
	case value.text == "false" && value.sort == 'k':
		return 0, nil
	case c.Op == judge.Contains:
		return 0, errors.New(":contains returns true or false: want it in place of the value")
	case c.Op == judge.CAS && value.sort == 'v', value.sort == 'n':
		return 1, nil
	}
	v, err := b.termKey(value)
	if err == nil && (b.h.Kind != judge.Set || v != c.Key) {
		err = fmt.Errorf("the value %s: want that of the call, nil, true or false", value.text)
	}
	return 1, err
}

// invoke makes the call of an event.
func (b *builder) invoke(e jepsenEvent) (c judge.Call, err error) {
	if len(e.op) < 2 || e.op[0] != ':' {
		return c, fmt.Errorf("the operation %q is no keyword", e.op)
	}
	if b.h.Kind == "" {
		b.h.Kind = judge.Register
		if e.keyed || e.op == ":get" || e.op == ":put" || e.value.sort == 'v' && e.op != ":cas" ||
			e.op == ":cas" && e.value.sort == 'v' && len(e.value.list) == 2 && e.value.list[1].sort == 'v' {
			b.h.Kind = judge.Map
		}
		if e.keyed {
			b.h.Initial = b.h.Values.String("")
		}
	}
	if b.h.Kind == judge.Bank || b.h.Kind == judge.Object {
		return c, fmt.Errorf("a history of kind %s is not read from EDN: write the lines of doc/judge.md", b.h.Kind)
	}
	op, ok := b.h.Kind.Find([]byte(strings.TrimPrefix(e.op, ":")))
	if !ok {
		return c, fmt.Errorf("a %s has no operation %s: want one of %s (-kind chooses another one)", b.h.Kind, e.op, b.h.Kind.Names())
	}
	c.Op = op.Op
	key, value, err := b.split(e)
	if err != nil {
		return c, err
	}
	args := []term{value}
	want := op.Args
	if op.Keyed {
		want--
		if b.h.Kind == judge.Set {
			key = value
		}
		if c.Key, err = b.termKey(key); err != nil {
			return c, err
		}
	}
	if want == 2 {
		if value.sort != 'v' || len(value.list) != 2 {
			return c, fmt.Errorf("%s: want a vector of two values", e.op)
		}
		args = value.list
	}
	for i, to := range []*judge.Value{&c.A, &c.B}[:want] {
		if *to, err = b.termValue(args[i]); err != nil {
			return c, err
		}
	}
	c.Unknown = op.Result != judge.NoResult
	return c, check(b.h.Kind, &c)
}

// split divides a value [key value] of Jepsen's independent keys, if the kind has keys and the key
// is not given separately.
func (b *builder) split(e jepsenEvent) (key, value term, err error) {
	if b.h.Kind != judge.Map || e.keyed {
		return e.key, e.value, nil
	}
	if e.kind != ":invoke" && e.value.sort != 'v' {
		return e.key, e.value, nil // another value, such as :timed-out
	}
	if e.value.sort != 'v' || len(e.value.list) != 2 {
		return key, value, errors.New("want a value such as [key value], or a :key apart")
	}
	return e.value.list[0], e.value.list[1], nil
}

func (b *builder) termValue(t term) (judge.Value, error) {
	switch t.sort {
	case 'n':
		return judge.Nil, nil
	case 'i':
		return t.num, nil
	case 's':
		return b.h.Values.String(t.text), nil
	}
	return 0, fmt.Errorf("the value %s: want an integer, a string or nil", t.text)
}

// termKey is the value of a key, which may be a keyword: its text, with the colon. A history that has a string of the same text as well is refused.
func (b *builder) termKey(t term) (judge.Value, error) {
	if len(t.text) < 2 || t.text[0] != ':' || t.sort != 'k' && t.sort != 's' {
		return b.termValue(t)
	}
	if b.keyword == nil {
		b.keyword = map[string]bool{}
	}
	was, known := b.keyword[t.text]
	if b.keyword[t.text] = t.sort == 'k'; known && was != (t.sort == 'k') {
		return 0, fmt.Errorf("the key %s is a keyword in one line, and a string in another", t.text)
	}
	return b.h.Values.String(t.text), nil
}

// ednScanner reads terms.
type ednScanner struct{ scanner }

func (p *ednScanner) space() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == ',' || p.text[p.at] == '\r') {
		p.at++
	}
}

// deepest is the greatest nesting of terms.
const deepest = 50

func (p *ednScanner) term(depth int) (term, error) {
	p.space()
	if p.at == len(p.text) || depth > deepest {
		return term{}, p.want("a value")
	}
	from := p.at
	switch ch := p.text[p.at]; ch {
	case '"':
		text, err := p.scalar()
		if err != nil {
			return term{}, err
		}
		s, err := strconv.Unquote(string(text))
		if err != nil || !utf8.ValidString(s) || !utf8.Valid(text) {
			p.at = from
			return term{}, p.want("a string of UTF-8")
		}
		return term{sort: 's', text: s}, nil
	case '{', '[', '(':
		return p.list(depth)
	case '#':
		p.at++
		if p.at < len(p.text) && p.text[p.at] == '{' {
			return p.list(depth)
		}
		if _, err := p.term(depth + 1); err != nil { // a tag, such as #jepsen.history.Op
			return term{}, err
		}
		return p.term(depth + 1)
	case '}', ']', ')':
		return term{}, p.want("a value")
	}
	for p.at < len(p.text) && !bytes.ContainsRune([]byte(" \t,\r{}[]()\""), rune(p.text[p.at])) {
		p.at++
	}
	text := p.text[from:p.at]
	switch {
	case string(text) == "nil":
		return term{sort: 'n', text: "nil"}, nil
	case text[0] == '-' || text[0] >= '0' && text[0] <= '9':
		if bytes.ContainsAny(text, ".eEMN/") {
			return term{sort: 'm', text: string(text)}, nil
		}
		n, err := integer(text)
		return term{sort: 'i', text: string(text), num: n}, err
	}
	return term{sort: 'k', text: string(text)}, nil
}

// list reads the terms between brackets.
func (p *ednScanner) list(depth int) (term, error) {
	open := p.text[p.at]
	t := term{sort: 'v', text: string(open) + "…"}
	end := map[byte]byte{'{': '}', '[': ']', '(': ')'}[open]
	if open == '{' {
		t.sort = 'm'
	}
	p.at++
	for {
		p.space()
		if p.at < len(p.text) && p.text[p.at] == end {
			p.at++
			break
		}
		one, err := p.term(depth + 1)
		if err != nil {
			return t, err
		}
		t.list = append(t.list, one)
	}
	if open == '{' && len(t.list)%2 == 1 {
		return t, p.want("a value for each key")
	}
	return t, nil
}
