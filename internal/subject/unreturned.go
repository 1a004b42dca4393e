// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"fmt"
	"strings"

	"pangolin/history"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/vm"
)

// Unreturned describes how the first call of an operation on a new collection ends, alone, if it does not return: "panics: runtime
// error: invalid memory address or nil pointer dereference, at store.go:21 in (*Store).Get", "waits for ever, at store.go:34 in
// (*Store).Put". It returns "" if the call returns, or if the machine cannot tell.
func (s *Subject) Unreturned(op int) string {
	img, err := vm.NewImage(s.Prog)
	if err != nil {
		return ""
	}
	opt := interleave.Operations(vm.Hash{})
	opt.NoSymmetry, opt.Chronicle = true, true
	m := img.NewMachine(opt)
	m.Reset()
	m.Spawn()
	m.Call(0, s.New, nil)
	m.RunAlone(0, &explore.Choices{})
	if m.Fault() != nil || m.Ended().Kind != vm.Running || !m.Idle(0) || m.Panicked(0) != "" {
		return ""
	}
	m.SetRoots(m.Results(0)[0])
	var args history.Tuple
	for k := range s.Operations[op].Client.Params {
		args = args.With(k, history.IntValue(0))
	}
	m.Call(0, s.Operations[op].Func, s.Operations[op].Words(nil, m.Root(0), args))
	m.RunAlone(0, &explore.Choices{})
	switch {
	case m.Fault() != nil:
	case m.Ended().Kind != vm.Running:
		return "ends the program: " + firstLine(m.Text(m.Ended().Text))
	case !m.Idle(0) && !m.Enabled(0):
		return "waits for ever, at " + m.At(0)
	case m.Idle(0) && m.Panicked(0) != "":
		return "panics: " + firstLine(m.Panicked(0)) + raisedAt(m)
	}
	return ""
}

// Unmade is a SetupError if the constructor, called alone, panics, returns an error, or needs something that is not supported, and ErrUndecided if it
// needs too much memory; nil if it does not, or if the machine cannot tell.
func (s *Subject) Unmade() error {
	img, err := vm.NewImage(s.Prog)
	if err != nil {
		return nil
	}
	opt := interleave.Operations(vm.Hash{})
	opt.NoSymmetry = true
	m := img.NewMachine(opt)
	m.Reset()
	m.Spawn()
	m.Call(0, s.New, nil)
	m.RunAlone(0, &explore.Choices{})
	if f := m.Fault(); f != nil && f.Kind == vm.FaultUnsupported {
		return &SetupError{"the constructor is not executable: " + firstLine(f.Message)}
	}
	if f := m.Fault(); f != nil && f.Kind == vm.FaultMemory {
		return fmt.Errorf("%w: the constructor is not executable: %s", ErrUndecided, firstLine(f.Message))
	}
	if m.Fault() == nil && m.Ended().Kind == vm.Running && m.Idle(0) && m.Panicked(0) != "" {
		return &SetupError{Unmade("the constructor", firstLine(m.Panicked(0)))}
	}
	return nil
}

// raisedAt is the place in the user's code where the last panic began.
func raisedAt(m *vm.Machine) string {
	for _, f := range m.Raised() {
		if !f.Library && !f.Model && f.Line > 0 {
			return ", at " + f.Place.String()
		}
	}
	return ""
}

// firstLine is the first line of a panic's text, without the prefix "panic: ".
func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimPrefix(text, "panic: ")
}
