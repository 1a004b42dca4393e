// SPDX-License-Identifier: BSD-3-Clause

// Package saved writes the state of a process as bytes, and reads it again.
//
// One function does both, so that what is read is what was written, in the same order:
//
//	func (t *table) Pass(c *saved.Codec) {
//		c.Mark("table")
//		saved.Int(c, &t.count)
//		saved.List(c, &t.rows, func(c *saved.Codec, r *row) { c.Text(&r.name) })
//	}
//
// With a Codec that writes (To) Pass appends what t holds; with one that reads (From) it sets it.
// The first error remains: from then on nothing is written, and what is read is zero. The bytes are
// read by the program that has written them and by no other one: there are no versions, and who
// keeps the bytes makes sure that they are whole (package checkpoint).
package saved

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Codec writes values one behind the other, or reads them.
type Codec struct {
	to   *bufio.Writer // nil when reading
	from *bufio.Reader
	left int64 // bytes not read yet
	err  error
	room [binary.MaxVarintLen64]byte
}

const buffered = 1 << 16

// To writes. End must be called at last.
func To(w io.Writer) *Codec { return &Codec{to: bufio.NewWriterSize(w, buffered)} }

// From reads so many bytes.
func From(r io.Reader, bytes int64) *Codec {
	return &Codec{from: bufio.NewReaderSize(r, buffered), left: bytes}
}

// Writes reports whether values are written.
func (c *Codec) Writes() bool { return c.to != nil }

// Err is the first error.
func (c *Codec) Err() error { return c.err }

// Fail sets the error, unless there is one.
func (c *Codec) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// Failf is Fail with a text.
func (c *Codec) Failf(format string, args ...any) { c.Fail(fmt.Errorf(format, args...)) }

// End writes what has not been written yet, or makes sure that everything has been read. It returns
// the error.
func (c *Codec) End() error {
	switch {
	case c.err != nil:
	case c.to != nil:
		c.err = c.to.Flush()
	case c.left != 0:
		c.Failf("%d bytes are left", c.left)
	}
	return c.err
}

// errShort says that the bytes end too early.
var errShort = errors.New("there are too few bytes")

// bytes writes the bytes of a slice, or fills it.
func (c *Codec) bytes(b []byte) {
	switch {
	case c.err != nil:
	case c.to != nil:
		_, err := c.to.Write(b)
		c.note(err)
	case int64(len(b)) > c.left:
		c.Fail(errShort)
	default:
		n, err := io.ReadFull(c.from, b)
		c.left -= int64(n)
		c.note(err)
	}
}

// note sets the error if there is one.
func (c *Codec) note(err error) {
	if err != nil {
		c.Fail(err)
	}
}

// uint writes or reads a number, few bytes if it is small.
func (c *Codec) uint(v uint64) uint64 {
	if c.to != nil {
		c.bytes(c.room[:binary.PutUvarint(c.room[:], v)])
		return v
	}
	for shift := 0; shift < 64; shift += 7 {
		c.bytes(c.room[:1])
		if c.err != nil {
			return 0
		}
		v |= uint64(c.room[0]&0x7f) << shift
		if c.room[0] < 0x80 {
			return v
		}
	}
	c.Failf("a number is too long")
	return 0
}

// Integer are the types that Int writes and reads.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Int passes a number.
func Int[T Integer](c *Codec, v *T) {
	n := int64(*v)
	if !c.Writes() {
		n = 0
	}
	u := c.uint(uint64(n<<1) ^ uint64(n>>63)) // small negative ones are short as well
	if !c.Writes() {
		*v = T(int64(u>>1) ^ -int64(u&1))
	}
}

// Bool passes a truth value.
func (c *Codec) Bool(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	Int(c, &n)
	*v = n != 0
}

// Float passes a floating-point number.
func (c *Codec) Float(v *float64) {
	n := math.Float64bits(*v)
	Int(c, &n)
	*v = math.Float64frombits(n)
}

// length writes or reads the length of a list whose elements take at least each bytes; a length
// that cannot be true is an error.
func (c *Codec) length(n, each int) int {
	Int(c, &n)
	if !c.Writes() && (n < 0 || int64(n)*int64(each) > c.left) {
		c.Fail(errShort)
	}
	if c.err != nil {
		return 0
	}
	return n
}

