package turn

import (
	"fmt"
	"slices"
	"testing"
)

// walk is a walk through a tree that is given by the ways at each fork.
func walk(t *Tree, ways func(path []int) int) []int {
	var path []int
	for n := ways(path); n > 0; n = ways(path) {
		path = append(path, t.Choose(n))
	}
	return path
}

func all(ways func(path []int) int) []string {
	var got []string
	t := new(Tree)
	for more := true; more; more = t.Next() {
		got = append(got, fmt.Sprint(walk(t, ways)))
	}
	return got
}

// Two threads with two steps each have these six interleavings; 0 is the thread that is
// first among those that have steps left.
func TestTree_GivesEachInterleavingOnce(t *testing.T) {
	threads := func(path []int) int {
		left := []int{2, 2}
		for _, p := range path {
			if left[0] == 0 {
				p = 1
			}
			left[p]--
		}
		switch {
		case left[0] == 0 && left[1] == 0:
			return 0
		case left[0] == 0 || left[1] == 0:
			return 1
		}
		return 2
	}
	// AABB, ABAB, ABBA, BAAB, BABA, BBAA
	want := []string{"[0 0 0 0]", "[0 1 0 0]", "[0 1 1 0]", "[1 0 0 0]", "[1 0 1 0]", "[1 1 0 0]"}
	if got := all(threads); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTree_OfNoForkHasOneWalk(t *testing.T) {
	if got := all(func([]int) int { return 0 }); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// A tree whose depth and width depend on the way: 0 ends, 1 has three ways more.
func TestTree_MayDependOnTheWay(t *testing.T) {
	got := all(func(path []int) int {
		switch {
		case len(path) == 0:
			return 2
		case len(path) == 1 && path[0] == 1:
			return 3
		}
		return 0
	})
	if want := []string{"[0]", "[1 0]", "[1 1]", "[1 2]"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTree_SeesThatAWalkIsNotRepeatable(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("another fork behind the same decisions is accepted")
		}
	}()
	tree := new(Tree)
	tree.Choose(2)
	tree.Choose(2)
	tree.Next()
	tree.Choose(3)
}

// SPDX-License-Identifier: BSD-3-Clause
