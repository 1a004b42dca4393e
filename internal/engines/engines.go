// SPDX-License-Identifier: BSD-3-Clause

// Package engines lists the engines. A new one is a directory beneath internal/engine and a line of All; one that proves has its line in
// package prover.
//
// It takes a name and gives an engine; it runs none.
package engines

import (
	"fmt"
	"strings"

	"pangolin/internal/engine"
	"pangolin/internal/engine/outcomes"
	"pangolin/internal/engine/points"
	"pangolin/internal/engine/prover"
	"pangolin/internal/engine/refine"
	"pangolin/internal/engine/schedules"
)

// All lists the engines. The first one for a kind of subject is the usual one.
func All() []engine.Engine {
	return append([]engine.Engine{
		points.Usual(),
		outcomes.Engine(),
		refine.Engine(),
		points.Engine(),
		schedules.Engine(),
	}, prover.Engines()...)
}

// Proving is the engine prover without the search for an execution that is wrong where no proof was found.
func Proving() engine.Engine { return prover.Unconfirmed() }

// OneMoment is the engine sections without that search.
func OneMoment() engine.Engine { return prover.OneMoment() }

// Find returns the engine with a name, "" for the usual one, for whole programs or for collections.
func Find(name string, program bool) (engine.Engine, error) {
	for _, e := range All() {
		if e.Program == program && (name == "" || e.Name == name) {
			return e, nil
		}
	}
	if err := Known(name); err != nil {
		return engine.Engine{}, err
	}
	return engine.Engine{}, fmt.Errorf("the engine %s is for %s", name, map[bool]string{true: "collections", false: "programs"}[program])
}

// Known returns an error if no engine has the name.
func Known(name string) error {
	var names []string
	for _, e := range All() {
		if e.Name == name {
			return nil
		}
		names = append(names, e.Name)
	}
	return fmt.Errorf("there is no engine %q: choose from %s", name, strings.Join(names, ", "))
}
