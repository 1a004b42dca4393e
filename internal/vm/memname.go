package vm

import (
	"fmt"
	"strings"

	"pangolin/internal/ir"
)

// memoryName names the memory that p points to for people: a package variable and
// what is inside it, "main.bank.accounts[3].mu", or a field of a named type,
// "the mu of a main.Account". It is empty for memory without a name. The name does
// not depend on how the state was reached.
func (m *Machine) memoryName(p uint64) string {
	id := objectID(p)
	if id <= 0 || id >= len(m.objs) {
		return ""
	}
	if id <= len(m.img.Prog.Globals) {
		g := m.img.Prog.Globals[id-1]
		return shortName(g.Name) + inside(g.Type, offset(p))
	}
	o := &m.objs[id]
	t := o.info.typ
	if !t.Named || t.Class != ir.Struct || o.flags&isChan != 0 || t.Size == 0 {
		return ""
	}
	path := strings.TrimPrefix(inside(t, offset(p)%t.Size), ".")
	switch {
	case path == "" && strings.HasPrefix(t.PkgPath, "sync"):
		return ""
	case path == "":
		return "a " + t.Name
	}
	return fmt.Sprintf("the %s of a %s", path, t.Name)
}

// shortName drops the path in front of a package's name.
func shortName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// inside is the path of fields and elements to word off of a value: ".f[2].g". It
// stops at the types of package sync, whose fields are nobody's business.
func inside(t *ir.Type, off int) string {
	switch {
	case t.PkgPath == "sync" || t.PkgPath == "sync/atomic":
		return ""
	case t.Class == ir.Array && t.Elem.Size > 0:
		return fmt.Sprintf("[%d]%s", off/t.Elem.Size, inside(t.Elem, off%t.Elem.Size))
	case t.Class == ir.Struct:
		for _, f := range t.Fields {
			if off >= f.Offset && off < f.Offset+f.Type.Size {
				return "." + f.Name + inside(f.Type, off-f.Offset)
			}
		}
	}
	return ""
}

// contested names the memory that two threads are about to access.
func (m *Machine) contested(i, j int) string {
	for _, a := range m.accesses(m.threads[i], nil) {
		for _, b := range m.accesses(m.threads[j], nil) {
			if a.conflicts(b) {
				return m.memoryName(max(a.p, b.p))
			}
		}
	}
	return ""
}
