// SPDX-License-Identifier: BSD-3-Clause

// Package flags has the flags by which go test is told which cases a package's tests try, how many, and what they
// write. How much is tried is said by package level.
//
//	-only PATTERN   cases whose names match the regular expression
//	-numbers A-B    generated cases and mutants with these numbers
//	-seed N         the number of the first random program or type
//	-programs N     how many random programs
//	-types N        how many random types
//	-runs N         how often something is executed
//	-plant          faults are planted in the source, to see what finds them
//	-update         files that the tests compare with are written anew
//
// A package that uses none of a flag's functions ignores the flag. It is for tests alone.
package flags

import (
	"flag"
	"fmt"
	"regexp"
)

var (
	update   = flag.Bool("update", false, "write the files that the tests compare with")
	plant    = flag.Bool("plant", false, "plant each fault and see what finds it: minutes or hours; with -update, write the page")
	seed     = flag.Uint64("seed", 1, "the `number` of the first random program or type")
	programs = flag.Int("programs", 0, "the `number` of random programs; 0: as many as the level says")
	types    = flag.Int("types", 0, "the `number` of random types; 0: as many as the level says")
	runs     = flag.Int("runs", 0, "how `often` something is executed; 0: as often as the level says")

	only     *regexp.Regexp
	from, to int
)

func init() {
	flag.Func("only", "try only the cases whose names match the regular `expression`; what is written keeps the others", func(s string) (err error) {
		only, err = regexp.Compile(s)
		return err
	})
	flag.Func("numbers", "try only the generated cases, or mutants, with the numbers `a-b`", func(s string) error {
		if n, err := fmt.Sscanf(s, "%d-%d", &from, &to); n < 2 || err != nil || from < 0 || to < from {
			return fmt.Errorf("want the form a-b, such as 1-300")
		}
		return nil
	})
}

// Update says that files are to be written in place of being compared.
func Update() bool { return *update }

// Plant says that faults are to be planted.
func Plant() bool { return *plant }

// Chosen says that cases were chosen by their names.
func Chosen() bool { return only != nil }

// Only says whether a case is tried, by its name: all are unless some were chosen.
func Only(name string) bool { return only == nil || only.MatchString(name) }

// Numbered says that cases were chosen by their numbers.
func Numbered() bool { return to > 0 }

// Numbers are the first and the last of the numbers that were chosen; if none were, those that are given.
func Numbers(first, last int) (int, int) {
	if Numbered() {
		return from, to
	}
	return first, last
}

// Seed is the number of the first random program or type.
func Seed() uint64 { return *seed }

// Programs is how many random programs are asked for; if the flag does not say it, so many.
func Programs(otherwise int) int { return orElse(*programs, otherwise) }

// Types is how many random types are asked for; if the flag does not say it, so many.
func Types(otherwise int) int { return orElse(*types, otherwise) }

// Runs is how often something is to be executed; if the flag does not say it, so often.
func Runs(otherwise int) int { return orElse(*runs, otherwise) }

func orElse(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}
