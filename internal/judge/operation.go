// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"slices"
	"strings"
)

// The kinds, their operations and what these are called in files.

// Kind tells what calls do if they are executed one after another.
type Kind string

// The kinds.
const (
	Register Kind = "register"
	Map      Kind = "map"
	Set      Kind = "set"
	Queue    Kind = "queue"
	Stack    Kind = "stack"
	PQueue   Kind = "pqueue"
	Counter  Kind = "counter"
	// Bank is a list of accounts with integers, from which and to which amounts are transferred (sums.go).
	Bank Kind = "bank"
	// Object has operations of any name, with a specification in Go (object.go).
	Object Kind = "object"
	// Transactions are calls of several reads, writes and appends on keys (transaction.go).
	Transactions Kind = "transactions"
)

// Kinds lists the kinds.
func Kinds() []Kind {
	return []Kind{Register, Map, Set, Queue, Stack, PQueue, Counter, Bank, Transactions, Object}
}

// Op is an operation of a kind.
type Op uint8

// The operations; of a map those of a register, on one key.
const (
	Read   Op = iota // register, map, counter: the value
	Write            // register, map: A
	Delete           // map: Nil is written
	CAS              // register, map: B if the value is A; whether it was
	Swap             // register, map: A; the value before
	Append           // register, map: A behind the string that is there

	Add      // set: whether the key was absent
	Remove   // set: whether it was present
	Contains // set: whether it is present

	Put  // queue, stack, pqueue: A; B is the priority, smallest first
	Take // the item, or Nil if there is none
	Peek // the same, and the item stays

	Plus    // counter: adds A
	PlusGet // adds A; the sum

	Transfer // bank: B from account Key to account A

	Invoke // object: A is the list of the operation's name and the arguments, B is 1 if it changes nothing

	Txn // transactions: A is the list of steps, B is 1 if one of them writes
)

// ResultKind says what an operation returns.
type ResultKind uint8

// The results.
const (
	NoResult ResultKind = iota
	AnyResult
	BoolResult
	IntResult
	ListResult // of integers, as many as there are accounts
)

// Operation is an operation as files name it.
type Operation struct {
	Op     Op
	Names  []string // the first one is printed
	Args   int      // number of arguments, including the key
	Keyed  bool
	Result ResultKind
}

var cellOperations = []Operation{
	{Op: Read, Names: []string{"read", "get", "load"}, Result: AnyResult},
	{Op: Write, Names: []string{"write", "put", "store", "set"}, Args: 1},
	{Op: CAS, Names: []string{"cas", "compare-and-swap"}, Args: 2, Result: BoolResult},
	{Op: Swap, Names: []string{"swap"}, Args: 1, Result: AnyResult},
	{Op: Append, Names: []string{"append"}, Args: 1},
	{Op: Delete, Names: []string{"delete"}},
}

var containerOperations = []Operation{
	{Op: Put, Names: []string{"put", "enqueue", "push", "insert"}, Args: 1},
	{Op: Take, Names: []string{"take", "dequeue", "pop", "delete-min"}, Result: AnyResult},
	{Op: Peek, Names: []string{"peek"}, Result: AnyResult},
}

var operations = map[Kind][]Operation{
	Register: cellOperations,
	Map:      keyed(cellOperations),
	Set: {
		{Op: Add, Names: []string{"add"}, Args: 1, Keyed: true, Result: BoolResult},
		{Op: Remove, Names: []string{"remove"}, Args: 1, Keyed: true, Result: BoolResult},
		{Op: Contains, Names: []string{"contains"}, Args: 1, Keyed: true, Result: BoolResult},
	},
	Queue:  containerOperations,
	Stack:  containerOperations,
	PQueue: prioritised(containerOperations),
	Counter: {
		{Op: Read, Names: []string{"read", "get", "load"}, Result: IntResult},
		{Op: Plus, Names: []string{"add"}, Args: 1},
		{Op: PlusGet, Names: []string{"add-and-get"}, Args: 1, Result: IntResult},
	},
	Bank: {
		{Op: Read, Names: []string{"read"}, Result: ListResult},
		{Op: Transfer, Names: []string{"transfer"}, Args: 3, Keyed: true},
	},
	Object:       {{Op: Invoke, Names: []string{"call"}, Result: AnyResult}},
	Transactions: {{Op: Txn, Names: []string{"txn"}}},
}

