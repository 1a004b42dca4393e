// SPDX-License-Identifier: BSD-3-Clause

// Package record reads recorded histories: the line format of doc/judge.md, Jepsen's EDN and text
// logs, and the event lists of Porcupine's test data, which are EDN.
//
// It takes bytes and gives a judge.History. What is malformed is refused, with file, line and
// reason. It does not judge.
package record

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"pangolin/internal/judge"
)

// Format is a way to write a history down.
type Format string

// The formats of files.
const (
	Auto   Format = "auto"   // chosen by the first line
	Lines  Format = "lines"  // doc/judge.md
	EDN    Format = "edn"    // Jepsen's history.edn, and Porcupine's event lists
	Jepsen Format = "jepsen" // Jepsen's text log
)

// Options are facts that a file may not contain.
type Options struct {
	Format Format
	Kind   judge.Kind // "": as the file says, or as the operations suggest
	// Initial is the value of a register, or of each key, before the first write, as JSON: 0, "x"
	// or null. "": as the file says.
	Initial string
}

// maxLine is the greatest length of a line, in bytes.
const maxLine = 64 << 20

// Read reads a history. name is the file's, for messages.
func Read(r io.Reader, name string, o Options) (*judge.History, error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<16), maxLine)
	b := &builder{
		h:       &judge.History{Kind: o.Kind, Values: judge.NewValues(), Source: name, Initial: judge.Nil},
		o:       o,
		clients: map[string]int32{},
		format:  o.Format,
	}
	for in.Scan() {
		b.line++
		line := bytes.TrimSpace(in.Bytes())
		if len(line) == 0 {
			continue
		}
		if b.format == "" || b.format == Auto {
			b.format = guess(line)
		}
		var err error
		switch b.format {
		case Lines:
			err = b.read(line)
		case EDN:
			err = b.readEDN(line)
		default:
			err = b.readLog(line)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, b.line, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, b.line+1, err)
	}
	return b.finish()
}

// guess is the format of a file by its first line.
func guess(line []byte) Format {
	switch {
	case line[0] == '{' && bytes.HasPrefix(bytes.TrimSpace(line[1:]), []byte(`"`)):
		return Lines
	case line[0] == '{', line[0] == '[' && bytes.HasPrefix(append(bytes.TrimSpace(line[1:]), '{'), []byte("{")): // or a vector of maps
		return EDN
	}
	return Jepsen
}

// builder builds a history from lines or events.
type builder struct {
	h       *judge.History
	o       Options
	format  Format
	line    int
	clients map[string]int32
	open    []int32         // by client: its call in progress; -1: none
	quoted  []bool          // by client: its name is a string, in the line format
	keyword map[string]bool // keys of EDN that begin with a colon: whether each is a keyword, and no string
	events  int32
	form    form
	times   [][2]int64 // by call: the times of its events, if the file has times
	began   bool       // the header was read
	object  object
	dropped int // number of calls that failed and had no effect
}

// form tells how a file orders its events. A file has one form throughout.
type form uint8

const (
	noForm    form = iota
	withTimes      // one line for each call, with the times of both events
	inOrder        // one line for each event, in order
)

// never is the time at which a call returns that does not return.
const never = int64(1)<<62 + 1

func (b *builder) client(name string) int32 {
	n, ok := b.clients[name]
	if !ok {
		n = int32(len(b.h.Clients))
		b.clients[name] = n
		b.h.Clients = append(b.h.Clients, name)
		b.open = append(b.open, -1)
	}
	return n
}

// call begins a call of a client.
func (b *builder) call(client int32, c judge.Call) error {
	if at := b.open[client]; at >= 0 {
		return fmt.Errorf("client %s calls before its call of line %d has returned; a client makes one call at a time (a crash ends it)", b.h.Clients[client], b.h.Calls[at].Line)
	}
	c.Begin, c.End, c.Client, c.Line = b.events, judge.Never, client, int32(b.line)
	b.events++
	b.open[client] = int32(len(b.h.Calls))
	b.h.Calls = append(b.h.Calls, c)
	return nil
}

// current is the call that a client has in progress.
func (b *builder) current(client int32) (*judge.Call, error) {
	if at := b.open[client]; at >= 0 {
		return &b.h.Calls[at], nil
	}
	return nil, fmt.Errorf("client %s has no call in progress that could return", b.h.Clients[client])
}

