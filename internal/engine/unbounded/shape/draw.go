// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"fmt"
	"strings"
)

// Draw writes the memory that a view sees in one line: each cell as @2{item=>k next=@3}, with ' in
// front of the brace if it is private, and each summary as @3[>k*]->@4, with * if it may have no
// cell and + if it has one at least.
func (d *Domain) Draw(v *View) string {
	var parts []string
	for n := range v.Nodes {
		parts = append(parts, fmt.Sprintf("@%d%s", n, d.draw(v, n)))
	}
	return strings.Join(parts, " ")
}

func (d *Domain) draw(v *View, n int) string {
	x := &v.Nodes[n]
	if x.Summary {
		opt := "+"
		if x.Opt {
			opt = "*"
		}
		if x.Empty() {
			return "[]->" + x.Next.String()
		}
		return fmt.Sprintf("[%s%s]->%s", x.Class, opt, x.Next)
	}
	t := d.Prog.Types[x.Type]
	var fields []string
	for off, w := range v.Of(n) {
		if w == Nil && d.IsMutex(int(x.Type), off) {
			continue
		}
		path := strings.TrimPrefix(t.FieldPath(off), ".")
		if leaf, at := t.LeafAt(off); leaf.Opaque() && at > 0 {
			continue
		}
		fields = append(fields, path+"="+w.String())
	}
	private := ""
	if !x.Shared {
		private = "'"
	}
	return private + "{" + strings.Join(fields, " ") + "}"
}
