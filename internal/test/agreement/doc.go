// SPDX-License-Identifier: BSD-3-Clause

// Package agreement compares what the machine says of generated programs and types with
// what others say: the second opinion (internal/native), which executes the same source
// natively under every schedule; the race detector of the Go distribution; and the
// machine itself with each of its reductions alone, with none, and asked about single clients
// (their verdicts, and what their calls can return: so it drives the bounded engine itself).
//
// A text is compared with its respellings as well (respelling.go).
//
// It takes seeds (internal/test/generator) or given sources and gives Differences and a
// Tally. It decides nothing about who is right, and repairs nothing: a difference is
// shrunk, printed and left to a reader. Its tests are the comparisons that every change
// has to pass; their flags make them as long as one likes.
package agreement
