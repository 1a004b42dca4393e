// SPDX-License-Identifier: BSD-3-Clause

package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pangolin/internal/ir"
)

// directive is a percent sign's flags, width and precision.
type directive struct {
	plus, minus, sharp, space, zero bool
	plusV, sharpV                   bool // %+v, %#v
	hasWidth, hasPrec               bool
	width, prec                     int
}

// inGo gives the flags their meaning before the verb v.
func (d *directive) inGo() {
	d.sharpV, d.sharp = d.sharp, false
	d.plusV, d.plus = d.plus, false
}

// text is the directive with a verb, for the real fmt.
func (d *directive) text(verb rune) string {
	var b strings.Builder
	b.WriteByte('%')
	for _, flag := range []struct {
		set bool
		c   byte
	}{{d.plus, '+'}, {d.minus, '-'}, {d.sharp || d.sharpV && verb == 'v', '#'}, {d.space, ' '}, {d.zero, '0'}} {
		if flag.set {
			b.WriteByte(flag.c)
		}
	}
	if d.hasWidth {
		b.WriteString(strconv.Itoa(d.width))
	}
	if d.hasPrec {
		b.WriteString("." + strconv.Itoa(d.prec))
	}
	b.WriteRune(verb)
	return b.String()
}

// host gives a value to the real fmt. But for Go syntax, v stands for another verb.
func (f *formatter) host(verb, plain rune, x any) {
	if verb == 'v' && !f.dir.sharpV {
		verb = plain
	}
	f.out = fmt.Appendf(f.out, f.dir.text(verb), x)
}

func (f *formatter) string(s string, verb rune) {
	if verb == 'w' {
		verb = 'v'
	}
	f.host(verb, 's', s)
}

// nilText prints <nil> with the width asked for.
func (f *formatter) nilText() {
	d := f.dir
	f.dir.hasPrec, f.dir.sharpV = false, false
	f.host('s', 's', "<nil>")
	f.dir = d
}

// leafVerbs are the verbs for which the values of a class have a form.
func leafVerbs(num ir.Num, class ir.Class) string {
	switch {
	case class == ir.Bool:
		return "tv"
	case num == ir.Str:
		return "vsxXq"
	case num == ir.F32 || num == ir.F64 || num == ir.C64 || num == ir.C128:
		return "vbgGxXfFeE"
	}
	return "vdboOxXcqU"
}

// leaf prints a bool, number or string.
func (f *formatter) leaf(d datum, verb rune) {
	num := ir.NumOf(d.t)
	if !strings.ContainsRune(leafVerbs(num, d.t.Class), verb) {
		f.badVerb(d, verb)
		return
	}
	w := d.w[0]
	switch num {
	case ir.Word:
		f.host(verb, 't', w != 0)
	case ir.Str:
		f.string(f.m.Text(w), verb)
	case ir.F32:
		f.host(verb, 'g', math.Float32frombits(uint32(w)))
	case ir.F64:
		f.host(verb, 'g', math.Float64frombits(w))
	case ir.C64:
		f.host(verb, 'g', complex(math.Float32frombits(uint32(w)), math.Float32frombits(uint32(d.w[1]))))
	case ir.C128:
		f.host(verb, 'g', complex(math.Float64frombits(w), math.Float64frombits(d.w[1])))
	default:
		f.integer(num.Signed(), w, verb)
	}
}

func (f *formatter) integer(signed bool, w uint64, verb rune) {
	if signed {
		f.host(verb, 'd', int64(w))
		return
	}
	f.host(verb, 'd', w)
}

// hex prints an address, with 0x in front or not.
func (f *formatter) hex(x uint64, prefix bool) {
	sharp := f.dir.sharp
	f.dir.sharp = prefix
	f.host('x', 'x', x)
	f.dir.sharp = sharp
}

// address prints a reference.
func (f *formatter) address(d datum, verb rune) {
	if d.t.Size == 0 || !IsReference(d.t.Class) {
		f.badVerb(d, verb)
		return
	}
	u := Address(f.m, d.t, d.w[0])
	switch verb {
	case 'p':
		f.hex(u, !f.dir.sharp)
	case 'b', 'o', 'd', 'x', 'X':
		f.integer(false, u, verb)
	case 'v':
		f.goAddress(d, u)
	default:
		f.badVerb(d, verb)
	}
}

func (f *formatter) goAddress(d datum, u uint64) {
	switch {
	case f.dir.sharpV && u == 0:
		f.write("(" + d.t.Name + ")(nil)")
	case f.dir.sharpV:
		f.write("(" + d.t.Name + ")(")
		f.hex(u, true)
		f.write(")")
	case u == 0:
		f.nilText()
	default:
		f.hex(u, !f.dir.sharp)
	}
}
