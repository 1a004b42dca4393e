// SPDX-License-Identifier: BSD-3-Clause

package record

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/judge"
)

// Transactions: a member "txn" with a list of steps, such as [["get","x",1],["put","y",2],["append","z",3],["get","z",[3]]]; in EDN
// the value of :f :txn, such as [[:r 1 nil] [:w 2 3] [:append 4 5]].

// transaction reads a transaction. open says that it did not return: then its reads need no values.
func (b *builder) transaction(c *judge.Call, o *object, open bool) error {
	if o.op != nil || o.isArgs || o.result != nil {
		return errors.New(`a transaction has no op, args or result: write "txn":[["get","x",1],["put","y",2]]`)
	}
	unknown, err := isTrue(o.unknown)
	if err != nil {
		return err
	}
	c.Unknown = unknown || open
	steps, err := b.steps(o.steps, c.Unknown)
	if err != nil {
		return err
	}
	c.SetSteps(b.h.Values, steps)
	return nil
}

// completed reads the steps once more, with what was read.
func (b *builder) completed(c *judge.Call, o *object) error {
	unknown, err := isTrue(o.unknown)
	switch {
	case err != nil:
		return err
	case o.result != nil:
		return errors.New(`a transaction has no result: write "txn" once more, with what was read`)
	case unknown && o.steps != nil:
		return errors.New("the result is given, and said to be unknown")
	case unknown:
		return nil
	}
	steps, err := b.steps(o.steps, false)
	if err != nil {
		return err
	}
	return b.complete(c, steps)
}

// complete gives a transaction the steps with which it returned: they differ from those with which it began in what was read.
func (b *builder) complete(c *judge.Call, steps []judge.Step) error {
	same := func(x, y judge.Step) bool {
		return x.Op == y.Op && x.Key == y.Key && (x.Value == y.Value || x.Op == judge.Read)
	}
	if !slices.EqualFunc(b.h.Steps(c), steps, same) {
		return fmt.Errorf("the steps are not those of line %d", c.Line)
	}
	c.SetSteps(b.h.Values, steps)
	c.Unknown = false
	return nil
}

// isTrue reads a truth value; it is false if there is none.
func isTrue(text []byte) (bool, error) {
	switch string(text) {
	case "true":
		return true, nil
	case "", "false":
		return false, nil
	}
	return false, fmt.Errorf("unknown is %s: want true or false", text)
}

// steps reads a list of steps. Their reads need no values if the result is unknown.
func (b *builder) steps(text []byte, unknown bool) ([]judge.Step, error) {
	if text == nil {
		return nil, errors.New(`the transaction is missing: write "txn":[["get","x",1],["put","y",2]]`)
	}
	p := &scanner{text: text}
	var all []judge.Step
	if !p.take('[') {
		return nil, errors.New(`txn: want a list of steps, such as [["get","x",1],["put","y",2]]`)
	}
	for first := true; !p.take(']'); first = false {
		if !first && !p.take(',') {
			return nil, fmt.Errorf("step %d: want a comma or ] behind it", len(all))
		}
		step, err := b.step(p, unknown)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", len(all)+1, err)
		}
		all = append(all, step)
	}
	return all, nil
}

func (b *builder) step(p *scanner, unknown bool) (s judge.Step, err error) {
	if !p.take('[') {
		return s, errors.New(`want a list such as ["get","x",1]`)
	}
	var parts []judge.Value
	op := ""
	for n := 0; !p.take(']'); n++ {
		if n > 0 && !p.take(',') {
			return s, errors.New("want a comma or ] in it")
		}
		if n == 0 {
			text, err := p.scalar()
			if err != nil {
				return s, err
			}
			op = name(text)
			continue
		}
		v, err := b.listed(p)
		if err != nil {
			return s, err
		}
		parts = append(parts, v)
	}
	return b.made(op, parts, unknown)
}

