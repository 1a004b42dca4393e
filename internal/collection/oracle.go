// SPDX-License-Identifier: BSD-3-Clause

package collection

import "pangolin/oracle"

// Oracle says what judges a collection: a specification, the same code run sequentially, or a
// type of the user's. The zero value leaves the choice to who recognises collections.
type Oracle struct {
	kind oracle.Kind // that oracle.New knows
	self bool
	typ  string // "PKG.Type", or "Type" of the collection's package
}

// SelfOracle is the same code run sequentially.
var SelfOracle = Oracle{self: true}

// KindOracle is the specification of a kind.
func KindOracle(k oracle.Kind) Oracle { return Oracle{kind: k} }

// ParseOracle reads what users and files call an oracle: "auto" or nothing, "self", a kind that
// oracle.New knows, or a Go type.
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

// IsAuto says that nothing was chosen.
func (o Oracle) IsAuto() bool { return o == Oracle{} }

// IsSelf says that the same code, run sequentially, judges.
func (o Oracle) IsSelf() bool { return o.self }

// Kind is the kind that oracle.New makes the oracle of; false if that is not how it is made.
func (o Oracle) Kind() (oracle.Kind, bool) { return o.kind, o.kind != "" }

// Type is the user's type; false if none judges.
func (o Oracle) Type() (name string, ok bool) { return o.typ, o.typ != "" }

// String gives what ParseOracle reads.
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

// MarshalText and UnmarshalText write and read what String gives.
func (o Oracle) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (o *Oracle) UnmarshalText(text []byte) error {
	*o = ParseOracle(string(text))
	return nil
}

// IsSpecified reports whether oracle.New knows the kind.
func IsSpecified(k oracle.Kind) bool {
	_, err := oracle.New(k, oracle.Protocol{}, nil)
	return err == nil
}
