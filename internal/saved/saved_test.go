// SPDX-License-Identifier: BSD-3-Clause

package saved

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// all has a value of each form.
type all struct {
	i    int64
	u    uint64
	b    byte
	yes  bool
	f    float64
	text string
	raw  []byte
	w    []uint64
	h    []uint32
	list []pair
	nums []int
}

type pair struct {
	a int
	b string
}

func (x *all) pass(c *Codec) {
	c.Mark("all")
	Int(c, &x.i)
	Int(c, &x.u)
	Int(c, &x.b)
	c.Bool(&x.yes)
	c.Float(&x.f)
	c.Text(&x.text)
	c.Bytes(&x.raw)
	c.Words(&x.w)
	c.Halves(&x.h)
	List(c, &x.list, func(c *Codec, p *pair) {
		Int(c, &p.a)
		c.Text(&p.b)
	})
	Ints(c, &x.nums)
}

func some(rng *rand.Rand) *all {
	x := &all{i: int64(rng.Uint64() >> rng.IntN(64)), u: rng.Uint64() >> rng.IntN(64), b: byte(rng.Uint32()), yes: rng.IntN(2) == 0, f: rng.NormFloat64(),
		text: string(make([]byte, rng.IntN(300))), raw: make([]byte, rng.IntN(3000))}
	if rng.IntN(2) == 0 {
		x.i = -x.i
	}
	if rng.IntN(9) == 0 {
		x.u, x.i = math.MaxUint64, math.MinInt64
	}
	for range rng.IntN(700) {
		x.w = append(x.w, rng.Uint64())
		x.h = append(x.h, rng.Uint32())
	}
	for range rng.IntN(5) {
		x.list = append(x.list, pair{rng.IntN(100) - 50, "a"})
		x.nums = append(x.nums, rng.IntN(1<<40))
	}
	return x
}

func TestCodec_ReadsWhatItHasWritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var out bytes.Buffer
		x := some(rng)
		c := To(&out)
		x.pass(c)
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
		var y all
		c = From(&out, int64(out.Len()))
		y.pass(c)
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(x, &y) {
			t.Fatalf("wrote %+v, read %+v", x, y)
		}
	}
}

// What is cut short, or longer, is an error and no panic, and nothing is allocated for lengths that cannot be.
func TestCodec_RefusesOtherBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	c := To(&out)
	some(rng).pass(c)
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	whole := out.Bytes()
	read := func(b []byte) error {
		var y all
		c := From(bytes.NewReader(b), int64(len(b)))
		y.pass(c)
		return c.End()
	}
	for n := range whole {
		if read(whole[:n]) == nil {
			t.Fatalf("%d bytes of %d are read without an error", n, len(whole))
		}
	}
	if read(append(bytes.Clone(whole), 0)) == nil {
		t.Error("a byte too many is no error")
	}
	for range 2000 { // no panic, whatever it is
		other := bytes.Clone(whole)
		other[rng.IntN(len(other))] ^= 1 << rng.IntN(8)
		_ = read(other)
	}
}

func TestExtend_AddsToWhatIsThere(t *testing.T) {
	write := func(list ...int) []byte {
		var out bytes.Buffer
		c := To(&out)
		Extend(c, list, Int[int], nil)
		_ = c.End()
		return out.Bytes()
	}
	read := func(b []byte, list ...int) ([]int, error) {
		c := From(bytes.NewReader(b), int64(len(b)))
		there := list
		Extend(c, there, Int[int], func(v int) { list = append(list, v) })
		return list, c.End()
	}
	if got, err := read(write(3, 1, 2), 3); err != nil || !reflect.DeepEqual(got, []int{3, 1, 2}) {
		t.Error(got, err)
	}
	for _, there := range [][]int{{1}, {3, 1, 2, 4}, {3, 2}} {
		if got, err := read(write(3, 1, 2), there...); err == nil {
			t.Errorf("%v becomes %v", there, got)
		}
	}
}