func keyed(ops []Operation) []Operation {
	ops = slices.Clone(ops)
	for i := range ops {
		ops[i].Keyed = true
		ops[i].Args++
		if ops[i].Op <= Write {
			ops[i].Names = []string{ops[i].Names[1], ops[i].Names[0], ops[i].Names[2]} // maps prefer get and put
		}
	}
	return ops
}

func prioritised(ops []Operation) []Operation {
	ops = slices.Clone(ops)
	ops[0].Args = 2
	return ops
}

// Find returns the operation with a name.
func (k Kind) Find(name []byte) (Operation, bool) {
	for _, o := range operations[k] {
		for _, n := range o.Names {
			if n == string(name) {
				return o, true
			}
		}
	}
	return Operation{}, false
}

// Operation returns the operation with a number.
func (k Kind) Operation(op Op) (Operation, bool) {
	for _, o := range operations[k] {
		if o.Op == op {
			return o, true
		}
	}
	return Operation{}, false
}

// Names lists the names of a kind's operations, for messages.
func (k Kind) Names() string {
	var names []string
	for _, o := range operations[k] {
		names = append(names, o.Names[0])
	}
	return strings.Join(names, ", ")
}

// Text is the call as it is printed, such as `write(3)` and `take() = nil`.
func (h *History) Text(c *Call) string {
	var b strings.Builder
	switch c.Op {
	case Txn:
		return h.transactionText(c)
	case Invoke:
		return h.objectText(c)
	}
	if o, ok := h.Kind.Operation(c.Op); ok {
		b.WriteString(o.Names[0])
		b.WriteByte('(')
		args := []Value{c.A, c.B}[:min(2, o.Args-int(truth(o.Keyed)))]
		if o.Keyed {
			args = append([]Value{c.Key}, args...)
		}
		for i, a := range args {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(h.Values.Format(a))
		}
		b.WriteByte(')')
		switch {
		case c.Unknown && c.Pending():
			b.WriteString(" …")
		case c.Unknown && o.Result != NoResult:
			b.WriteString(" = ?")
		case o.Result == BoolResult:
			b.WriteString([]string{" = false", " = true"}[c.R])
		case o.Result != NoResult:
			b.WriteString(" = " + h.Values.Format(c.R))
		}
	}
	return b.String()
}

func (h *History) objectText(c *Call) string {
	items := h.Values.Items(c.A)
	var args []string
	for _, a := range items[1:] {
		args = append(args, h.Values.Format(a))
	}
	text := h.Values.Text(items[0]) + "(" + strings.Join(args, ", ") + ")"
	switch {
	case c.Unknown && c.Pending():
		return text + " …"
	case c.Unknown:
		return text + " = ?"
	case c.R == Nil:
		return text
	}
	return text + " = " + h.Values.Format(c.R)
}

// pure reports whether the call leaves the state unchanged in every state in which it can return
// its result.
func (c *Call) pure() bool {
	switch c.Op {
	case Read, Contains, Peek:
		return true
	case CAS, Add, Remove:
		return !c.Unknown && c.R == 0
	case Take:
		return !c.Unknown && c.R == Nil
	case Plus:
		return c.A == 0
	case Txn:
		return c.B == 0
	case Invoke:
		return c.B == 1
	case Transfer:
		return c.B == 0 || c.Key == c.A
	}
	return false
}

// idle reports whether the call constrains nothing: it can take effect at any time without changing
// the state, or need not take effect.
func (c *Call) idle() bool { return c.pure() && (c.Unknown || c.Pending()) }

// blind reports whether the call can take effect in every state and always leads to the same state.
func (c *Call) blind() bool {
	return c.Op == Write || c.Op == Delete || c.Op == Swap && c.Unknown
}
