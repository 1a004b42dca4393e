// SPDX-License-Identifier: BSD-3-Clause

package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"pangolin/internal/judge"
)

// The line format: one JSON object a line, whose members are scalars or lists of scalars. It is
// read by hand, since encoding/json takes ten times as long and accepts a member twice.

// object is a line divided into its members, as slices of the line.
type object struct {
	history, kind, initial, client, op, result, unknown, call, ret, event []byte

	steps []byte // of a transaction

	args   [][]byte
	isArgs bool
}

func (b *builder) read(line []byte) error {
	o := &b.object
	if err := o.parse(line); err != nil {
		return err
	}
	if !b.began {
		b.began = true
		return b.header(o)
	}
	switch {
	case o.history != nil || o.kind != nil || o.initial != nil:
		return errors.New("history, kind and initial belong into the first line, and only there")
	case o.client == nil:
		return errors.New("the line names no client")
	}
	client, err := b.named(o.client)
	if err != nil {
		return err
	}
	form := inOrder
	if o.call != nil || o.ret != nil {
		form = withTimes
	}
	if b.form == noForm {
		b.form = form
	}
	switch {
	case form == withTimes && o.event != nil:
		return errors.New("the line has times and an event; a history has one or the other")
	case form != b.form:
		return errors.New("the first call has times or it has not; all others are written likewise")
	case form == withTimes:
		return b.timed(client, o)
	}
	return b.event(client, o)
}

// named is the client of a name, which is a string or an integer. A history that has the one and the other of it does not say whether they are one client.
func (b *builder) named(text []byte) (int32, error) {
	quoted := text[0] == '"'
	var s string
	if quoted {
		var err error
		if s, err = unquoted(text); err != nil {
			return 0, err
		}
	} else if n, err := integer(text); err == nil {
		s = strconv.FormatInt(int64(n), 10)
	} else {
		return 0, errors.New("a client is a string or an integer")
	}
	n := b.client(s)
	if int(n) == len(b.quoted) {
		b.quoted = append(b.quoted, quoted)
	}
	if b.quoted[n] != quoted {
		return 0, fmt.Errorf("client %s is an integer in one line, and a string in another: is it one client?", s)
	}
	return n, nil
}

// name is a word: a string without its quotes. What is none is given as it is, which no word is.
func name(text []byte) string {
	if s, err := unquoted(text); err == nil {
		return s
	}
	return string(text)
}

// unquoted is a string without its quotes. Bytes and escapes that are no character are refused: encoding/json makes one character of all of them, and
// strings that differ would be one.
func unquoted(text []byte) (string, error) {
	if len(text) < 2 || text[0] != '"' {
		return "", fmt.Errorf("%s is no string", text)
	}
	if isPlain(text) {
		return string(text[1 : len(text)-1]), nil
	}
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return "", fmt.Errorf("%s is no string", text)
	}
	const replaced = string(utf8.RuneError)
	if !utf8.Valid(text) || strings.Count(s, replaced) > strings.Count(string(text), replaced) {
		return "", fmt.Errorf("the string %q holds what is no character of UTF-8", text)
	}
	return s, nil
}

// isPlain says that a string in quotes is ASCII without escapes.
func isPlain(text []byte) bool {
	for _, ch := range text[1 : len(text)-1] {
		if ch == '\\' || ch >= 0x80 || ch < ' ' {
			return false
		}
	}
	return true
}

func (b *builder) header(o *object) error {
	switch {
	case string(o.history) != "1":
		return errors.New(`want a first line such as {"history":1,"kind":"register"}; 1 is the version of the format`)
	case o.client != nil || o.op != nil || o.event != nil || o.call != nil || o.ret != nil || o.isArgs || o.result != nil || o.unknown != nil || o.steps != nil:
		return errors.New("the first line has history, kind and initial, and no call")
	}
	if o.kind != nil && b.h.Kind == "" {
		b.h.Kind = judge.Kind(name(o.kind))
	}
	known := false
	for _, k := range judge.Kinds() {
		known = known || k == b.h.Kind
	}
	if !known {
		return fmt.Errorf("kind %q: want one of %s", b.h.Kind, strings.Trim(fmt.Sprint(judge.Kinds()), "[]"))
	}
	if o.initial != nil {
		if b.h.Kind == judge.Bank {
			return b.accounts(o.initial)
		}
		if !hasInitial(b.h.Kind) {
			return fmt.Errorf("a %s has no initial value", b.h.Kind)
		}
		v, err := b.value(o.initial)
		if err != nil {
			return fmt.Errorf("initial: %w", err)
		}
		b.h.Initial = v
	} else if b.h.Kind == judge.Bank {
		return errors.New(`a bank begins with its accounts: write "initial":[100,100]`)
	}
	return nil
}