// listed reads a scalar, or a list of scalars.
func (b *builder) listed(p *scanner) (judge.Value, error) {
	if !p.take('[') {
		text, err := p.scalar()
		if err != nil {
			return 0, err
		}
		return b.value(text)
	}
	var items []judge.Value
	for first := true; !p.take(']'); first = false {
		if !first && !p.take(',') {
			return 0, errors.New("want a comma or ] in a list")
		}
		text, err := p.scalar()
		if err != nil {
			return 0, err
		}
		v, err := b.value(text)
		if err != nil {
			return 0, err
		}
		items = append(items, v)
	}
	return b.h.Values.List(items), nil
}

// made is a step with a name, a key and a value.
func (b *builder) made(op string, parts []judge.Value, unknown bool) (s judge.Step, err error) {
	switch op {
	case "get", "read", "r":
		s.Op = judge.Read
	case "put", "write", "w":
		s.Op = judge.Write
	case "append":
		s.Op = judge.Append
	default:
		return s, fmt.Errorf("%q: want get, put or append", op)
	}
	switch {
	case len(parts) == 1 && s.Op == judge.Read && unknown:
		parts = append(parts, judge.Nil)
	case len(parts) == 1 && s.Op == judge.Read:
		return s, errors.New("the value that was read is missing; null is that of a key that was never written")
	case len(parts) != 2:
		return s, fmt.Errorf("%s has a key and a value", op)
	}
	s.Key, s.Value = parts[0], parts[1]
	switch {
	case s.Key.IsList():
		return s, errors.New("a key is an integer, a string or null")
	case s.Op == judge.Append && (s.Value.IsList() || s.Value == judge.Nil):
		return s, errors.New("an integer or a string is appended")
	case s.Op == judge.Write && s.Value.IsList():
		return s, errors.New("an integer, a string or null is written")
	}
	return s, nil
}

// termSteps are the steps of a transaction in EDN.
func (b *builder) termSteps(t term, unknown bool) (all []judge.Step, err error) {
	if t.sort != 'v' {
		return nil, fmt.Errorf("the value %s: want a vector of steps such as [[:r 1 nil] [:append 2 3]]", t.text)
	}
	for _, one := range t.list {
		if one.sort != 'v' || len(one.list) != 3 || len(one.list[0].text) < 2 || one.list[0].text[0] != ':' {
			return nil, fmt.Errorf("step %d: want a vector such as [:r 1 nil]", len(all)+1)
		}
		parts := make([]judge.Value, 2)
		if one.list[1].sort != 'v' {
			parts[0], err = b.termKey(one.list[1])
		} else {
			parts[0], err = b.termListed(one.list[1]) // which is said to be no key
		}
		if err == nil {
			parts[1], err = b.termListed(one.list[2])
		}
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", len(all)+1, err)
		}
		s, err := b.made(one.list[0].text[1:], parts, unknown)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", len(all)+1, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// termListed is the value of a scalar, or of a vector of scalars.
func (b *builder) termListed(t term) (judge.Value, error) {
	if t.sort != 'v' {
		return b.termValue(t)
	}
	var items []judge.Value
	for _, one := range t.list {
		v, err := b.termValue(one)
		if err != nil {
			return 0, err
		}
		items = append(items, v)
	}
	return b.h.Values.List(items), nil
}

// jepsenTransaction adds an event of a transaction.
func (b *builder) jepsenTransaction(e jepsenEvent, client int32) error {
	if e.op != ":txn" {
		return fmt.Errorf("operation %s: want :txn", e.op)
	}
	if e.kind == ":invoke" {
		steps, err := b.termSteps(e.value, true)
		if err != nil {
			return err
		}
		c := judge.Call{Unknown: true}
		c.SetSteps(b.h.Values, steps)
		return b.call(client, c)
	}
	c, err := b.current(client)
	if err != nil {
		return err
	}
	switch e.kind {
	case ":info":
		b.open[client] = -1
		return nil
	case ":fail":
		b.failed(client)
		return nil
	case ":ok":
		steps, err := b.termSteps(e.value, false)
		if err != nil {
			return err
		}
		if err := b.complete(c, steps); err != nil {
			return err
		}
		b.returns(client)
		return nil
	}
	return fmt.Errorf("type %s: want :invoke, :ok, :fail or :info", e.kind)
}
