// SPDX-License-Identifier: BSD-3-Clause

// Package aut reads and writes labelled transition systems in the Aldebaran format (.aut), as
// mCRL2 and CADP have it, plain or compressed by gzip:
//
//	des (0,2,3)
//	(0,"push(1)",1)
//	(1,"tau",2)
//
// The first line names the initial state, the number of transitions and the number of
// states. A label may stand in quotes, and then contain anything but a line's end, quotes
// included: the last ones before the target end it. What the file says of its size must be true.
// The package does not change systems, and knows no other format.
package aut

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strconv"

	"pangolin/internal/lts"
)

// Dialect is how a tool writes the format.
type Dialect int

// The dialects.
const (
	// MCRL2 writes no blanks, all labels in quotes, and "tau" for internal steps.
	MCRL2 Dialect = iota
	// CADP writes a blank behind each comma, and i, without quotes, for internal steps.
	CADP
)

// Options say how to read.
type Options struct {
	// Internal are the labels of internal steps; none: tau, as in mCRL2, and i, as in CADP.
	Internal []string
}

// Error is a fault in a file.
type Error struct {
	Line, Column int // from 1; the column counts bytes
	Problem      string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Problem) }

// maxLabel bounds the length of a label, which is a line's end that is missing otherwise.
const maxLabel = 1 << 20

// Read reads a system. It says where a file is malformed, with an Error, and refuses one that
// uses states or has transitions that its first line does not count.
func Read(r io.Reader, opt Options) (*lts.System, error) {
	in := bufio.NewReaderSize(r, 1<<20)
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("not compressed by gzip, although it begins so: %w", err)
		}
		in = bufio.NewReaderSize(z, 1<<20)
	}
	p := &parser{in: in, line: 1, column: 0, internal: map[string]bool{"tau": true, "i": true}}
	if len(opt.Internal) > 0 {
		p.internal = map[string]bool{}
		for _, name := range opt.Internal {
			p.internal[name] = true
		}
	}
	return p.system()
}

// parser reads a file byte by byte.
type parser struct {
	in           *bufio.Reader
	line, column int // of the byte that was read last
	at           byte
	end          bool
	failed       error
	text         []byte
	internal     map[string]bool
	known        map[string]lts.Label
}

// system reads the whole file: `des (0, 3, 2)`, and one transition a line.
func (p *parser) system() (*lts.System, error) {
	p.next()
	initial, transitions, states, err := p.header()
	if err != nil {
		return nil, err
	}
	b := lts.NewBuilder(min(transitions, 1<<20))
	p.known = map[string]lts.Label{}
	b.SetStates(states)
	b.SetInitial(lts.State(initial))
	for count := 0; ; count++ {
		p.blank(true)
		if p.end && p.failed == nil && count != transitions {
			return nil, p.fault("the file ends after %d transitions, and its first line says %d", count, transitions)
		}
		if p.end {
			return b.Build(), p.failed
		}
		if count == transitions {
			return nil, p.fault("the first line says %d transitions, and there are more", transitions)
		}
		if err := p.transition(b, states); err != nil {
			return nil, err
		}
	}
}

// header reads "des (initial, transitions, states)".
func (p *parser) header() (initial, transitions, states int, err error) {
	p.blank(true)
	for _, c := range []byte("des") {
		if err := p.expect(c, `"des (initial, transitions, states)"`); err != nil {
			return 0, 0, 0, err
		}
	}
	numbers := [3]int{}
	limits := [3]int{lts.MaxStates - 1, lts.MaxEdges, lts.MaxStates}
	what := [3]string{"initial state", "number of transitions", "number of states"}
	for i, before := range []byte("(,,") {
		p.blank(false)
		if err := p.expect(before, "the "+what[i]+" behind "+strconv.QuoteRune(rune(before))); err != nil {
			return 0, 0, 0, err
		}
		p.blank(false)
		if numbers[i], err = p.number(what[i], limits[i]); err != nil {
			return 0, 0, 0, err
		}
	}
	p.blank(false)
	if err := p.expect(')', "')' at the end of the first line"); err != nil {
		return 0, 0, 0, err
	}
	if err := p.lineEnd(); err != nil {
		return 0, 0, 0, err
	}
	if numbers[2] == 0 || numbers[0] >= numbers[2] {
		return 0, 0, 0, p.fault("the initial state is %d, but there are only %d states, numbered from 0", numbers[0], numbers[2])
	}
	return numbers[0], numbers[1], numbers[2], nil
}

// transition reads "(from, label, to)".
func (p *parser) transition(b *lts.Builder, states int) error {
	if err := p.expect('(', "a transition (from, label, to)"); err != nil {
		return err
	}
	from, err := p.state(states)
	if err != nil {
		return err
	}
	p.blank(false)
	if err := p.expect(',', "',' behind the state that the transition leaves"); err != nil {
		return err
	}
	p.blank(false)
	// The rest of the line is read first: a label may contain commas and quotes.
	line, column := p.line, p.column
	p.text = p.text[:0]
	for !p.end && p.at != '\n' {
		if len(p.text) == maxLabel {
			return &Error{line, column, "a label of more than a million bytes"}
		}
		p.text = append(p.text, p.at)
		p.next()
	}
	if p.failed != nil {
		return p.failed
	}
	label, to, err := p.tail(line, column, states)
	if err != nil {
		return err
	}
	b.Add(lts.State(from), p.label(b, label), lts.State(to))
	return nil
}

