// SPDX-License-Identifier: BSD-3-Clause

package fragment

import (
	"fmt"

	"pangolin/internal/certificate"
)

// rule finds the rule of an operation that agrees with all its samples.
func (l *learner) rule(op int) error {
	r := &l.object.Rules[op]
	r.Assigns, r.From, r.Returns = -1, -1, -1
	samples := l.samples[op]
	if n := len(l.p.Funcs[op].Results); n > 1 || n == 1 && l.p.Funcs[op].Results[0].Size != 1 {
		return fmt.Errorf("it returns more than one value")
	} else if n == 1 {
		for i := range l.object.Registers {
			if r.Returns < 0 && l.object.Registers[i].Holds != certificate.Number && all(samples, func(s *sample) bool { return s.result == s.before[i] }) {
				r.Returns = i
			}
		}
		if r.Returns < 0 {
			return fmt.Errorf("what it returns is not always what a register held before")
		}
	}
	for i := range l.object.Registers {
		if all(samples, func(s *sample) bool { return s.before[i] == s.after[i] }) {
			continue
		}
		if r.Assigns >= 0 {
			return fmt.Errorf("it changes more than one register")
		}
		r.Assigns = i
	}
	if r.Assigns < 0 {
		return nil
	}
	changed := func(s *sample) bool { return s.before[r.Assigns] != s.after[r.Assigns] }
	for a := range r.Args {
		if r.From < 0 && all(samples, func(s *sample) bool { return !changed(s) || s.after[r.Assigns] == s.args[a] }) {
			r.From = a
		}
	}
	if r.From < 0 {
		return fmt.Errorf("what it writes into a register is not always an argument")
	}
	l.guards(r, samples, changed)
	if !all(samples, func(s *sample) bool { return s.after[r.Assigns] == l.predicted(r, s) }) {
		return fmt.Errorf("whether it changes a register is not a matter of registers that have certain values")
	}
	return nil
}

func all(list []sample, is func(*sample) bool) bool {
	for i := range list {
		if !is(&list[i]) {
			return false
		}
	}
	return true
}

// guards finds the conditions that hold in all samples in which an operation changes something.
func (l *learner) guards(r *certificate.Rule, samples []sample, changed func(*sample) bool) {
	for i := range l.object.Registers {
		number := l.object.Registers[i].Holds == certificate.Number
		for a, v := range r.Args {
			if number == (v == certificate.Number) && all(samples, func(s *sample) bool { return !changed(s) || s.before[i] == s.args[a] }) {
				r.Guards = append(r.Guards, certificate.Guard{Register: i, Arg: a})
			}
		}
		for n := range int32(2) {
			if number && all(samples, func(s *sample) bool { return !changed(s) || s.before[i] == uint64(n) }) {
				r.Guards = append(r.Guards, certificate.Guard{Register: i, Arg: -1, Number: n})
			}
		}
	}
}

// predicted is the value that the assigned register has after a call, according to a rule.
func (l *learner) predicted(r *certificate.Rule, s *sample) uint64 {
	for _, g := range r.Guards {
		want := uint64(g.Number)
		if g.Arg >= 0 {
			want = s.args[g.Arg]
		}
		if s.before[g.Register] != want {
			return s.before[r.Assigns]
		}
	}
	return s.args[r.From]
}

// descriptors finds out which operation puts descriptors into a register, and what their words hold.
func (l *learner) descriptors() error {
	count := 0
	for i := range l.object.Registers {
		r := &l.object.Registers[i]
		if r.Descriptor == nil {
			continue
		}
		if count++; count > 1 {
			return fmt.Errorf("descriptors are put into more than one register")
		}
		found := false
		for _, x := range l.seen {
			if x.register != i {
				continue
			}
			if found && r.Descriptor.Op != x.op {
				return fmt.Errorf("descriptors of more than one operation are put into a register")
			}
			found, r.Descriptor.Op = true, x.op
		}
		if !found {
			return fmt.Errorf("no operation puts a descriptor into a register that may hold some")
		}
		if err := l.contents(i, r.Descriptor); err != nil {
			return err
		}
	}
	return nil
}

// contents finds the words of a descriptor that hold the register's value and the arguments.
func (l *learner) contents(register int, d *certificate.Descriptor) error {
	size := l.p.Prog.Types[d.Type].Size
	find := func(is func(*meanwhile) uint64) int {
		for off := range size {
			fits := true
			for i := range l.seen {
				if x := &l.seen[i]; x.register == register {
					fits = fits && x.words[off] == is(x)
				}
			}
			if fits {
				return off
			}
		}
		return -1
	}
	d.Value = find(func(x *meanwhile) uint64 { return x.held })
	if d.Value < 0 {
		return fmt.Errorf("descriptors do not say what the register holds")
	}
	for a := range l.object.Rules[d.Op].Args {
		off := find(func(x *meanwhile) uint64 { return x.args[a] })
		if off < 0 {
			return fmt.Errorf("descriptors do not have all arguments of %s", l.p.Operations[d.Op].Name)
		}
		d.Args = append(d.Args, off)
	}
	return nil
}

// split divides the registers into those that are compared with k, among them the one with descriptors, and those
// that are compared with j: values of the two groups are never compared with each other, nor copied from one to the
// other.
func (l *learner) split() error {
	o := l.object
	group := make([]int, len(o.Registers)) // of registers that share an argument
	for i := range group {
		group[i] = i
	}
	join := func(a, b int) {
		for i, from := 0, group[b]; i < len(group); i++ {
			if group[i] == from {
				group[i] = group[a]
			}
		}
	}
	for i := range o.Rules {
		r := &o.Rules[i]
		for a := range r.Args {
			used := registersOf(r, a)
			for _, x := range used {
				join(used[0], x)
			}
		}
	}
	names := map[int]certificate.Value{}
	order := make([]int, 0, len(group)) // that with descriptors first
	for i := range o.Registers {
		if o.Registers[i].Descriptor != nil {
			order = append([]int{i}, order...)
		} else {
			order = append(order, i)
		}
	}
	for _, i := range order {
		if o.Registers[i].Holds == certificate.Number {
			continue
		}
		if names[group[i]] == 0 {
			names[group[i]] = certificate.Value(len(names) + 1)
		}
		if o.Registers[i].Holds = names[group[i]]; o.Registers[i].Holds > certificate.OfJ {
			return fmt.Errorf("there are registers of more than two kinds of values")
		}
	}
	for i := range o.Rules {
		r := &o.Rules[i]
		for a := range r.Args {
			if used := registersOf(r, a); len(used) > 0 {
				r.Args[a] = o.Registers[used[0]].Holds
			}
		}
	}
	return nil
}

// registersOf are the registers that a rule compares with an argument, or assigns it to.
func registersOf(r *certificate.Rule, arg int) (out []int) {
	if r.Assigns >= 0 && r.From == arg {
		out = append(out, r.Assigns)
	}
	for _, g := range r.Guards {
		if g.Arg == arg {
			out = append(out, g.Register)
		}
	}
	return out
}