// accounts reads what a bank begins with.
func (b *builder) accounts(text []byte) error {
	v, err := b.listed(&scanner{text: text})
	if err != nil {
		return fmt.Errorf("initial: %w", err)
	}
	b.h.Initial = v
	if err := b.sums(v); err != nil {
		return fmt.Errorf("initial: %w", err)
	}
	return nil
}

// sums returns an error for what are not the amounts of all accounts.
func (b *builder) sums(v judge.Value) error {
	list := b.h.Values.Items(v)
	if want := len(b.h.Values.Items(b.h.Initial)); len(list) == 0 || len(list) != want {
		return fmt.Errorf("want a list of the amounts in all %d accounts", want)
	}
	for _, amount := range list {
		if !amount.IsInteger() {
			return errors.New("an amount is an integer")
		}
	}
	return nil
}

// timed reads a call with the times of its events.
func (b *builder) timed(client int32, o *object) error {
	if o.call == nil {
		return errors.New("the time of the call is missing")
	}
	begin, err := integer(o.call)
	if err != nil {
		return fmt.Errorf("call: %w", err)
	}
	t := [2]int64{int64(begin), never}
	if o.ret != nil && string(o.ret) != "null" {
		end, err := integer(o.ret)
		if err != nil {
			return fmt.Errorf("return: %w", err)
		}
		if end < begin {
			return fmt.Errorf("the call returns at %d, before it begins at %d", end, begin)
		}
		t[1] = int64(end)
	}
	c := judge.Call{Client: client, Line: int32(b.line), End: judge.Never}
	if b.h.Kind == judge.Transactions {
		err = b.transaction(&c, o, t[1] == never)
	} else {
		var op judge.Operation
		if op, err = b.operation(&c, o); err == nil {
			err = b.result(&c, op, o, t[1] == never)
		}
	}
	if err != nil {
		return err
	}
	b.h.Calls = append(b.h.Calls, c)
	b.times = append(b.times, t)
	return nil
}

// event reads an event.
func (b *builder) event(client int32, o *object) error {
	kind := ""
	if o.event != nil {
		kind = name(o.event)
	}
	switch kind {
	case "call":
		var c judge.Call
		if b.h.Kind == judge.Transactions {
			if err := b.transaction(&c, o, true); err != nil {
				return err
			}
			return b.call(client, c)
		}
		op, err := b.operation(&c, o)
		if err != nil {
			return err
		}
		if o.result != nil || o.unknown != nil {
			return errors.New("a call has no result yet; write it into the line of its return")
		}
		c.Unknown = op.Result != judge.NoResult
		return b.call(client, c)
	case "return", "crash":
		c, err := b.current(client)
		if err != nil {
			return err
		}
		if o.op != nil || o.isArgs {
			return fmt.Errorf("op and args belong into the line of the call, which is %d", c.Line)
		}
		if kind == "crash" {
			if o.result != nil || o.unknown != nil || o.steps != nil {
				return errors.New("a crash has no result")
			}
			b.open[client] = -1
			return nil
		}
		if b.h.Kind == judge.Transactions {
			err = b.completed(c, o)
		} else {
			err = b.result(c, b.found(c), o, false)
		}
		if err != nil {
			return err
		}
		b.returns(client)
		return nil
	case "":
		return errors.New("the line has neither times (call, return) nor an event (call, return or crash)")
	}
	return fmt.Errorf("event %q: want call, return or crash", kind)
}

// found is the operation of a call whose line has been read.
func (b *builder) found(c *judge.Call) judge.Operation {
	op, _ := b.h.Kind.Operation(c.Op)
	return op
}

