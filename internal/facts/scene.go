// SPDX-License-Identifier: BSD-3-Clause

package facts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// States for pictures: what the threads of a witness see at its important moments. They consist of
// names and texts, since a verdict is printed long after the machine is gone.

// Scene is the machine's state for a verdict.
func Scene(m *vm.Machine) verdict.Scene {
	v, s := m.View(), verdict.Scene{}
	for i := range v.Objects {
		o := &v.Objects[i]
		x := verdict.Object{Name: o.Name(), Type: o.Type.Name, Kind: objectKinds[o.Kind]}
		for _, f := range o.Fields {
			field := verdict.Field{Name: f.Path, Value: f.Value.Text}
			if to := f.Value.To; to != nil {
				field.To = to.Name()
			}
			x.Fields = append(x.Fields, field)
		}
		s.Objects = append(s.Objects, x)
	}
	for i := range v.Threads {
		s.Threads = append(s.Threads, standing(m, &v.Threads[i], i))
	}
	return s
}

var objectKinds = [...]string{vm.PlainObject: "", vm.MapObject: "map", vm.ChannelObject: "channel", vm.ClosureObject: "function"}

func standing(m *vm.Machine, t *vm.ThreadView, i int) verdict.Standing {
	x := verdict.Standing{Idle: t.Idle, Waits: !t.Idle && !t.Can, Holds: m.HeldBy(i)}
	for _, f := range t.Frames {
		if strings.HasPrefix(f.Function, "pangolinOp") { // the harness's function that calls the operation
			continue
		}
		file, line, _ := strings.Cut(f.At, ":")
		number, _ := strconv.Atoi(line)
		r := verdict.Running{Place: verdict.Place{Function: f.Function, File: file, Line: number}}
		for _, v := range f.Variables {
			if v.Name == "" {
				continue
			}
			field := verdict.Field{Name: v.Name, Value: v.Value.Text}
			if v.Value.To != nil {
				field.To = v.Value.To.Name()
			}
			r.Variables = append(r.Variables, field)
		}
		x.Calls = append(x.Calls, r)
	}
	return x
}

// nearby is how many lines are shown before and after a place.
const nearby = 8

// around is the source around all places of an execution, in order.
func around(w *verdict.Witness, source *subject.Lines) []verdict.SourceLine {
	type place struct {
		file string
		line int
	}
	seen := map[place]bool{}
	var list []verdict.SourceLine
	add := func(p verdict.Place) {
		if p.File == "" || strings.HasPrefix(p.File, "prelude/") || seen[place{p.File, -p.Line}] {
			return
		}
		seen[place{p.File, -p.Line}] = true
		for n := max(1, p.Line-nearby); n <= p.Line+nearby; n++ {
			if !seen[place{p.File, n}] {
				seen[place{p.File, n}] = true
				list = append(list, verdict.SourceLine{File: p.File, Line: n, Text: source.Text(p.File, n)})
			}
		}
	}
	for i := range w.Scenes {
		for _, t := range w.Scenes[i].Threads {
			for _, c := range t.Calls {
				add(c.Place)
			}
		}
	}
	slices.SortFunc(list, func(a, b verdict.SourceLine) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return list
}
