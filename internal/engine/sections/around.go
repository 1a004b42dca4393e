// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// What is around the operations: initialisers, which are not followed, and the harness, with variables and types of its own.

// around is what is known of that.
type around struct {
	keeps map[string]bool // canonical types that the harness declares, and no other code accesses
	vars  map[int]bool    // package variables of the harness, which no other code mentions
	locks bool            // formatting a value may find a lock
	// unfollowed is what formatting a value may call that is not followed, in words; "": nothing.
	unfollowed string
}

func newAround(p *ir.Program, c classes) around {
	a := around{keeps: map[string]bool{}, vars: map[int]bool{}}
	for _, t := range p.Types {
		if t != nil && isOfHarness(t.Name) {
			a.keeps[c.of(t)] = true
		}
	}
	for _, t := range p.Types {
		if t != nil && !isOfHarness(t.Name) {
			delete(a.keeps, c.of(t))
		}
	}
	for i, g := range p.Globals {
		a.vars[i] = isOfHarness(g.Name)
	}
	for _, f := range p.Funcs {
		if f.Harness {
			continue
		}
		for pc := range f.Code {
			in := &f.Code[pc]
			a.mentions(in.T, c)
			p.Operands(in, func(r ir.Reg, n int, _ ir.Role) {
				for w := range n {
					if g := p.GlobalAt(r.Word(w)); r < 0 && r != ir.NoReg && g >= 0 {
						delete(a.vars, g)
					}
				}
			})
		}
	}
	a.locks = slices.ContainsFunc(p.Types, func(t *ir.Type) bool {
		return t != nil && t.Dynamic && (formatsLock(t, 0) || t.Class == ir.PointerClass && formatsLock(t.Elem, 0))
	})
	a.unfollowed = unfollowed(p)
	return a
}

// unfollowed says what formatting may call of a program that the machine does not call either, so that no call of it is among the instructions: a method Format(fmt.State, rune), and the methods of what a
// reflect.Value is of, whose types need not be known. What is in interface values, and all that formatting finds within, is of types with tables of methods. "": nothing.
func unfollowed(p *ir.Program) string {
	for _, t := range p.Types {
		if t == nil {
			continue
		}
		if _, has := t.Methods[formatMethod]; has {
			return fmt.Sprintf("package fmt calls the method Format of %s", t.Name)
		}
		if t.Dynamic && t.Name == "reflect.Value" {
			return "package fmt calls methods of what a reflect.Value is of"
		}
	}
	return ""
}

// formatMethod is the key of the method of a fmt.Formatter.
const formatMethod = "Format(fmt.State, int32)"

// isOfHarness reports whether a type, or what it points to, or a variable has a name that a harness gives.
func isOfHarness(name string) bool {
	name, _, _ = strings.Cut(name, "[")
	return !strings.Contains(name, "(") && strings.HasPrefix(name[strings.LastIndexAny(name, "./")+1:], "pangolin")
}

// mentions notes that code which is not the harness's has a type, with its parts.
func (a *around) mentions(t *ir.Type, c classes) {
	if t == nil {
		return
	}
	delete(a.keeps, c.of(t))
	if t.Class == ir.Array {
		a.mentions(t.Elem, c)
	}
	for i := range t.Fields {
		a.mentions(t.Fields[i].Type, c)
	}
}

// mostFormatted bounds how deep values are looked into that are formatted.
const mostFormatted = 4

// formatsLock reports whether formatting a value of a type finds a lock: in its fields and elements, and not behind pointers, which are printed as such.
func formatsLock(t *ir.Type, deep int) bool {
	if guards(t) || deep > mostFormatted {
		return true
	}
	switch t.Class {
	case ir.Array, ir.Slice:
		return formatsLock(t.Elem, deep+1)
	case ir.Map:
		return formatsLock(t.Key, deep+1) || formatsLock(t.Elem, deep+1)
	case ir.Struct:
		return slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return formatsLock(f.Type, deep+1) })
	}
	return false
}

// initialised is an alarm if code that is executed before all starts a goroutine, which may change what package variables lead to, or makes pointers of another type to that.
func initialised(p *ir.Program) *engine.Alarm {
	if p.Init == nil {
		return nil
	}
	for _, f := range p.Reached([]*ir.Func{p.Init}) {
		for pc := range f.Code {
			switch in := &f.Code[pc]; {
			case in.Op == ir.OpGo:
				return &engine.Alarm{Outside: true, Text: "an initialiser may start a goroutine", At: p.Position(f.Pos[pc])}
			case in.Op == ir.OpCast && !f.Standard && !f.Model:
				return &engine.Alarm{Outside: true, Text: "an initialiser may convert an unsafe.Pointer", At: p.Position(f.Pos[pc])}
			}
		}
	}
	return nil
}
