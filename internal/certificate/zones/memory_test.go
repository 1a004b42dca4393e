// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"testing"

	"pangolin/internal/ir"
)

// sized is a type of so many words, each a number.
func sized(n int) *ir.Type {
	t := &ir.Type{Class: ir.Struct, Size: n}
	for i := range n {
		t.Fields = append(t.Fields, ir.Field{Type: &ir.Type{Class: ir.Int, Size: 1}, Offset: i})
	}
	return t
}

// What is read, and not atomically, is not written by others, and something is known of it.
func TestLoad_ReadsWhatNobodyWrites(t *testing.T) {
	knows := all(knowsOffer, cells([]word{{n: 7}, {sort: itemOwn}}))
	for i, c := range []struct {
		at   word
		n    int
		want string
	}{
		{at(5), 1, "[{4 5 0 0}]"},
		{word{sort: cell, n: 5, m: 1}, 1, "[{2 5 0 0}]"},
		{at(5), 2, "[{4 5 0 0} {2 5 0 0}]"},
		{next(5), 1, rejected},
		{at(5), 3, rejected},
		{next(5), 2, rejected},
		{theirs(0), 1, "[{10 0 1 0}]"},
		{word{sort: offer, m: 1}, 1, "[{2 6 0 0}]"},
		{theirs(0), 2, "[{10 0 1 0} {2 6 0 0}]"},
		{theirs(0), 3, rejected},
		{word{sort: offer, k: 1}, 1, "[{5 0 0 0}]"},
		{word{sort: offer, k: 1, m: 1}, 1, rejected},
		{word{sort: offer, k: 1, m: 2}, 1, rejected},
		{mine(0), 1, "[{0 7 0 0}]"},
		{mine(0), 2, "[{0 7 0 0} {3 0 0 0}]"},
		{mine(0), 3, rejected},
		{word{sort: private, m: 1}, 2, rejected},
		{inWord(0), 1, rejected},
		{inWord(1), 2, rejected},
		{inWord(2), 3, "[{7 2 0 0} {0 2 0 0} {0 2 0 0}]"},
		{inWord(3), 1, "[{0 2 0 0}]"},
		{inWord(5), 2, "[{8 5 0 0} {0 3 0 0}]"},
		{inWord(6), 2, rejected}, // a slot
		{inWord(7), 1, rejected},
		{inWord(8), 2, rejected}, // there is no such word
		{inSlice(0), 1, rejected},
		{left(5), 1, rejected},
		{word{}, 1, rejected},
		{word{n: 1}, 1, rejected},
		{word{sort: unknown}, 1, rejected},
		{plus(5, 0), 1, rejected},
		{word{sort: itemOwn}, 1, rejected},
	} {
		k := stage()
		s := scene{op: isTake, a: c.at, knows: knows}
		th := s.start(k)
		f := &th.calls[0]
		err := k.memory(th, f, &ir.Instr{Op: ir.OpLoad, A: rA, Dst: rD, T: sized(c.n)})
		got := rejected
		if err == nil {
			words, err := k.several(th, f, rD, c.n)
			if err != nil {
				t.Fatal(err)
			}
			got = fmt.Sprint(words)
		} else if !refuses(err) {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%d: %s, want %s", i, got, c.want)
		}
	}
}

// A plain write is one of a private cell, and to all words or none that there are.
func TestStore_WritesPrivateCells(t *testing.T) {
	for i, c := range []struct {
		at    word
		n     int
		right bool
	}{{mine(0), 1, true}, {mine(0), 2, true}, {mine(0), 3, false}, {word{sort: private, m: 1}, 1, true}, {word{sort: private, m: 1}, 2, false}, {at(5), 1, false}, {theirs(0), 1, false}, {inWord(6), 1, false}, {inWord(5), 1, false}, {inSlice(0), 1, false},
		{left(5), 1, false}, {word{}, 1, false}, {word{sort: unknown}, 1, false}} {
		k := stage()
		s := scene{op: isPut, a: c.at, b: word{n: 8}, c: word{sort: itemOwn}, knows: all(knowsOffer, cells([]word{{}, {}}))}
		th := s.start(k)
		th.calls[0].regs[rD] = word{}
		err := k.memory(th, &th.calls[0], &ir.Instr{Op: ir.OpStore, A: rA, B: rB, T: sized(c.n)})
		if (err == nil) != c.right || err != nil && !refuses(err) {
			t.Errorf("%d: %v", i, err)
		}
		if want := []word{{n: 8}, {sort: itemOwn}}; c.right {
			for n := range c.n {
				if th.private[0].words[c.at.m+n] != want[n] {
					t.Errorf("%d: %v", i, th.private[0])
				}
			}
		}
	}
}

