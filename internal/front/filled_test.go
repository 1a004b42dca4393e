// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// One type has a method for each way in which an argument is filled, and for each in which it may be kept all the same.

func TestFilled_ListsWhatCallersGetBack(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": `package p

import "io"

type T struct {
	p    []byte
	next *T
	r    io.Reader
	last *Rec
}

type Rec struct{ A, B int; next *Rec }

func (t *T) Copies(p []byte) int         { return copy(p, t.p) }
func (t *T) Part(p []byte, n int)        { copy(p[n:], t.p) }
func (t *T) Element(p []byte)            { p[0] = 1 }
func (t *T) Out(key string, out *Rec) bool { *out = Rec{A: 1}; return true }
func (t *T) Field(out *Rec)              { if out != nil { out.A = 1 } }
func (t *T) Rest(p []byte) {
	for len(p) > 0 {
		n := copy(p, t.p)
		p = p[n:]
	}
}
func (t *T) Alias(p []byte)              { q := p[1:]; q[0] = 2 }
func (t *T) Helper(p []byte)             { fill(p[:1]) }
func (t *T) Full(p []byte) error         { _, err := io.ReadFull(t.r, p); return err }
func (t *T) SameName(p []byte)           { copy(p, t.p); t.p = append(t.p, p...) }
func fill(p []byte)                      { clear(p) }
func (t *T) Returns(p []byte) []byte     { p[0] = 1; return p }
func (t *T) ReturnsPart(p []byte) []byte { p[0] = 1; return p[1:] }
func (t *T) OrNew(r *Rec) *Rec           { if r == nil { r = new(Rec) }; r.A = 1; return r }
func (t *T) OrLiteral(r *Rec) *Rec       { if r == nil { r = &Rec{B: 1} }; r.A = 1; return r }
func (t *T) OrMade(p []byte) []byte      { if p == nil { p = make([]byte, 1) }; p[0] = 1; return p }

func (t *T) Reads(p []byte) int          { return len(p) + int(p[0]) }
func (t *T) Keeps(p []byte)              { p[0] = 1; t.p = p }
func (t *T) KeepsPart(p []byte)          { p[0] = 1; t.p = p[1:] }
func (t *T) Links(r *Rec)                { r.next = t.last; t.last = r }
func (t *T) Sends(c chan *Rec, r *Rec)   { r.A = 1; c <- r }
func (t *T) Closes(p []byte)             { go func() { p[0] = 1 }() }
func (t *T) Address(r *Rec) *int         { r.A = 1; return &r.A }
func (t *T) KeptByHelper(r *Rec)         { r.A = 1; t.Links(r) }
func (t *T) Method(r *Rec)               { r.A = 1; r.Keep() }
func (t *T) InLiteral(p []byte) *T       { p[0] = 1; return &T{p: p} }
func (t *T) Other(p []byte)              { t.p[0] = p[0] }
func (t *T) Compared(r *Rec)             { if t.last == r { r.A = 1 } }
func (t *T) Unlinks(r *Rec)              { t.last = r.next; r.next = nil }
func (t *T) ByName(p []byte)             { p[0] = 1; t.clear(p) }
func (t *T) clear(p []byte)              { t.p = p }
func (t *T) Key(r *Rec) map[*Rec]bool    { r.A = 1; return map[*Rec]bool{r: true} }
func (t *T) Later(p []byte)              { go fill(p) }
func (t *T) Value(r *Rec) func()         { r.A = 1; return r.Keep }
func (t *T) Array(p *[4]byte)            { p[0] = 1; t.p = (*p)[:] }
func (t *T) InOut(old *int64, n int64) bool  { if *old == n { return true }; *old = n; return false }
func same(r *Rec) *Rec                   { r.A = 1; return r }
func (t *T) KeepsReturned(r *Rec)        { t.last = same(r) }
func (t *T) ReturnsKept(r *Rec) *Rec     { r.A = 1; t.last = r; return r }
func (t *T) ReturnsIn(r *Rec) []*Rec     { r.A = 1; return []*Rec{r} }
func (t *T) OrOne(r *Rec) *Rec           { if r == nil { r = t.last }; r.A = 1; return r }
func (t *T) OrAround(r *Rec) *Rec        { r.A = 1; r = &Rec{next: r}; return r }
func (r *Rec) Keep()                     {}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := List(context.Background(), dir, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]int{"T.Copies": {0}, "T.Part": {0}, "T.Element": {0}, "T.Out": {1}, "T.Field": {0}, "T.Rest": {0}, "T.Alias": {0}, "T.Helper": {0},
		"T.Full": {0}, "T.SameName": {0}, "T.InOut": {0}, "T.Returns": {0}, "T.ReturnsPart": {0}, "T.OrNew": {0}, "T.OrLiteral": {0}, "T.OrMade": {0}}
	held := map[string][]int{"T.Unlinks": {0}}
	if got, may := list[0].Filled(); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(may, held) {
		t.Errorf("filled: %v, want %v; may be held: %v, want %v", got, want, may, held)
	}
}
