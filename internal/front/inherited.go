// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/ast"
	"maps"
	"slices"
)

// members are what a package's declarations say of its types: what each declares itself, and which of the package's types it embeds.
type members struct {
	own     map[string]map[string]bool // fields and methods, by type
	embeds  map[string][]string
	exports map[string]bool // types with a method that others can call
}

func newMembers() *members {
	return &members{map[string]map[string]bool{}, map[string][]string{}, map[string]bool{}}
}

func (m *members) add(typ, name string) {
	if m.own[typ] == nil {
		m.own[typ] = map[string]bool{}
	}
	m.own[typ][name] = true
}

// addType adds the fields of a type.
func (m *members) addType(s *ast.TypeSpec) {
	t, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range t.Fields.List {
		for _, name := range field.Names {
			m.add(s.Name.Name, name.Name)
		}
		if name := BaseType(field.Type); len(field.Names) == 0 && name != "" {
			m.add(s.Name.Name, name)
			m.embeds[s.Name.Name] = append(m.embeds[s.Name.Name], name)
		}
	}
}

// addMethod adds a method.
func (m *members) addMethod(f *ast.FuncDecl) {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return
	}
	typ := BaseType(f.Recv.List[0].Type)
	m.add(typ, f.Name.Name)
	if f.Name.IsExported() {
		m.exports[typ] = true
	}
}

// BaseType is the name of a type of the same package without pointers and type arguments, such as Queue of the receiver *Queue[T]; "" if the expression names none.
func BaseType(typ ast.Expr) string {
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.ParenExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// promoted are the types, other than typ, of which a method with a name is a method of typ as well, by name: Go takes the one that is embedded least
// deeply, and none if there are several.
func (m *members) promoted(typ string) map[string]string {
	from, hidden := map[string]string{}, maps.Clone(m.own[typ])
	if hidden == nil {
		hidden = map[string]bool{}
	}
	seen := map[string]bool{typ: true}
	for level := m.embeds[typ]; len(level) > 0; {
		at, next := map[string][]string{}, []string(nil)
		for _, t := range level {
			if seen[t] {
				continue
			}
			seen[t] = true
			for name := range m.own[t] {
				at[name] = append(at[name], t)
			}
			next = append(next, m.embeds[t]...)
		}
		for name, types := range at {
			if len(types) == 1 && !hidden[name] {
				from[name] = types[0]
			}
			hidden[name] = true
		}
		level = next
	}
	return from
}

// callable reports whether a type has a method for others, of its own or of what it embeds.
func (m *members) callable(typ string, seen map[string]bool) bool {
	if seen[typ] {
		return false
	}
	seen[typ] = true
	return m.exports[typ] || slices.ContainsFunc(m.embeds[typ], func(t string) bool { return m.callable(t, seen) })
}

// inherit gives types the invariants of what they embed, since these methods are theirs. A type without a method for others is not asked itself, if
// one that embeds it has its invariant.
func (d *Directives) inherit(m *members) {
	type directive = [2]string // type and line
	given := map[directive]bool{}
	for _, typ := range slices.Sorted(maps.Keys(m.embeds)) {
		from := m.promoted(typ)
		for _, name := range slices.Sorted(maps.Keys(from)) {
			for _, line := range []string{"invariant " + name, "invariant " + name + ":always"} {
				of := from[name]
				if !d.invariants[directive{of, line}] {
					continue
				}
				d.ByType[typ] = append(d.ByType[typ], line)
				d.at[directive{typ, line}] = d.at[directive{of, line}]
				for _, t := range m.embeds[typ] {
					if t == of || m.promoted(t)[name] == of {
						given[directive{t, line}] = true
					}
				}
			}
		}
	}
	for has := range given {
		typ, line := has[0], has[1]
		if m.callable(typ, map[string]bool{}) {
			continue
		}
		d.ByType[typ] = slices.DeleteFunc(d.ByType[typ], func(l string) bool { return l == line })
		if len(d.ByType[typ]) == 0 {
			delete(d.ByType, typ)
		}
	}
}
