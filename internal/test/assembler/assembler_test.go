// SPDX-License-Identifier: BSD-3-Clause

package assembler

import (
	"strings"
	"testing"
)

const stack = `
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
again:
    old = atomicload top
    store next old
    done = atomiccas top old c
    if done end again
end:
    return
`

func TestParse_MakesTheListing(t *testing.T) {
	p := Parse(stack)
	var b strings.Builder
	p.PrintFunc(&b, p.Func("Push"))
	const want = `func Push(*Stack, int)
b0: 
   0  r2 = new cell                                          ; text:10
   1  r3 = field cell.item +0 r2                             ; text:11
   2  store int r3, r1                                       ; text:12
   3  r4 = field Stack.top +0 r0                             ; text:13
   4  r5 = field cell.next +1 r2                             ; text:14
   5  jump @6                                                ; text:15
b1: 
   6  r6 = atomicload r4                                     ; text:16
   7  store *cell r5, r6                                     ; text:17
   8  r7 = atomiccas r4, r6, r2                              ; text:18
   9  if @10 @6 r7                                           ; text:19
b2: 
  10  return                                                 ; text:21
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
	if at := p.Label("Push", "again"); at != 6 {
		t.Errorf("again is instruction %d", at)
	}
	if off := p.Field("cell", "next"); off != 1 {
		t.Errorf("next is word %d", off)
	}
}

func TestParse_SaysWhichLineIsWrong(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "line 3: no register and no number: y") {
			t.Errorf("%q", text)
		}
	}()
	Parse("func F(x int)\n    x = add x 1\n    x = add y 1\n    return\n")
}