// A part of something has an address if it is there.
func TestField_StaysInside(t *testing.T) {
	element := func(n int) ir.Instr { return ir.Instr{Op: ir.OpElem, T: sized(n)} }
	array := func(n, of int) ir.Instr { return ir.Instr{Op: ir.OpArrayElem, N: int32(n), T: sized(of)} }
	field := func(n int) ir.Instr { return ir.Instr{Op: ir.OpField, N: int32(n)} }
	for i, c := range []struct {
		in   ir.Instr
		at   word
		i    word
		want string
	}{
		{field(0), inWord(0), word{}, "{6 0 0 0}"}, {field(8), inWord(0), word{}, "{6 8 0 0}"}, {field(9), inWord(0), word{}, rejected}, {field(2), inWord(6), word{}, "{6 8 0 0}"}, {field(3), inWord(6), word{}, rejected},
		{field(2), at(5), word{}, "{9 5 0 2}"}, {field(3), at(5), word{}, rejected}, {field(1), theirs(0), word{}, "{10 0 0 1}"}, {field(2), theirs(0), word{}, rejected}, {field(2), word{sort: offer, k: 1}, word{}, "{10 0 1 2}"}, {field(3), word{sort: offer, k: 1}, word{}, rejected},
		{field(1), mine(0), word{}, "{11 0 0 1}"}, {field(2), mine(0), word{}, rejected}, {field(0), left(5), word{}, rejected}, {field(0), word{}, word{}, rejected}, {field(0), word{n: 1}, word{}, rejected}, {field(0), word{sort: unknown}, word{}, rejected},
		{field(0), inSlice(1), word{}, "{7 2 0 1}"}, {field(1), inSlice(1), word{}, rejected}, {field(-1), mine(0), word{}, rejected}, {field(0), word{sort: itemOwn}, word{}, rejected},
		{element(1), inSlice(0), word{}, "{7 2 0 0}"}, {element(1), inSlice(0), word{n: 1}, "{7 2 0 1}"}, {element(1), inSlice(0), word{n: 2}, rejected}, {element(1), inSlice(0), word{n: -1}, rejected}, {element(1), inSlice(0), word{sort: unknown}, rejected}, {element(1), inSlice(0), plus(5, 0), rejected},
		{element(2), inSlice(0), word{}, rejected}, {element(1), inSlice(1), word{n: 1}, rejected}, {element(1), word{}, word{}, rejected},
		{array(2, 1), inWord(7), word{n: 1}, "{6 8 0 0}"}, {array(2, 1), inWord(7), word{n: 2}, rejected}, {array(3, 1), inWord(7), word{n: 2}, rejected}, {array(2, 1), mine(0), word{n: 1}, "{11 0 0 1}"}, {array(2, 2), mine(0), word{n: 1}, rejected}, {array(2, 1), mine(0), word{sort: unknown}, rejected},
	} {
		k := stage()
		s := scene{op: isTake, a: c.at, b: word{n: 2}, knows: all(knowsOffer, cells([]word{{}, {}}))}
		th := s.start(k)
		f := &th.calls[0]
		f.regs[7] = c.i
		c.in.A, c.in.B, c.in.Dst = rA, 7, rD
		err := k.memory(th, f, &c.in)
		got := rejected
		if err == nil {
			got = fmt.Sprint(f.regs[rD])
		} else if !refuses(err) {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%d: %s, want %s", i, got, c.want)
		}
	}
}

