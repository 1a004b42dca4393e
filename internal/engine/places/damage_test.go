// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate/file"
	"pangolin/internal/certificate/places"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/proving"
)

// Certificates that are damaged, edited, or say something else than what is so.

func certified(t *testing.T) (*subject.Subject, []byte) {
	t.Helper()
	s := proving.Load(t, queues, "HerlihyWingQueue")
	v, text := attempt(t, s)
	if v.Proof == nil || v.Proof.Text == nil {
		t.Fatal(text)
	}
	return s, v.Proof.Text
}

func parsed(t *testing.T, text []byte) *places.Certificate {
	t.Helper()
	x, err := places.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// damage changes something, and says what. Each change takes something away that executions lead to, or says something else of the collection.
func damage(x *places.Certificate, r *rand.Rand) string {
	row := &x.Rows[r.IntN(len(x.Rows))]
	thread := &x.Threads[r.IntN(len(x.Threads))]
	common := &x.Common[row.Common]
	other := func(list []string, not string) string {
		for {
			if s := list[r.IntN(len(list))]; s != not {
				return s
			}
		}
	}
	switch r.IntN(12) {
	case 0:
		i := r.IntN(len(row.Threads))
		what := fmt.Sprintf("a row without thread %d", row.Threads[i])
		row.Threads = slices.Delete(row.Threads, i, i+1)
		return what
	case 1:
		i := r.IntN(len(x.Rows))
		x.Rows = slices.Delete(x.Rows, i, i+1)
		return "without a row"
	case 2:
		x.Head.Places++
		return "another number of places"
	case 3:
		x.Head.Slice++
		return "the slice elsewhere"
	case 4:
		x.Head.Counters = nil
		return "no counters"
	case 5:
		i := r.IntN(len(common.Counters))
		common.Counters[i] = other([]string{"negative", "below", "lower", "between", "higher", "above"}, common.Counters[i])
		return "a counter elsewhere"
	case 6:
		i := r.IntN(2)
		common.Held[i] = other([]string{"", "first", "second", "other"}, common.Held[i])
		return "another item held"
	case 7:
		i := r.IntN(2)
		if what := other([]string{"called", "stored", "returned", "taken"}, ""); slices.Contains(common.Puts[i], what) {
			common.Puts[i] = slices.DeleteFunc(common.Puts[i], func(s string) bool { return s == what })
		} else {
			common.Puts[i] = append(common.Puts[i], what)
		}
		return "another past"
	case 8:
		common.Before = other([]string{"", "first", "second"}, common.Before)
		return "another order"
	case 9:
		thread.Got = other([]string{"", "first", "second", "other"}, thread.Got)
		return "another item taken"
	case 10:
		thread.Stored = !thread.Stored
		return "stored or not"
	}
	if n := len(thread.Calls); n > 0 {
		if c := &thread.Calls[n-1]; len(c.Values) > 0 {
			i := r.IntN(len(c.Values))
			c.Values[i] = other([]string{"0", "1", "below", "lower<", "above<=", "slice", "word 0", "place higher", "at first", "own 0.0", "?"}, c.Values[i])
			return "another value"
		}
	}
	k := &x.Kept[r.IntN(len(x.Kept))]
	k.PC++
	return "registers kept elsewhere"
}

// A certificate that was damaged is rejected, and is no reason to panic.
func TestCheck_RejectsDamagedCertificates(t *testing.T) {
	s, text := certified(t)
	if err := places.Check(context.Background(), s, parsed(t, text)); err != nil {
		t.Fatal(err)
	}
	tries := 40
	if level.More() {
		tries = 400
	}
	for i := range tries {
		x := parsed(t, text)
		what := damage(x, rand.New(rand.NewPCG(uint64(i), 2)))
		err := places.Check(context.Background(), s, x)
		var r *file.Rejection
		if err == nil || !errors.As(err, &r) {
			t.Errorf("%d, %s: %v", i, what, err)
		}
	}
}

// What is added to a certificate is no damage if it is true.
func TestCheck_TrustsNothing(t *testing.T) {
	s, text := certified(t)
	for _, c := range []struct {
		what   string
		change func(x *places.Certificate)
		want   string
	}{
		{"a row twice", func(x *places.Certificate) { x.Rows = append(x.Rows, x.Rows[0]) }, "two rows"},
		{"no such thread", func(x *places.Certificate) { x.Rows[0].Threads = append(x.Rows[0].Threads, len(x.Threads)) }, "names no thread"},
		{"no such knowledge", func(x *places.Certificate) { x.Rows[0].Common = -1 }, "nothing that all threads know"},
		{"no such register", func(x *places.Certificate) { x.Kept[0].Regs = []int{1 << 20} }, "keeps a register that is none"},
		{"no such function", func(x *places.Certificate) { x.Kept[0].Func = -1 }, "a function that is none"},
		{"no such operation", func(x *places.Certificate) {
			for i := range x.Threads {
				if x.Threads[i].Op == "Dequeue" {
					x.Threads[i].Op = "Peek"
				}
			}
		}, "a thread is in no operation"},
		{"other code", func(x *places.Certificate) { x.Head.Digest = "sha256:0" }, "has changed"},
		{"no rows", func(x *places.Certificate) { x.Rows = nil }, "does not claim what all threads may know"},
	} {
		x := parsed(t, text)
		c.change(x)
		if err := places.Check(context.Background(), s, x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

// A certificate that was edited as a text is refused or rejected.
func TestCheckFile_RefusesEdits(t *testing.T) {
	s, text := certified(t)
	var drawn bytes.Buffer
	if c, err := places.CheckFile(context.Background(), s, text, &drawn); err != nil || !c.Holds || !strings.Contains(drawn.String(), "Dequeue") {
		t.Fatalf("%v, %v, %.200s", c, err, drawn.String())
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range 30 {
		edited := bytes.Clone(text)
		at := r.IntN(len(edited))
		edited[at] ^= 1 << r.IntN(7)
		c, err := places.CheckFile(context.Background(), s, edited, nil)
		if err == nil && c.Holds {
			t.Errorf("byte %d changed from %q to %q: it holds", at, text[at], edited[at])
		}
	}
	if _, err := places.CheckFile(context.Background(), s, text[:len(text)/2], nil); err == nil {
		t.Error("a file that was cut is accepted")
	}
}

// What the certificate says of values is read as it is written.
func TestValue_IsWhatCertificatesSay(t *testing.T) {
	s, text := certified(t)
	x := parsed(t, text)
	var again bytes.Buffer
	if err := x.Write(&again); err != nil || !bytes.Equal(again.Bytes(), text) {
		t.Errorf("it is written otherwise: %v", err)
	}
	if n := x.Views(); n < 1000 || s == nil {
		t.Errorf("it has %d views", n)
	}
}