// tail takes `label, to)` apart, from its end.
func (p *parser) tail(line, column, states int) (label []byte, to int, err error) {
	fault := func(at int, format string, args ...any) error {
		return &Error{line, column + at, fmt.Sprintf(format, args...)}
	}
	t := trimRight(p.text)
	if len(t) == 0 || t[len(t)-1] != ')' {
		return nil, 0, fault(len(t), "want ')' at the end of a transition")
	}
	t = trimRight(t[:len(t)-1])
	digits := len(t)
	for digits > 0 && t[digits-1] >= '0' && t[digits-1] <= '9' {
		digits--
	}
	if digits == len(t) {
		return nil, 0, fault(len(t), "want the number of the state that the transition leads to")
	}
	to, e := strconv.Atoi(string(t[digits:]))
	if e != nil || to >= states {
		return nil, 0, fault(digits, "state %s, but the first line says %d states, numbered from 0", t[digits:], states)
	}
	t = trimRight(t[:digits])
	if len(t) == 0 || t[len(t)-1] != ',' {
		return nil, 0, fault(len(t), "want ',' before the state that the transition leads to")
	}
	t = trimRight(t[:len(t)-1])
	switch {
	case len(t) == 0:
		return nil, 0, fault(0, "a transition without a label")
	case t[0] != '"':
		return t, to, nil
	case len(t) == 1 || t[len(t)-1] != '"':
		return nil, 0, fault(len(t), "a label that begins with a quote must end with one")
	}
	return t[1 : len(t)-1], to, nil
}

// label is the label of a text, which is the internal action if the text is one of those that stand for it.
func (p *parser) label(b *lts.Builder, text []byte) lts.Label {
	if l, ok := p.known[string(text)]; ok {
		return l
	}
	l := lts.Label(lts.Tau)
	if !p.internal[string(text)] {
		l = b.Visible(string(text))
	}
	p.known[string(text)] = l
	return l
}

// trimRight cuts blanks off the end of a line.
func trimRight(t []byte) []byte {
	for len(t) > 0 && (t[len(t)-1] == ' ' || t[len(t)-1] == '\t' || t[len(t)-1] == '\r') {
		t = t[:len(t)-1]
	}
	return t
}

// state reads the number of a state, which is less than states.
func (p *parser) state(states int) (int, error) {
	p.blank(false)
	line, column := p.line, p.column
	n, err := p.number("state", lts.MaxStates-1)
	if err == nil && n >= states {
		err = &Error{line, column, fmt.Sprintf("state %d, but the first line says %d states, numbered from 0", n, states)}
	}
	return n, err
}

// number reads a decimal number up to most; what names it in the error: "state".
func (p *parser) number(what string, most int) (int, error) {
	if p.end || p.at < '0' || p.at > '9' {
		return 0, p.wanted("the " + what)
	}
	line, column := p.line, p.column
	n := 0
	for !p.end && p.at >= '0' && p.at <= '9' {
		n = n*10 + int(p.at-'0')
		if n > most {
			return 0, &Error{line, column, fmt.Sprintf("the %s is too large: at most %d is possible", what, most)}
		}
		p.next()
	}
	return n, nil
}

// lineEnd reads blanks up to the end of the line, and reports anything else.
func (p *parser) lineEnd() error {
	p.blank(false)
	if !p.end && p.at != '\n' {
		return p.wanted("the end of the line")
	}
	return p.failed
}

// expect reads the byte c; what names it in the error.
func (p *parser) expect(c byte, what string) error {
	if p.end || p.at != c {
		return p.wanted(what)
	}
	p.next()
	return nil
}

// blank reads blanks, and the ends of lines too if lines is true.
func (p *parser) blank(lines bool) {
	for !p.end && (p.at == ' ' || p.at == '\t' || p.at == '\r' || lines && p.at == '\n') {
		p.next()
	}
}

// next makes the next byte of the file the present one, and counts lines and columns.
func (p *parser) next() {
	if p.at == '\n' {
		p.line++
		p.column = 0
	}
	c, err := p.in.ReadByte()
	p.column++
	p.at = c
	if err != nil {
		p.end, p.at = true, 0
		if !errors.Is(err, io.EOF) {
			p.failed = fmt.Errorf("%d:%d: %w", p.line, p.column, err)
		}
	}
}

// wanted is the error that something is expected where another byte stands, or the file ends.
func (p *parser) wanted(what string) error {
	switch {
	case p.failed != nil:
		return p.failed
	case p.end:
		return p.fault("want %s, and the file ends", what)
	}
	return p.fault("want %s, not %q", what, p.at)
}

// fault is an error at the present byte.
func (p *parser) fault(format string, args ...any) error {
	return &Error{p.line, p.column, fmt.Sprintf(format, args...)}
}

// Write writes a system.
func Write(w io.Writer, s *lts.System, d Dialect) error {
	out := bufio.NewWriterSize(w, 1<<20)
	comma, internal := ",", `"tau"`
	if d == CADP {
		comma, internal = ", ", "i"
	}
	labels := make([]string, len(s.Labels()))
	for i, l := range s.Labels() {
		labels[i] = comma + `"` + l + `"` + comma
	}
	labels[lts.Tau] = comma + internal + comma
	fmt.Fprintf(out, "des (%d%s%d%s%d)\n", s.Initial(), comma, s.Transitions(), comma, s.States())
	var line []byte
	for i := range s.States() {
		for _, e := range s.Edges(lts.State(i)) {
			line = strconv.AppendInt(append(line[:0], '('), int64(i), 10)
			line = append(line, labels[e.Label]...)
			line = append(strconv.AppendInt(line, int64(e.To), 10), ')', '\n')
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
