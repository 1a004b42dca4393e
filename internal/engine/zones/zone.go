// SPDX-License-Identifier: BSD-3-Clause

package zones

import "slices"

// zone is what is known of n variables: at[i*n+j] is the least number that x(i) - x(j) is known not to exceed; free if there is none. A zone is closed, as D. Dill calls
// it: what follows from two bounds is in it. The functions below keep it so, but for forget and clamp's callers, who close it.
type zone struct {
	n  int
	at []int16
}

// free is the bound that says nothing.
const free = 1000

// mostBound is the greatest bound that is kept for the table; what is less than its negative is weakened to that. So there are finitely many zones.
const mostBound = 2

// newZone knows nothing of n variables.
func newZone(n int) zone {
	z := zone{n, make([]int16, n*n)}
	for i := range z.at {
		z.at[i] = free
	}
	for i := range n {
		z.at[i*n+i] = 0
	}
	return z
}

func (z *zone) clone() zone { return zone{z.n, slices.Clone(z.at)} }

// le says whether x(i) <= x(j) + c for certain.
func (z *zone) le(i, j, c int) bool { return int(z.at[i*z.n+j]) <= c }

// is says whether x(i) = x(j) + c for certain.
func (z *zone) is(i, j, c int) bool { return z.le(i, j, c) && z.le(j, i, -c) }

// learn adds x(i) <= x(j) + c; false if that contradicts what is known.
func (z *zone) learn(i, j, c int) bool {
	n := z.n
	if int(z.at[i*n+j]) <= c {
		return true
	}
	if c+int(z.at[j*n+i]) < 0 {
		return false
	}
	for a := range n {
		to := int(z.at[a*n+i])
		if to >= free {
			continue
		}
		for b := range n {
			if from := int(z.at[j*n+b]); from < free {
				z.at[a*n+b] = min(z.at[a*n+b], int16(to+c+from))
			}
		}
	}
	return true
}

// equal adds x(i) = x(j) + c.
func (z *zone) equal(i, j, c int) bool { return z.learn(i, j, c) && z.learn(j, i, -c) }

// grow adds a variable of which nothing is known, and returns its number.
func (z *zone) grow() int {
	old := *z
	*z = newZone(old.n + 1)
	for i := range old.n {
		copy(z.at[i*z.n:], old.at[i*old.n:(i+1)*old.n])
	}
	return old.n
}

// forget drops what is known of a variable.
func (z *zone) forget(i int) {
	for j := range z.n {
		if j != i {
			z.at[i*z.n+j], z.at[j*z.n+i] = free, free
		}
	}
}

// assign gives variable i the value of another one and c.
func (z *zone) assign(i, j, c int) {
	z.forget(i)
	z.equal(i, j, c)
}

// onto keeps the variables of a list, in its order.
func (z *zone) onto(list []int) zone {
	out := newZone(len(list))
	for a, i := range list {
		for b, j := range list {
			out.at[a*out.n+b] = z.at[i*z.n+j]
		}
	}
	return out
}

// join weakens z to what holds in the other zone as well. It says whether z has changed.
func (z *zone) join(other *zone) (changed bool) {
	for i, c := range other.at {
		if c > z.at[i] {
			z.at[i], changed = c, true
		}
	}
	return changed
}

// contains says whether all that z says holds in the other zone as well.
func (z *zone) contains(other *zone) bool {
	for i, c := range other.at {
		if c > z.at[i] {
			return false
		}
	}
	return true
}

// clamp weakens bounds to those that are kept.
func (z *zone) clamp() {
	for i, c := range z.at {
		switch {
		case c > mostBound:
			z.at[i] = free
		case c < -mostBound:
			z.at[i] = -mostBound
		}
	}
}

// close adds what follows; false if what is known contradicts itself.
func (z *zone) close() bool {
	n := z.n
	for k := range n {
		for i := range n {
			for j := range n {
				if a, b := z.at[i*n+k], z.at[k*n+j]; a < free && b < free {
					z.at[i*n+j] = min(z.at[i*n+j], a+b)
				}
			}
		}
	}
	for i := range n {
		if z.at[i*n+i] < 0 {
			return false
		}
	}
	return true
}

// bounds lists what a zone says, without what follows from nothing.
func (z *zone) bounds() (list [][3]int) {
	for i := range z.n {
		for j := range z.n {
			if c := z.at[i*z.n+j]; i != j && c < free {
				list = append(list, [3]int{i, j, int(c)})
			}
		}
	}
	return list
}
