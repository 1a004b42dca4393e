// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/big"
)

func constantUp(s *site, n ast.Node, plant func(...edit)) { s.offByOne(n, +1, plant) }

func constantDown(s *site, n ast.Node, plant func(...edit)) { s.offByOne(n, -1, plant) }

// offByOne changes an integer literal, unless it is the length of an array type.
func (s *site) offByOne(n ast.Node, by int64, plant func(...edit)) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return
	}
	if a, ok := s.parent(1).(*ast.ArrayType); ok && a.Len == lit {
		return
	}
	value, ok := new(big.Int).SetString(lit.Value, 0)
	if !ok || by < 0 && value.Sign() == 0 {
		return
	}
	plant(s.replace(lit, value.Add(value, big.NewInt(by)).String()))
}

func boolFlipped(s *site, n ast.Node, plant func(...edit)) {
	id, ok := n.(*ast.Ident)
	if !ok {
		return
	}
	switch s.pkg.Info.Uses[id] {
	case types.Universe.Lookup("true"):
		plant(s.replace(id, "false"))
	case types.Universe.Lookup("false"):
		plant(s.replace(id, "true"))
	}
}
