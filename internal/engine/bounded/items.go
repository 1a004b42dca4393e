// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Which items and keys may have names in place of values (play.Names).

// generic reports whether the scope's generic items can be watched: there are enough words for them.
func (v *verification) generic() bool {
	s := v.opt.Scope.Clients
	return s.GenericValues && (s.Endless || s.Calls()+s.PreAdds.To <= vm.MaxItems)
}

// ordersItems reports whether the oracle compares items, because they are their own priorities, or the property does.
func (v *verification) ordersItems() bool {
	takes := func(p oracle.Param) bool {
		return slices.ContainsFunc(v.space.Ops, func(o client.Op) bool { return slices.Contains(o.Params, p) })
	}
	if v.space.Scope.GenericValues && takes(oracle.ParamItem) && comparesItems(v.subject, v.opt.Property) {
		return true
	}
	return v.space.Scope.GenericValues && v.subject.About.Oracle == string(oracle.PQueue) && takes(oracle.ParamItem) && !takes(oracle.ParamPriority)
}

// takesItems says that some operation takes an item.
func (v *verification) takesItems() bool { return takesItems(v.space.Ops) }

func takesItems(ops []client.Op) bool {
	return slices.ContainsFunc(ops, func(o client.Op) bool { return slices.Contains(o.Params, oracle.ParamItem) })
}

// renamesItems reports whether items may be renamed: they are generic, and the oracle treats them as names.
func (v *verification) renamesItems() bool {
	return v.space.Scope.GenericValues && v.takesItems() && !v.opt.OneByOne && v.opt.Reduce&vm.RenamedItems != 0 && v.monitor.Renamable()
}

// chooseItems withdraws the assumption that items are generic, because the code looks at them. From now on they are chosen among the
// scope's values, including zero and equal ones.
func (v *verification) chooseItems() error {
	scope := v.space.Scope
	scope.GenericValues = false
	v.items = false
	// Where an item is its own priority, equal ones are now among the choices.
	scope.DistinctPriorities = scope.DistinctPriorities &&
		slices.ContainsFunc(v.space.Ops, func(o client.Op) bool { return slices.Contains(o.Params, oracle.ParamPriority) })
	return v.rescope(scope)
}

// rescope continues with the clients of another scope.
func (v *verification) rescope(scope client.Scope) (err error) {
	if v.space, err = client.NewSpace(scope, v.space.Ops); err != nil {
		return err
	}
	v.result.Scope, v.result.Clients = scope, engine.Clients(v.space)
	return nil
}

// ranksKeys reports whether keys may be represented by rank: the oracle treats them as names, and the scope's number of values excludes no
// order.
func (v *verification) ranksKeys() bool {
	s := v.opt.Scope.Clients
	most := s.Calls() + s.PreAdds.To
	if v.opt.OneByOne || v.opt.Reduce&vm.RankedKeys == 0 || !v.monitor.Renamable() || s.Values < most || most >= vm.MaxKeys {
		return false
	}
	return takesKeys(v.subject)
}

// takesKeys reports whether some operation takes a key.
func takesKeys(s *subject.Subject) bool {
	return slices.ContainsFunc(s.Operations, func(o subject.Operation) bool { return slices.Contains(o.Client.Params, oracle.ParamKey) })
}
