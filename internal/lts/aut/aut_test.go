// SPDX-License-Identifier: BSD-3-Clause

package aut

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pangolin/internal/lts"
)

// Files of other tools are read, malformed ones refused with line and column, and bytes do not depend on the order.

func TestRead_TakesWhatMCRL2AndCADPWrite(t *testing.T) {
	const want = "des (1,3,3)\n(0,\"tau\",2)\n(1,\"push(1, \"a\")\",0)\n(2,\"x\",2)\n"
	for _, in := range []string{
		want,
		"des (1, 3, 3)\r\n(1, \"push(1, \"a\")\", 0)\r\n(0, i, 2)\r\n(2, x, 2)\r\n",
		"\n des(1,3,3)\n\n(0,tau,2)\n  ( 1 , \"push(1, \"a\")\" , 0 ) \n(2,\"x\",2)",
	} {
		s, err := Read(strings.NewReader(in), Options{})
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		var out strings.Builder
		if err := Write(&out, s, MCRL2); err != nil || out.String() != want {
			t.Errorf("%q: got %q, %v", in, out.String(), err)
		}
	}
}

func TestRead_ItsInternalLabelsCanBeChosen(t *testing.T) {
	s, err := Read(strings.NewReader("des (0,2,1)\n(0,tau,0)\n(0,\"skip\",0)\n"), Options{Internal: []string{"skip"}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Write(&out, s, CADP); err != nil {
		t.Fatal(err)
	}
	if want := "des (0, 2, 1)\n(0, i, 0)\n(0, \"tau\", 0)\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestRead_SaysWhereAFileIsMalformed(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 `1:1: want "des (initial, transitions, states)", and the file ends`,
		"dex (0,1,2)":                      `1:3: want "des (initial, transitions, states)", not 'x'`,
		"des 0,1,2)":                       `1:5: want the initial state behind '(', not '0'`,
		"des (0,1)":                        `1:9: want the number of states behind ',', not ')'`,
		"des (0,1,2":                       `1:11: want ')' at the end of the first line, and the file ends`,
		"des (0,1,2) (0,a,1)":              `1:13: want the end of the line, not '('`,
		"des (2,0,2)\n":                    `1:12: the initial state is 2, but there are only 2 states, numbered from 0`,
		"des (0,0,0)\n":                    `1:12: the initial state is 0, but there are only 0 states, numbered from 0`,
		"des (0,1,2147483648)\n":           `1:10: the number of states is too large: at most 2147483647 is possible`,
		"des (0,99999999999999999999,2)\n": `1:8: the number of transitions is too large: at most 2147483647 is possible`,
		"des (0,1,2)\n":                    `2:1: the file ends after 0 transitions, and its first line says 1`,
		"des (0,1,2)\n(0,a,1)\n(0,b,1)\n":  `3:1: the first line says 1 transitions, and there are more`,
		"des (0,1,2)\n(0,a,2)\n":           `2:6: state 2, but the first line says 2 states, numbered from 0`,
		"des (0,1,2)\n(7,a,1)\n":           `2:2: state 7, but the first line says 2 states, numbered from 0`,
		"des (0,1,2)\n(x,a,1)\n":           `2:2: want the state, not 'x'`,
		"des (0,1,2)\n(0,a,1\n":            `2:7: want ')' at the end of a transition`,
		"des (0,1,2)\n(0,a)\n":             `2:5: want the number of the state that the transition leads to`,
		"des (0,1,2)\n(0,,1)\n":            `2:4: a transition without a label`,
		"des (0,1,2)\n(0,\"a,1)\n":         `2:6: a label that begins with a quote must end with one`,
		"des (0,1,2)\n(0,1)\n":             `2:4: want ',' before the state that the transition leads to`,
	} {
		_, err := Read(strings.NewReader(in), Options{})
		var at *Error
		if !errors.As(err, &at) || err.Error() != want {
			t.Errorf("%q: got %v, want %s", in, err, want)
		}
	}
}

func TestRead_UnpacksGzip(t *testing.T) {
	const text = "des (0,1,2)\n(0,\"a\",1)\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, text)
	z.Close()
	s, err := Read(bytes.NewReader(packed.Bytes()), Options{})
	if err != nil || s.Transitions() != 1 {
		t.Fatalf("got %v, %v", s, err)
	}
	if _, err := Read(bytes.NewReader(packed.Bytes()[:packed.Len()-9]), Options{}); err == nil {
		t.Error("a cut file is read")
	}
}

// The file of a quotient depends on behaviour only, under each equivalence: not on the order in which states,
// transitions and labels come.
func TestWrite_GivesTheBytesOfAQuotientWhateverTheOrder(t *testing.T) {
	const states = 120
	labels := []string{"tau", "tau", "call(1, Push(0))", "return(1, Push)", "call(2, Pop())", "return(2, Pop, 0, true)"}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(9, seed))
		var lines []string // from, label, to, as formats
		var ends [][2]int
		for i := range states {
			for range 1 + r.IntN(3) {
				lines = append(lines, fmt.Sprintf("(%%d,%q,%%d)\n", labels[r.IntN(len(labels))]))
				ends = append(ends, [2]int{i, min(states-1, i+1+r.IntN(20)) - r.IntN(2)*r.IntN(min(i, 9)+1)})
			}
		}
		text := func(name []int, order []int) string {
			out := fmt.Sprintf("des (%d,%d,%d)\n", name[0], len(lines), states)
			for _, k := range order {
				out += fmt.Sprintf(lines[k], name[ends[k][0]], name[ends[k][1]])
			}
			return out
		}
		for _, e := range lts.Equivalences() {
			var want string
			for range 4 {
				s, err := Read(strings.NewReader(text(r.Perm(states), r.Perm(len(lines)))), Options{})
				if err != nil {
					t.Fatal(err)
				}
				var out strings.Builder
				for _, d := range []Dialect{MCRL2, CADP} {
					if err := Write(&out, s.Quotient(e), d); err != nil {
						t.Fatal(err)
					}
				}
				if want == "" {
					want = out.String()
				}
				if out.String() != want {
					t.Fatalf("seed %d, %s: other bytes", seed, e)
				}
			}
		}
	}
}

var large = flag.Int("transitions", 1_000_000, "size of the system of the benchmark")

// BenchmarkReduce reads a system, reduces it and writes the quotient.
func BenchmarkReduce(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	n := *large / 4
	var text bytes.Buffer
	fmt.Fprintf(&text, "des (0,%d,%d)\n", *large, n)
	for i := range *large {
		label := []string{"tau", "tau", "call(1, push(1))", "return(1, true)", "call(2, pop())", "return(2, false)"}[r.IntN(6)]
		fmt.Fprintf(&text, "(%d,%q,%d)\n", i/4, label, min(n-1, i/4+r.IntN(100)))
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		s, err := Read(bytes.NewReader(text.Bytes()), Options{})
		if err != nil {
			b.Fatal(err)
		}
		var out bytes.Buffer
		if err := Write(&out, s.Quotient(lts.Branching), MCRL2); err != nil {
			b.Fatal(err)
		}
	}
}