// Numbers of the collection may be accessed atomically, and not otherwise then. Nothing is known of them.
func TestCounter_IsAnyNumber(t *testing.T) {
	add := ir.Instr{Op: ir.OpAtomicAdd}
	for i, c := range []struct {
		in   ir.Instr
		at   word
		b, c word
		want string
	}{
		{load, inWord(6), word{}, word{}, "{1 0 0 0}"}, {store, inWord(6), word{n: 1}, word{}, no}, {add, inWord(6), word{n: 1}, word{}, "{1 0 0 0}"}, {cas, inWord(6), word{}, plus(5, 0), no + "; " + yes}, {store, inWord(6), word{sort: unknown}, word{}, no},
		{store, inWord(6), word{sort: itemOwn}, word{}, rejected}, {store, inWord(6), at(5), word{}, rejected}, {cas, inWord(6), at(5), word{}, rejected}, {cas, inWord(6), word{}, word{sort: itemOwn}, rejected}, {add, inWord(6), word{sort: itemOwn}, word{}, rejected},
		{ir.Instr{Op: ir.OpAtomicSwap}, inWord(6), word{}, word{}, rejected}, {ir.Instr{Op: ir.OpAtomicOr}, inWord(6), word{}, word{}, rejected},
		{load, inWord(5), word{}, word{}, rejected}, {store, inWord(5), word{}, word{}, rejected}, {cas, inWord(5), left(5), word{}, rejected}, {load, inWord(2), word{}, word{}, rejected}, {load, inWord(3), word{}, word{}, rejected},
		{load, left(5), word{}, word{}, rejected}, {load, theirs(0), word{}, word{}, rejected}, {load, word{}, word{}, word{}, rejected}, {load, word{sort: unknown}, word{}, word{}, rejected}, {load, word{n: 3}, word{}, word{}, rejected},
	} {
		s := scene{isPut, c.in, c.at, c.b, c.c, knowsOffer}
		s.is(t, stage(), fmt.Sprint(i), c.want)
	}
	k := stage()
	for _, in := range []ir.Instr{load, {Op: ir.OpLoad, T: sized(1)}} {
		if err := k.races(); err != nil {
			t.Error(err)
		}
		s := scene{isPut, in, inWord(6), word{}, word{}, nil}
		s.outcomes(t, k)
	}
	if err := k.races(); !refuses(err) {
		t.Errorf("a number that is accessed atomically and otherwise: %v", err)
	}
}

