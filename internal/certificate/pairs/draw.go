// SPDX-License-Identifier: BSD-3-Clause

package pairs

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Draw draws the views for people, by the places that threads have reached.
func (c *Checker) Draw(w io.Writer) error {
	byPlace := map[string][]string{}
	for _, m := range c.memories {
		for _, v := range m.views {
			c.m.Load(v.words)
			at := "between calls"
			if v.Call > 0 {
				at = c.m.At(0)
			}
			byPlace[at] = append(byPlace[at], c.drawn(v))
		}
	}
	var places []string
	for at := range byPlace {
		places = append(places, at)
	}
	slices.Sort(places)
	for _, at := range places {
		list := byPlace[at]
		slices.Sort(list)
		if _, err := fmt.Fprintf(w, "%s: %d views\n    %s\n", at, len(list), strings.Join(list, "\n    ")); err != nil {
			return err
		}
	}
	return nil
}

// drawn writes a view in one line: the content, the call with its result if it has one, and the objects.
func (c *Checker) drawn(v *view) string {
	parts := []string{"held: "}
	for i, q := range c.paths[v.in.Content] {
		if i > 0 {
			parts[0] += ", "
		}
		parts[0] += c.calls[q].text
	}
	if len(c.paths[v.in.Content]) == 0 {
		parts[0] += "nothing"
	}
	if v.Call > 0 {
		text := c.calls[v.Call-1].text
		if v.Done != nil {
			text += " = " + *v.Done
		}
		parts = append(parts, text)
	}
	view := c.m.View()
	for _, o := range view.Objects {
		var fields []string
		for _, f := range o.Fields {
			fields = append(fields, strings.TrimPrefix(f.Path, ".")+"="+f.Value.Text)
		}
		parts = append(parts, o.Name()+"{"+strings.Join(fields, " ")+"}")
	}
	return strings.Join(parts, "; ")
}
