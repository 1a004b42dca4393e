// SPDX-License-Identifier: BSD-3-Clause

// Package arch keeps the import graph of the project as a golden file.
//
// It has no code of its own: its test reads the imports of every package, compares
// them with testdata/imports.txt, and checks that arrows only point down the layers of
// ARCHITECTURE.md and that only package front imports golang.org/x/tools. A new arrow
// is a deliberate change of that file.
package arch
