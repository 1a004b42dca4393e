// SPDX-License-Identifier: BSD-3-Clause

package format

import (
	"unicode/utf8"

	"pangolin/internal/ir"
)

// parser goes through a format string. It accepts and reports what package fmt
// does, explicit argument indices and all.
type parser struct {
	f         *formatter
	format    string
	args      []datum
	i         int      // where the parser stands in format
	next      int      // the argument to be used next
	indexed   bool     // the last thing was an index
	good      bool     // no index of this directive was bad
	reordered bool     // there was an index anywhere
	wrapped   []uint64 // arguments of the verb w
}

func (p *parser) run() {
	for p.i < len(p.format) {
		if c := p.format[p.i]; c != '%' {
			p.f.out = append(p.f.out, c)
			p.i++
			continue
		}
		p.i++
		p.directive()
	}
	p.extra()
}

// directive executes what follows a percent sign.
func (p *parser) directive() {
	p.f.dir = directive{}
	p.good = true
	p.flags()
	p.index()
	p.width()
	p.precision()
	if !p.indexed {
		p.index()
	}
	p.indexed = false
	if p.i >= len(p.format) {
		p.f.write("%!(NOVERB)")
		return
	}
	verb, n := utf8.DecodeRuneInString(p.format[p.i:])
	p.i += n
	p.verb(verb)
}

func (p *parser) verb(verb rune) {
	switch {
	case verb == '%':
		p.f.write("%")
	case !p.good:
		p.f.write("%!" + string(verb) + "(BADINDEX)")
	case p.next >= len(p.args):
		p.f.write("%!" + string(verb) + "(MISSING)")
	default:
		if verb == 'v' || verb == 'w' {
			p.f.dir.inGo()
		}
		if verb == 'w' {
			p.wrapped = append(p.wrapped, uint64(p.next))
		}
		p.f.arg(p.args[p.next], verb)
		p.next++
	}
}

func (p *parser) flags() {
	d := &p.f.dir
	for ; p.i < len(p.format); p.i++ {
		switch p.format[p.i] {
		case '#':
			d.sharp = true
		case '0':
			d.zero = true
		case '+':
			d.plus = true
		case '-':
			d.minus = true
		case ' ':
			d.space = true
		default:
			return
		}
	}
}

func (p *parser) star() bool { return p.i < len(p.format) && p.format[p.i] == '*' }

func (p *parser) width() {
	d := &p.f.dir
	if !p.star() {
		d.width, d.hasWidth = p.number()
		p.good = p.good && !(p.indexed && d.hasWidth)
		return
	}
	p.i++
	if d.width, d.hasWidth = p.numberArg(); !d.hasWidth {
		p.f.write("%!(BADWIDTH)")
	}
	if d.width < 0 {
		d.width, d.minus, d.zero = -d.width, true, false
	}
	p.indexed = false
}

func (p *parser) precision() {
	d := &p.f.dir
	if p.i+1 > len(p.format)-1 || p.format[p.i] != '.' {
		return
	}
	p.i++
	p.good = p.good && !p.indexed
	p.index()
	if !p.star() {
		d.prec, _ = p.number()
		d.hasPrec = true
		return
	}
	p.i++
	if d.prec, d.hasPrec = p.numberArg(); d.prec < 0 {
		d.prec, d.hasPrec = 0, false
	}
	if !d.hasPrec {
		p.f.write("%!(BADPREC)")
	}
	p.indexed = false
}

// maxNumber bounds widths and precisions.
const maxNumber = 1_000_000

// number parses digits. One that is far too large takes the rest of the format
// with it.
func (p *parser) number() (n int, ok bool) {
	n, ok, p.i = digits(p.format, p.i)
	return n, ok
}

func digits(s string, i int) (n int, ok bool, end int) {
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		if n > maxNumber {
			return 0, false, len(s)
		}
		n, ok = n*10+int(s[i]-'0'), true
	}
	return n, ok, i
}

// numberArg takes a width or precision from the arguments.
func (p *parser) numberArg() (n int, ok bool) {
	if p.next >= len(p.args) {
		return 0, false
	}
	a := p.args[p.next]
	p.next++
	if a.t == nil {
		return 0, false
	}
	num := ir.NumOf(a.t)
	if num < ir.I8 || num > ir.U64 || !num.Signed() && int64(a.w[0]) < 0 {
		return 0, false
	}
	if n = int(int64(a.w[0])); n > maxNumber || n < -maxNumber {
		return 0, false
	}
	return n, true
}

// index parses an explicit argument index, [n].
func (p *parser) index() {
	p.indexed = false
	if p.i >= len(p.format) || p.format[p.i] != '[' {
		return
	}
	p.reordered = true
	n, length, ok := bracketed(p.format[p.i:])
	p.i += length
	p.indexed = ok
	if ok && n >= 0 && n < len(p.args) {
		p.next = n
		return
	}
	p.good = false
}

// bracketed parses "[n]" and returns n-1 and the length of what was parsed.
func bracketed(s string) (n, length int, ok bool) {
	for i := 1; i < len(s) && len(s) >= 3; i++ {
		if s[i] != ']' {
			continue
		}
		n, ok, end := digits(s[:i], 1)
		if !ok || end != i {
			return 0, i + 1, false
		}
		return n - 1, i + 1, true
	}
	return 0, 1, false
}

// extra reports arguments that no directive used.
func (p *parser) extra() {
	if p.reordered || p.next >= len(p.args) {
		return
	}
	p.f.dir = directive{}
	p.f.write("%!(EXTRA ")
	for i, a := range p.args[p.next:] {
		if i > 0 {
			p.f.write(", ")
		}
		if a.t == nil {
			p.f.write("<nil>")
			continue
		}
		p.f.write(a.t.Name + "=")
		p.f.arg(a, 'v')
	}
	p.f.write(")")
}
