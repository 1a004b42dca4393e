// SPDX-License-Identifier: BSD-3-Clause

package assembler

// Treiber is the text of a lock-free stack of cells (R. K. Treiber, Systems programming: coping with parallelism, 1986), for
// tests of several packages. Each compare-and-swap has the label swap: Label("Push", "swap").
const Treiber = `
type cell { item int; next *cell }
type Stack { top *cell }

func New() *Stack
    s = new Stack
    return s

func Push(s *Stack, item int)
    c = new cell
    i = field c item
    store i item
    top = field s top
    next = field c next
load:
    old = atomicload top
    store next old
swap:
    done = atomiccas top old c
    if done end load
end:
    return

func Pop(s *Stack) int, bool
    top = field s top
load:
    old = atomicload top
    empty = eq old nil
    if empty none some
none:
    return 0 false
some:
    next = field old next
    n = load next
swap:
    done = atomiccas top old n
    if done taken load
taken:
    i = field old item
    x = load i
    return x true
`
