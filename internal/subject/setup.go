// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"errors"
	"strings"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// SetupError is the error if the collection could not be made.
type SetupError struct{ Message string }

func (e *SetupError) Error() string { return e.Message }

// Explained adds the cause to a SetupError if package initialisation panics by itself, which the constructor's call includes. Other
// errors are returned unchanged.
func (s *Subject) Explained(err error) error {
	if setup := new(SetupError); !errors.As(err, &setup) || s.Prog == nil {
		return err
	}
	if text := s.initialisationPanics(); text != "" {
		return &SetupError{"package initialisation panics: " + strings.TrimPrefix(text, "panic: ") + " (so nothing of the package can be executed; Pangolin gives it no environment variables and no files)"}
	}
	return err
}

// mostInitialisations limits the executions in which a panic is looked for, each with other decisions.
const mostInitialisations = 64

// initialisationPanics returns the text of a panic in which package initialisation may end; "" if there is none.
func (s *Subject) initialisationPanics() string {
	if s.Prog.Init == nil {
		return ""
	}
	if img, err := vm.NewImage(s.Prog); err != nil || img.Initialised() { // executed once to its end: it does not panic
		return ""
	}
	prog := *s.Prog
	prog.Init = nil
	img, err := vm.NewImage(&prog)
	if err != nil {
		return ""
	}
	m := (&self{subject: s, img: img}).newMachine()
	m.Reset()
	m.Spawn()
	from := calling(m, s.Prog.Init, nil)
	ch := &explore.Choices{}
	for range mostInitialisations {
		m.Load(from)
		m.RunAlone(0, ch)
		if m.Idle(0) && m.Panicked(0) != "" {
			return m.Panicked(0)
		}
		if m.Fault() != nil || !ch.Next() {
			break
		}
	}
	return ""
}
