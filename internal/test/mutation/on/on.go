// SPDX-License-Identifier: BSD-3-Clause

// Package on switches mutants on: the mutated source of a build asks it at each mutant, and the environment names
// the one that behaves differently. No source in the repository imports it: the command mutation writes the imports into the build.
package on

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"sync"
)

// Names of the environment's variables.
const (
	Mutant = "PANGOLIN_MUTANT"         // the number of the mutant that is on; none: 0 or empty
	Record = "PANGOLIN_MUTANT_REACHED" // a file, to which the numbers of mutants are written when they are first reached
)

var (
	mutant, _ = strconv.Atoi(os.Getenv(Mutant))
	record    = os.Getenv(Record)
	reached   sync.Map
)

// At reports whether mutant k is on.
func At(k int) bool {
	if record != "" {
		reach(k)
	}
	return k == mutant
}

func reach(k int) {
	if _, was := reached.LoadOrStore(k, true); was {
		return
	}
	f, err := os.OpenFile(record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, k); err != nil {
		panic(err)
	}
}

// Less is a < b; a <= b if mutant k is on.
func Less[T cmp.Ordered](k int, a, b T) bool { return a < b || At(k) && a == b }

// AtMost is a <= b; a < b if mutant k is on.
func AtMost[T cmp.Ordered](k int, a, b T) bool { return a < b || a == b && !At(k) }

// More is a > b; a >= b if mutant k is on.
func More[T cmp.Ordered](k int, a, b T) bool { return a > b || At(k) && a == b }

// AtLeast is a >= b; a > b if mutant k is on.
func AtLeast[T cmp.Ordered](k int, a, b T) bool { return a > b || a == b && !At(k) }

// Zero is x; the zero value if mutant k is on.
func Zero[T any](k int, x T) T {
	if At(k) {
		var zero T
		return zero
	}
	return x
}

// integer is a type of whole numbers.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Minus is x; -x if mutant k is on.
func Minus[T integer](k int, x T) T {
	if At(k) {
		return -x
	}
	return x
}

// Up is x; x + 1 if mutant k is on.
func Up[T integer](k int, x T) T {
	if At(k) {
		return x + 1
	}
	return x
}
