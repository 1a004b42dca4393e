// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/verdict"
)

// Terms are what the user asks for beside the type. Nothing changes them.
type Terms struct {
	Dir    string `json:"-"` // in which the go command runs
	Engine string // the name of the engine that decides; "": the usual one
	Bounds engine.Bounds
	Search engine.Search
	Small  bool // a witness is made as small as it can be
	// Property, Protocol and Scope say that the user names one: there is no advice to ask for another then.
	Property, Protocol, Scope bool
	// Expected are the statuses that are no surprise.
	Expected map[verdict.Property]verdict.Status
}

// decides is the engine for a property: properties of progress have one of their own, unless the user names another.
func (t *Terms) decides(p verdict.Property) (engine.Engine, error) {
	if p.IsProgress() && t.Engine == "" {
		return engines.Find("refine", false)
	}
	return engines.Find(t.Engine, false)
}
