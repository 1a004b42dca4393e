package agreement

import (
	"context"
	"flag"
	"testing"
)

// The machine says the same of a text in other words.

var (
	more   = flag.Bool("more", false, "compare 500 pairs of texts in other words: some minutes")
	asMany = flag.Int("respelled", 6, "number of generated types, and of programs, to write in other words")
	inWays = flag.Int("ways", 2, "in how many ways each of them is written")
)

// pairsOf is how many texts are respelled, and in how many ways.
func pairsOf() (texts, ways int) {
	switch {
	case *more:
		return 125, 2
	case testing.Short():
		return 4, 1
	}
	return *asMany, *inWays
}

func TestRespelling_KeepsVerdicts(t *testing.T) {
	texts, ways := pairsOf()
	respelledInBoth(t, texts, generatedTypes, func(ctx context.Context, dir string, list []Program) ([]Difference, *Tally, error) {
		return RespelledTypes(ctx, dir, list, Limits{States: *states}, ways)
	})
}

func TestRespelling_KeepsOutcomes(t *testing.T) {
	texts, ways := pairsOf()
	respelledInBoth(t, texts, generated, func(ctx context.Context, dir string, list []Program) ([]Difference, *Tally, error) {
		return RespelledPrograms(ctx, dir, list, Limits{States: *states}, ways)
	})
}

// respelledInBoth compares texts of both grammars.
func respelledInBoth(t *testing.T, texts int, write func(first uint64, n int) []Program, compare Comparison) {
	t.Helper()
	defer func(g string) { *grammar = g }(*grammar)
	for _, g := range []string{"plain", "grown"} {
		*grammar = g
		compareAll(t, texts, write, compare)
	}
}
