// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Hash is a model of the hash functions that a program asks for: the identity, or,
// with a domain and a range, one that is made up while the program runs (COLLECT,
// section 4): of an input, reduced modulo the domain, the value is chosen when it is
// first asked for, and kept.
type Hash struct{ Domain, Range int }

// Bounds of a hash model: the table has to fit into one word.
const (
	maxHashDomain = 16
	maxHashRange  = 15
)

// Validate reports a model that is too large.
func (h Hash) Validate() error {
	if h == (Hash{}) {
		return nil
	}
	if h.Domain < 1 || h.Domain > maxHashDomain || h.Range < 1 || h.Range > maxHashRange {
		return fmt.Errorf("hash model nondet(%d,%d): the domain is 1 to %d, the range 1 to %d", h.Domain, h.Range, maxHashDomain, maxHashRange)
	}
	return nil
}

// hashFunction is the name of a function without body whose meaning is the hash
// model; a harness declares it in the package that it belongs to.
const hashFunction = "pangolinHash"

var hashBuiltin = simple(func(c *call) { c.out[0] = c.m.hashOf(c.args[0]) })

// meaning finds the built-in meaning of a function without code.
func meaning(name string) *builtin {
	switch {
	case strings.HasSuffix(name, "."+hashFunction):
		return hashBuiltin
	case strings.HasSuffix(name, "."+state.ThreadFunction):
		return builtins["pangolin/mark.Thread"]
	case strings.HasSuffix(name, "."+objectFunction):
		return builtins["pangolin/mark.object"]
	case strings.HasSuffix(name, "."+state.OwnFunction):
		return builtins["pangolin/mark.own"]
	}
	return builtins[name]
}

// AsksThread says whether the code of a program can ask which thread executes it.
func AsksThread(prog *ir.Program) bool { return state.AsksThread(prog) }

// hashOf is the hash of an integer. The table has four bits for each input: 0, or
// the value plus one.
func (m *Machine) hashOf(x uint64) uint64 {
	if m.hash.Domain == 0 {
		return x
	}
	shift := x % uint64(m.hash.Domain) * 4
	if m.Hashes>>shift&15 == 0 {
		m.Hashes |= uint64(m.choose(m.hash.Range)+1) << shift
	}
	return m.Hashes>>shift&15 - 1
}
