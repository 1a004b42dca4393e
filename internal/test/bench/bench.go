// SPDX-License-Identifier: BSD-3-Clause

// Package bench holds the project's own measurements: benchmarks of the machine, of
// bounded verification and of the whole command, and a comparison with the model
// checker SPIN on the same four structures. All of it is in test files; doc/benchmarks.md
// has the figures.
//
// It takes the collections in package collections, gluing of its own between them and
// package bounded (so that a change of how collections are found cannot change a
// figure), programs in testdata/raw, and SPIN models in testdata/spin. It gives numbers, and
// pinned counts of states, which no optimisation may change.
//
// It does not decide anything about correctness beyond the verdicts of what it runs.
package bench