// operation reads the members op and args.
func (b *builder) operation(c *judge.Call, o *object) (judge.Operation, error) {
	if o.op == nil {
		return judge.Operation{}, errors.New("the call names no op")
	}
	if o.steps != nil {
		return judge.Operation{}, fmt.Errorf("txn is for the kind transactions; this is a %s", b.h.Kind)
	}
	if b.h.Kind == judge.Object {
		return b.invocation(c, o)
	}
	var op judge.Operation
	ok := o.op[0] == '"'
	if ok {
		op, ok = b.h.Kind.Find(o.op[1 : len(o.op)-1])
	}
	if !ok {
		return op, fmt.Errorf("a %s has no operation %s: want one of %s", b.h.Kind, o.op, b.h.Kind.Names())
	}
	if len(o.args) != op.Args {
		return op, fmt.Errorf("%s has %s: want %d", op.Names[0], arguments(len(o.args)), op.Args)
	}
	c.Op = op.Op
	to := []*judge.Value{&c.A, &c.B}
	if op.Keyed {
		to = []*judge.Value{&c.Key, &c.A, &c.B}
	}
	for i, text := range o.args {
		v, err := b.value(text)
		if err != nil {
			return op, fmt.Errorf("argument %d: %w", i+1, err)
		}
		*to[i] = v
	}
	if b.h.Kind == judge.Bank {
		last := judge.Value(len(b.h.Values.Items(b.h.Initial)) - 1)
		if op.Op == judge.Transfer && (c.Key < 0 || c.Key > last || c.A < 0 || c.A > last || !c.B.IsInteger()) {
			return op, fmt.Errorf("transfer takes two accounts, from 0 to %d, and an amount", last)
		}
	}
	return op, check(b.h.Kind, c)
}

// arguments is a number of them in words.
func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// invocation reads a call of an object.
func (b *builder) invocation(c *judge.Call, o *object) (op judge.Operation, err error) {
	op, _ = b.h.Kind.Operation(judge.Invoke)
	if o.op[0] != '"' || len(o.op) < 3 {
		return op, fmt.Errorf("the op %s is no name", o.op)
	}
	name, err := b.value(o.op)
	if err != nil {
		return op, err
	}
	var args []judge.Value
	for i, text := range o.args {
		v, err := b.listed(&scanner{text: text})
		if err != nil {
			return op, fmt.Errorf("argument %d: %w", i+1, err)
		}
		args = append(args, v)
	}
	c.SetCall(b.h.Values, name, args)
	return op, nil
}

// check returns an error for arguments that the kind does not accept.
func check(kind judge.Kind, c *judge.Call) error {
	switch {
	case kind == judge.Counter && !c.A.IsInteger():
		return errors.New("a counter adds integers")
	case kind == judge.PQueue && c.Op == judge.Put && !c.B.IsInteger():
		return errors.New("a priority is an integer")
	case c.Op == judge.Put && c.A == judge.Nil:
		return errors.New("an item may not be null, which is what take returns if there is none")
	case c.Op == judge.Append && !c.A.IsString():
		return errors.New("append takes a string")
	}
	return nil
}

// result reads the members result and unknown.
func (b *builder) result(c *judge.Call, op judge.Operation, o *object, pending bool) error {
	unknown, err := isTrue(o.unknown)
	if err != nil {
		return err
	}
	switch {
	case op.Result == judge.NoResult:
		if o.result != nil && string(o.result) != "null" {
			return fmt.Errorf("%s returns nothing", op.Names[0])
		}
		c.Unknown = false
		return nil
	case unknown && o.result != nil:
		return errors.New("the result is given, and said to be unknown")
	case unknown || pending && o.result == nil:
		c.Unknown = true
		return nil
	case b.h.Kind == judge.Object && o.result == nil:
		c.R, c.Unknown = judge.Nil, pending
		return nil
	case pending:
		return errors.New("the call has a result and does not return: the time of its return is missing")
	case o.result == nil:
		return fmt.Errorf(`%s has no result; write "result", or "unknown":true`, op.Names[0])
	}
	c.Unknown = false
	text := string(o.result)
	switch op.Result {
	case judge.BoolResult:
		switch text {
		case "true":
			c.R = 1
		case "false":
			c.R = 0
		default:
			return fmt.Errorf("%s returns true or false, not %s", op.Names[0], text)
		}
		return nil
	case judge.IntResult:
		v, err := integer(o.result)
		if err != nil {
			return fmt.Errorf("result: %w", err)
		}
		c.R = v
		return nil
	}
	read := b.value
	if b.h.Kind == judge.Object {
		read = func(text []byte) (judge.Value, error) { return b.listed(&scanner{text: text}) }
	}
	if op.Result == judge.ListResult {
		read = func(text []byte) (judge.Value, error) {
			v, err := b.listed(&scanner{text: text})
			if err == nil {
				err = b.sums(v)
			}
			return v, err
		}
	}
	v, err := read(o.result)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	c.R = v
	return nil
}

// value reads a scalar.
func (b *builder) value(text []byte) (judge.Value, error) {
	switch {
	case text[0] == '[':
		return 0, fmt.Errorf("%s: want an integer, a string or null", text)
	case text[0] == '"':
		if len(text) > 1 && isPlain(text) {
			return b.h.Values.Bytes(text[1 : len(text)-1]), nil
		}
		s, err := unquoted(text)
		return b.h.Values.String(s), err
	case string(text) == "null":
		return judge.Nil, nil
	case b.h.Kind == judge.Object && string(text) == "true":
		return judge.True, nil
	case b.h.Kind == judge.Object && string(text) == "false":
		return judge.False, nil
	case string(text) == "true", string(text) == "false":
		return 0, fmt.Errorf("%s: want an integer, a string or null", text)
	}
	return integer(text)
}