// returns ends the call that a client has in progress.
func (b *builder) returns(client int32) {
	b.h.Calls[b.open[client]].End = b.events
	b.events++
	b.open[client] = -1
}

// failed removes the call that a client has in progress, because it had no effect.
func (b *builder) failed(client int32) {
	b.h.Calls[b.open[client]].Line = 0
	b.dropped++
	b.open[client] = -1
}

// hasInitial reports whether a kind has one value before the first write.
func hasInitial(k judge.Kind) bool {
	return k == judge.Register || k == judge.Map || k == judge.Transactions
}

func (b *builder) finish() (*judge.History, error) {
	h := b.h
	if b.format == Jepsen && !b.began {
		return nil, fmt.Errorf("%s:1: the format is not known: want a line of JSON (doc/judge.md), a map of EDN, or a log with lines of jepsen.util", h.Source)
	}
	if b.format == Lines && !b.began || b.line == 0 {
		return nil, fmt.Errorf("%s:1: the file is empty; a history begins with a line such as {\"history\":1,\"kind\":\"register\"}", h.Source)
	}
	if b.dropped > 0 {
		h.Calls = slices.DeleteFunc(h.Calls, func(c judge.Call) bool { return c.Line == 0 })
	}
	if h.Kind == "" {
		h.Kind = judge.Register
	}
	if b.o.Initial != "" && !hasInitial(h.Kind) {
		return nil, fmt.Errorf("-initial: a %s has no initial value; that of a bank stands in its first line", h.Kind)
	}
	if b.o.Initial != "" {
		v, err := b.value([]byte(b.o.Initial))
		if err != nil {
			return nil, fmt.Errorf("-initial: %w", err)
		}
		h.Initial = v
	}
	if b.form == withTimes {
		return h, b.order()
	}
	return h, nil
}

// order gives the events of calls with times their positions. Of events with the same time
// invocations come first: calls that share a moment overlap.
func (b *builder) order() error {
	h := b.h
	type event struct {
		time int64
		call int32 // call*2, plus 1 for its return
	}
	events := make([]event, 0, 2*len(h.Calls))
	for i, t := range b.times {
		events = append(events, event{t[0], int32(i) * 2})
		if t[1] != never {
			events = append(events, event{t[1], int32(i)*2 + 1})
		}
	}
	byTime := func(x, y event) int {
		if x.time != y.time {
			return cmp.Compare(x.time, y.time)
		}
		if x.call&1 != y.call&1 {
			return cmp.Compare(x.call&1, y.call&1)
		}
		return cmp.Compare(x.call, y.call)
	}
	if !slices.IsSortedFunc(events, byTime) {
		slices.SortFunc(events, byTime)
	}
	h.Times = make([]int64, len(events))
	for at, e := range events {
		h.Times[at] = e.time
		if e.call&1 == 0 {
			h.Calls[e.call/2].Begin = int32(at)
		} else {
			h.Calls[e.call/2].End = int32(at)
		}
	}
	last := make([]int32, len(h.Clients)) // by client: its last call, plus one
	for _, e := range events {
		if e.call&1 == 1 {
			continue
		}
		i := e.call / 2
		c := &h.Calls[i]
		if l := last[c.Client]; l > 0 && b.times[l-1][1] != never && b.times[l-1][1] > b.times[i][0] {
			first, second := h.Calls[l-1].Line, c.Line
			return fmt.Errorf("%s:%d: client %s calls at %d, before its call of line %d returned at %d; a client makes one call at a time",
				h.Source, second, h.Clients[c.Client], b.times[i][0], first, b.times[l-1][1])
		}
		last[c.Client] = i + 1
	}
	slices.SortFunc(h.Calls, func(x, y judge.Call) int { return cmp.Compare(x.Begin, y.Begin) })
	return nil
}

// integer reads an integer that a history may hold.
func integer(text []byte) (judge.Value, error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n > judge.MaxInt || n < -judge.MaxInt {
		return 0, fmt.Errorf("%s is no integer between -2^61 and 2^61; write other values as strings", text)
	}
	return judge.Value(n), nil
}
