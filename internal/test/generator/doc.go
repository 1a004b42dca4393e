// SPDX-License-Identifier: BSD-3-Clause

// Package generator writes random Go: whole programs, collections, and long
// sequential programs. It is where all generated test inputs of the project come from.
//
// Program and Type expand a grammar: productions are Go text with typed holes
// (grammar.go), sorted by theme, and a text draws only a few themes, so that what its
// goroutines do meets. What is shared is declared in one of several forms: package
// variables, a struct that is a variable, one behind a pointer, locals that goroutines
// capture. Patterned (patterned.go) puts collections with a specification together from
// a storage, a way to synchronise and a fault; Chained (chained.go) all collections of a
// few designs in chained cells. Sequential writes programs of one
// goroutine that print a long trail of values.
//
// Constructed writes texts of the grown grammar: constructs (constructs.go) beside the themes, at which the machine
// touches what it does not decide itself, such as values of several parts, addresses, capacities, and what tells
// without ordering. Respell writes a text in other words that mean the same.
//
// The same seed always gives the same bytes, and what is written compiles. Nothing is
// promised about what it does: many texts have data races, deadlocks, panics. The
// package executes nothing and knows nothing of the virtual machine. Shrink makes a
// text smaller while a property, which its caller decides, remains.
package generator