// parse sets o to the members of a line.
func (o *object) parse(line []byte) error {
	*o = object{args: o.args[:0]}
	p := &scanner{text: line}
	if !p.take('{') {
		return errors.New("want an object of JSON in each line")
	}
	for first := true; !p.take('}'); first = false {
		if !first && !p.take(',') {
			return p.want("a comma or }")
		}
		key, err := p.scalar()
		if err != nil || key[0] != '"' {
			return p.want("a member's name")
		}
		if !p.take(':') {
			return p.want("a colon")
		}
		to := o.member(string(key[1 : len(key)-1]))
		switch {
		case string(key) == `"args"`:
			if o.isArgs {
				return errors.New("the member args occurs twice")
			}
			o.isArgs = true
			if err := p.list(&o.args); err != nil {
				return err
			}
			continue
		case to == nil:
			return fmt.Errorf("there is no member %s: want client, op, args, result, unknown, txn, and either call and return or event", key)
		case *to != nil:
			return fmt.Errorf("the member %s occurs twice", key)
		}
		if p.skip(); p.at < len(p.text) && p.text[p.at] == '[' {
			*to, err = p.nested()
		} else {
			*to, err = p.scalar()
		}
		if err != nil {
			return err
		}
	}
	if p.skip(); p.at < len(p.text) {
		return p.want("the end of the line")
	}
	return nil
}

func (o *object) member(name string) *[]byte {
	switch name {
	case "client":
		return &o.client
	case "op":
		return &o.op
	case "result":
		return &o.result
	case "call":
		return &o.call
	case "return":
		return &o.ret
	case "event":
		return &o.event
	case "unknown":
		return &o.unknown
	case "history":
		return &o.history
	case "kind":
		return &o.kind
	case "initial":
		return &o.initial
	case "txn":
		return &o.steps
	}
	return nil
}

// scanner reads a line from left to right.
type scanner struct {
	text []byte
	at   int
}

func (p *scanner) want(what string) error {
	return fmt.Errorf("column %d: want %s", p.at+1, what)
}

func (p *scanner) skip() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

// take skips a character if it comes next, and reports whether it did.
func (p *scanner) take(ch byte) bool {
	p.skip()
	if p.at < len(p.text) && p.text[p.at] == ch {
		p.at++
		return true
	}
	return false
}

// nested reads a list with all that is in it, to be read later.
func (p *scanner) nested() ([]byte, error) {
	from := p.at
	for depth := 0; ; {
		switch {
		case p.take('['):
			if depth++; depth > deepest {
				return nil, p.want("fewer lists in each other")
			}
			continue
		case p.take(']'):
			depth--
		case p.take(','):
			continue
		default:
			if _, err := p.scalar(); err != nil {
				return nil, err
			}
		}
		if depth == 0 {
			return p.text[from:p.at], nil
		}
	}
}

// scalar reads a string with its quotes, a number, or one of null, true and false.
func (p *scanner) scalar() ([]byte, error) {
	p.skip()
	from := p.at
	if p.at < len(p.text) && p.text[p.at] == '"' {
		for p.at++; p.at < len(p.text); p.at++ {
			switch p.text[p.at] {
			case '\\':
				p.at++
			case '"':
				p.at++
				return p.text[from:p.at], nil
			}
		}
		p.at = from
		return nil, p.want("a string that ends")
	}
	for p.at < len(p.text) && (p.text[p.at] == '-' || p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] >= 'a' && p.text[p.at] <= 'z') {
		p.at++
	}
	if p.at == from {
		return nil, p.want("an integer, a string, or null")
	}
	if p.at < len(p.text) && p.text[p.at] == '.' {
		return nil, p.want("an integer: numbers have no fraction (write it as a string)")
	}
	return p.text[from:p.at], nil
}

func (p *scanner) list(to *[][]byte) error {
	if !p.take('[') {
		return p.want("a list")
	}
	for first := true; !p.take(']'); first = false {
		if !first && !p.take(',') {
			return p.want("a comma or ]")
		}
		read := p.scalar
		if p.skip(); p.at < len(p.text) && p.text[p.at] == '[' {
			read = p.nested
		}
		v, err := read()
		if err != nil {
			return err
		}
		*to = append(*to, v)
	}
	return nil
}
