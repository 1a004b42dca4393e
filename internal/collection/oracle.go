// SPDX-License-Identifier: BSD-3-Clause

package collection

import "pangolin/oracle"

// Oracle identifies what judges a collection: the specification of a kind, the same code run sequentially, or a type that the user
// wrote. The zero value leaves the choice to package recognise.
type Oracle struct {
	kind oracle.Kind // a kind that oracle.New knows; "": none
	self bool
	typ  string // the user's type: "PKG.Type", or "Type" in the collection's package; "": none
}

// SelfOracle is the same code run sequentially.
var SelfOracle = Oracle{self: true}

// KindOracle is the specification of a kind.
func KindOracle(k oracle.Kind) Oracle { return Oracle{kind: k} }

// ParseOracle parses the name of an oracle: "auto" or "", "self", a kind that oracle.New knows, or else a Go type.
func ParseOracle(text string) Oracle {
	switch {
	case text == "" || text == "auto":
		return Oracle{}
	case text == "self":
		return SelfOracle
	case IsSpecified(oracle.Kind(text)):
		return KindOracle(oracle.Kind(text))
	}
	return Oracle{typ: text}
}

// IsAuto reports whether no oracle was chosen.
func (o Oracle) IsAuto() bool { return o == Oracle{} }

// IsSelf reports whether the same code, run sequentially, judges.
func (o Oracle) IsSelf() bool { return o.self }

// Kind returns the kind whose specification judges; false if none does.
func (o Oracle) Kind() (oracle.Kind, bool) { return o.kind, o.kind != "" }

// Type returns the name of the user's type that judges; false if none does.
func (o Oracle) Type() (name string, ok bool) { return o.typ, o.typ != "" }

// String is the name that ParseOracle parses.
func (o Oracle) String() string {
	switch {
	case o.self:
		return "self"
	case o.kind != "":
		return string(o.kind)
	case o.typ != "":
		return o.typ
	}
	return "auto"
}

// MarshalText writes the name of the oracle.
func (o Oracle) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText parses the name of an oracle.
func (o *Oracle) UnmarshalText(text []byte) error {
	*o = ParseOracle(string(text))
	return nil
}

// IsSpecified reports whether oracle.New knows the kind.
func IsSpecified(k oracle.Kind) bool {
	_, err := oracle.New(k, oracle.Protocol{}, nil)
	return err == nil
}