// Text passes a string.
func (c *Codec) Text(s *string) {
	n := c.length(len(*s), 1)
	if c.Writes() {
		c.bytes([]byte(*s))
		return
	}
	b := make([]byte, n)
	c.bytes(b)
	*s = string(b)
}

// Bytes passes a list of bytes.
func (c *Codec) Bytes(list *[]byte) {
	n := c.length(len(*list), 1)
	if !c.Writes() {
		*list = make([]byte, n)
	}
	c.bytes(*list)
}

// Word passes a number that is rarely small.
func (c *Codec) Word(v *uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], *v)
	c.bytes(b[:])
	if !c.Writes() {
		if *v = 0; c.err == nil {
			*v = binary.LittleEndian.Uint64(b[:])
		}
	}
}

// Words passes a list of words, eight bytes each. An empty one is read as nil.
func (c *Codec) Words(list *[]uint64) {
	fixed(c, list, form[uint64]{8, binary.LittleEndian.PutUint64, binary.LittleEndian.Uint64})
}

// Halves passes a list of numbers of 32 bits, four bytes each. An empty one is read as nil.
func (c *Codec) Halves(list *[]uint32) {
	fixed(c, list, form[uint32]{4, binary.LittleEndian.PutUint32, binary.LittleEndian.Uint32})
}

// form writes and reads a number of a fixed size in bytes.
type form[T any] struct {
	size int
	put  func([]byte, T)
	get  func([]byte) T
}

// fixed passes a list of numbers of the same size, many at once.
func fixed[T any](c *Codec, list *[]T, f form[T]) {
	n := c.length(len(*list), f.size)
	if !c.Writes() {
		*list = nil
		if n > 0 {
			*list = make([]T, n)
		}
	}
	var room [1 << 10]byte
	for rest := *list; len(rest) > 0 && c.err == nil; {
		now := rest[:min(len(rest), len(room)/f.size)]
		if c.Writes() {
			for i, v := range now {
				f.put(room[i*f.size:], v)
			}
		}
		if c.bytes(room[:len(now)*f.size]); !c.Writes() && c.err == nil {
			for i := range now {
				now[i] = f.get(room[i*f.size:])
			}
		}
		rest = rest[len(now):]
	}
}

// List passes a list. An empty one is read as nil.
func List[T any](c *Codec, list *[]T, one func(c *Codec, v *T)) {
	n := c.length(len(*list), 1)
	if !c.Writes() {
		*list = nil
		if n > 0 {
			*list = make([]T, n)
		}
	}
	for i := range *list {
		if c.err != nil {
			return
		}
		one(c, &(*list)[i])
	}
}

// Ints passes a list of numbers.
func Ints[T Integer](c *Codec, list *[]T) { List(c, list, Int[T]) }

// Mark passes a name, by which a part is found to begin elsewhere than it should.
func (c *Codec) Mark(name string) {
	got := name
	c.Text(&got)
	if got != name {
		c.Failf("%q begins where %q should", got, name)
	}
}

// Same passes a number that has to be the same when it is read.
func Same[T Integer](c *Codec, v T, what string) {
	got := v
	Int(c, &got)
	if got != v {
		c.Failf("%s: %d, and it was %d", what, v, got)
	}
}

// SameBool is Same for a truth value.
func (c *Codec) SameBool(is bool, what string) {
	n := 0
	if is {
		n = 1
	}
	Same(c, n, what)
}

// SameText passes a string that has to be the same when it is read.
func (c *Codec) SameText(s, what string) {
	got := s
	c.Text(&got)
	if got != s {
		c.Failf("%s has changed", what)
	}
}

// Extend passes a list to which a process only appends: when it is read, what is there already must
// be its beginning, and add is called for what follows. It passes the length itself.
func Extend[T comparable](c *Codec, list []T, one func(c *Codec, v *T), add func(v T)) {
	n := c.length(len(list), 1)
	if c.Writes() {
		for i := range list {
			one(c, &list[i])
		}
		return
	}
	if n < len(list) {
		c.Failf("a list has %d elements already, and had %d", len(list), n)
	}
	for i := 0; i < n && c.err == nil; i++ {
		var v T
		if one(c, &v); c.err != nil {
			return
		}
		switch {
		case i >= len(list):
			add(v)
		case list[i] != v:
			c.Failf("element %d of a list is another one", i)
		}
	}
}