// What is made is private, and has words; slices are made by the constructor.
func TestNew_MakesPrivateCells(t *testing.T) {
	k := stage()
	s := scene{op: isPut, a: word{n: 2}, b: word{n: 2}}
	for n, right := range map[int]bool{0: false, 1: true, mostWords: true, mostWords + 1: false} {
		th := s.start(k)
		err := k.memory(th, &th.calls[0], &ir.Instr{Op: ir.OpNew, Dst: rD, T: sized(n)})
		if (err == nil) != right || err != nil && !refuses(err) || right && (th.calls[0].regs[rD] != mine(0) || len(th.private[0].words) != n || th.private[0].shown) {
			t.Errorf("%d words: %v, %v", n, err, th.private)
		}
	}
	pointer := &ir.Type{Class: ir.PointerClass, Size: 1}
	for i, c := range []struct {
		op       int
		len, cap word
		t        *ir.Type
		right    bool
	}{{-1, word{n: 2}, word{n: 2}, pointer, true}, {-1, word{n: 8}, word{n: 8}, pointer, true}, {-1, word{n: 9}, word{n: 9}, pointer, false}, {-1, word{n: 0}, word{n: 0}, pointer, false}, {-1, word{n: 1}, word{n: 2}, pointer, false},
		{-1, word{sort: unknown}, word{sort: unknown}, pointer, false}, {-1, word{n: 2}, word{n: 2}, sized(1), false}, {-1, word{n: 2}, word{n: 2}, sized(2), false}, {isPut, word{n: 2}, word{n: 2}, pointer, false}} {
		s := scene{op: c.op, a: c.len, b: c.cap}
		th := &thread{op: c.op, calls: []call{{&ir.Func{}, 0, map[ir.Reg]word{rA: s.a, rB: s.b}}}}
		if err := k.memory(th, &th.calls[0], &ir.Instr{Op: ir.OpMakeSlice, A: rA, B: rB, Dst: rD, T: c.t}); (err == nil) != c.right || err != nil && !refuses(err) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// mark.Choose is each number below its argument, and runtime.Gosched does nothing; other calls of what has no code are refused.
func TestCalls_KnowsTwoFunctionsWithoutCode(t *testing.T) {
	for i, c := range []struct {
		name  string
		kind  ir.CallKind
		arg   word
		count int // of executions; 0: it is refused
	}{{"pangolin/mark.Choose", ir.CallStatic, word{n: 3}, 3}, {"pangolin/mark.Choose", ir.CallStatic, word{n: 1}, 1}, {"pangolin/mark.Choose", ir.CallStatic, word{}, 0}, {"pangolin/mark.Choose", ir.CallStatic, word{n: 9}, 0}, {"pangolin/mark.Choose", ir.CallStatic, word{sort: unknown}, 0},
		{"pangolin/mark.Choose", ir.CallStatic, plus(5, 0), 0}, {"pangolin/mark.Thread", ir.CallStatic, word{}, 0}, {"runtime.Gosched", ir.CallStatic, word{}, 1}, {"runtime.Gosched", ir.CallClosure, word{}, 0}, {"runtime.Gosched", ir.CallMethod, word{}, 0}} {
		k := stage()
		k.s.Prog.Calls = []*ir.Call{{Kind: c.kind, Func: &ir.Func{Name: c.name, External: true}, Args: []ir.Arg{{Reg: rA, Type: sized(1)}}}}
		count := 0
		err := k.executions(func() (*thread, error) {
			s := scene{op: isPut, a: c.arg}
			th := s.start(k)
			return th, k.calls(th, &th.calls[0], &ir.Instr{Op: ir.OpCall, Dst: rD})
		}, func(th *thread) error {
			if w := th.calls[0].regs[rD]; c.name == "pangolin/mark.Choose" && w != (word{n: count}) || th.calls[0].pc != 1 {
				t.Errorf("%d: %v at %d", i, w, th.calls[0].pc)
			}
			count++
			return nil
		})
		if count != c.count || (c.count == 0) != refuses(err) {
			t.Errorf("%d: %d executions, %v", i, count, err)
		}
	}
}

// A word of a private cell that is added to atomically is a number.
func TestAlone_AddsToNumbers(t *testing.T) {
	add := func(num ir.Num) ir.Instr { return ir.Instr{Op: ir.OpAtomicAdd, Num: num} }
	for i, c := range []struct {
		in      ir.Instr
		was, by word
		want    string
	}{{add(ir.I64), word{n: 2}, word{n: 3}, "{0 5 0 0}"}, {add(ir.I64), plus(5, 3), word{n: 1}, "{2 5 4 0}"}, {add(ir.I64), plus(5, 4), word{n: 1}, "{1 0 0 0}"}, {add(ir.U64), plus(5, 0), word{n: 1}, "{1 0 0 0}"}, {add(ir.I32), word{n: 1}, word{n: 1}, "{1 0 0 0}"},
		{add(ir.I64), word{sort: itemOwn}, word{n: 1}, rejected}, {add(ir.I64), at(5), word{n: 1}, rejected}, {add(ir.I64), word{n: 1}, at(5), rejected}, {load, at(5), word{}, "{9 5 0 0}"}, {load, word{sort: itemOwn}, word{}, "{3 0 0 0}"}} {
		s := scene{isPut, c.in, mine(0), c.by, word{}, cells([]word{c.was})}
		s.is(t, stage(), fmt.Sprint(i), c.want)
	}
}
