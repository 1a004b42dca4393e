//go:build prelude

package prelude

// fewRandoms is how many alternatives of a random number are explored.
const fewRandoms = 16

// random is a number below n, any of them.
func random(n int, what string) int {
	if n <= 0 {
		panic("invalid argument to " + what)
	}
	if n > fewRandoms {
		unsupported("a random number below more than 16 (every one would be explored)")
	}
	if n == 1 {
		return 0
	}
	return chooseNumber(n)
}

// fraction is a random number from 0 to 1: 0, 1/4, 1/2 or 3/4. Code compares one with a probability, or scales with it.
func fraction() float64 { return float64(chooseQuarter()) / 4 }

func perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := random(i+1, "Perm")
		p[i] = p[j]
		p[j] = i
	}
	return p
}

func shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, random(i+1, "Shuffle"))
	}
}

// SPDX-License-Identifier: BSD-3-Clause
