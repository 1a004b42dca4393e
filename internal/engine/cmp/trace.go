// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// cameBy is a step of a trace: how view v was found, and what it shows.
func (s *search) cameBy(v int32) verdict.AbstractStep {
	x := &s.t.views[v]
	step := verdict.AbstractStep{Sees: s.draw(v)}
	if x.cause >= 0 {
		e := s.effects[x.cause]
		step.Text, step.At = "another thread: "+e.does, e.at
		return step
	}
	step.Text, step.At, _ = strings.Cut(s.t.causes[-1-x.cause], "\x00")
	return step
}

// draw writes in one line what view v shows: objects with their fields, then the calls in progress with their
// variables.
func (s *search) draw(v int32) string {
	content := s.load(v)
	view := s.m.View()
	var parts []string
	for _, o := range view.Objects {
		var fields []string
		for _, f := range o.Fields {
			fields = append(fields, strings.TrimPrefix(f.Path, ".")+"="+f.Value.Text)
		}
		parts = append(parts, o.Name()+"{"+strings.Join(fields, " ")+"}")
	}
	for _, t := range view.Threads {
		for _, f := range t.Frames {
			var vars []string
			for _, x := range f.Variables {
				if x.Name != "" {
					vars = append(vars, x.Name+"="+x.Value.Text)
				}
			}
			parts = append(parts, fmt.Sprintf("%s(%s)", f.Function, strings.Join(vars, " ")))
		}
	}
	_ = content
	return strings.Join(parts, " ")
}
