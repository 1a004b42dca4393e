// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/verdict"
)

// Terms are what the user asks for beside the type. They are not changed once they are made.
type Terms struct {
	Dir    string `json:"-"` // in which the go command runs
	Engine string // the name of the engine that decides; "": the usual one
	Bounds engine.Bounds
	Search engine.Search
	Small  bool // shrink the witness after it was found
	Strict bool // what the documentation restricts is not asked about
	// Prove is whether what is verified is asked a proof: "auto"; "off"; "": auto in the usual scope.
	Prove string
	// Property, Protocol and Scope report whether the user has named one. If so, no hint suggests another.
	Property, Protocol, Scope bool
	// Strongest: the strongest property that holds is asked for, so that weaker ones are asked about even if the user has named a property.
	Strongest bool `json:",omitempty"`
	// Expected is the status that the user expects for a property; an expected violation gets no hints.
	Expected map[verdict.Property]verdict.Status
}

// decides returns the engine for a property: refine for properties of progress, unless the user names an engine.
func (t *Terms) decides(p verdict.Property) (engine.Engine, error) {
	if p.IsProgress() && t.Engine == "" {
		return engines.Find("refine", false)
	}
	return t.Named()
}

// Named returns the engine that the user names, or the usual one for collections.
func (t *Terms) Named() (engine.Engine, error) { return engines.Find(t.Engine, false) }

// compiled reports whether the code is executed as gc compiles it, so that nothing is asked of the machine.
func (t *Terms) compiled() bool {
	e, err := t.Named()
	return err == nil && e.Compiled
}

// proves reports whether the user asks for a proof.
func (t *Terms) proves() bool {
	e, err := t.Named()
	return err == nil && (e.Prove != nil || e.Name == engines.Proving().Name)
}

// rules are those that are applied.
func (t *Terms) rules() []Rule {
	if t.compiled() {
		return CompiledRules()
	}
	return Rules()
}
