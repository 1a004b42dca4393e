// SPDX-License-Identifier: BSD-3-Clause

package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// What a recorder writes, and what it costs.

func TestRecorder_WritesLines(t *testing.T) {
	var out bytes.Buffer
	r := NewRecorder(&out, "map", Text(""))
	c := r.Client("a \"1\"")
	c.Call("put", Text("x\n"), Num(-3))
	c.Return()
	c.Call("cas", Text("x"), Num(1), Num(2))
	c.Return(Truth(true))
	c.Call("get", Text("x"))
	c.Return(Unknown())
	c.Call("get", Text("x"))
	c.Return(Datum{})
	c.Call("put", Text("x"), Num(1))
	c.Crash()
	c.Return() // of nothing
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if r.Close() == nil {
		t.Error("a recorder is closed twice")
	}
	got := regexp.MustCompile(`"(call|return)":\d+`).ReplaceAllString(out.String(), `"$1":T`)
	want := `{"history":1,"kind":"map","initial":""}
{"client":"a \"1\"","op":"put","args":["x\u000a",-3],"call":T,"return":T}
{"client":"a \"1\"","op":"cas","args":["x",1,2],"result":true,"call":T,"return":T}
{"client":"a \"1\"","op":"get","args":["x"],"unknown":true,"call":T,"return":T}
{"client":"a \"1\"","op":"get","args":["x"],"result":null,"call":T,"return":T}
{"client":"a \"1\"","op":"put","args":["x",1],"call":T}
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Many clients, of more calls than their buffers hold.
func TestRecorder_LosesNothing(t *testing.T) {
	var out bytes.Buffer
	r := NewRecorder(&out, "counter", Datum{})
	var all sync.WaitGroup
	for i := range 8 {
		c := r.Client(fmt.Sprint("c", i))
		all.Add(1)
		go func() {
			defer all.Done()
			for range 10_000 {
				c.Call("add", Num(1))
				c.Return()
			}
		}()
	}
	all.Wait()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 80_001 {
		t.Errorf("%d lines", n)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestRecorder_TellsThatItCouldNotWrite(t *testing.T) {
	r := NewRecorder(failing{}, "counter", Datum{})
	c := r.Client("c")
	for range 10_000 {
		c.Call("add", Num(1))
		c.Return()
	}
	if err := r.Close(); err == nil {
		t.Error("no error")
	}
}

// What a call costs its client while the one that writes keeps up: bursts of calls that fit into a client's buffers.
func BenchmarkRecorder(b *testing.B) {
	for _, counted := range []bool{false, true} {
		b.Run(map[bool]string{false: "clock", true: "counter"}[counted], func(b *testing.B) {
			r := NewRecorder(io.Discard, "register", Num(0))
			if counted {
				r.Count()
			}
			c := r.Client("a")
			b.ReportAllocs()
			for i := range b.N {
				if i%500 == 0 { // of 40 bytes each
					b.StopTimer()
					for len(c.spare) < buffers-1 {
						runtime.Gosched()
					}
					b.StartTimer()
				}
				c.Call("write", Num(int64(i)))
				c.Return()
			}
			b.StopTimer()
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// The order of a counter: a call that returned before another one began has the lesser number, and calls in progress at one time overlap.
func TestRecorder_CountsInPlaceOfTheClock(t *testing.T) {
	var out bytes.Buffer
	r := NewRecorder(&out, "counter", Datum{}).Count()
	a, b := r.Client("a"), r.Client("b")
	a.Call("add", Num(1))
	b.Call("add", Num(2))
	a.Return()
	a.Call("add", Num(3))
	b.Return()
	b.Call("add", Num(4))
	b.Crash()
	a.Return()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	want := `{"history":1,"kind":"counter"}
{"client":"a","op":"add","args":[1],"call":1,"return":2}
{"client":"a","op":"add","args":[3],"call":3,"return":6}
{"client":"b","op":"add","args":[2],"call":1,"return":4}
{"client":"b","op":"add","args":[4],"call":5}
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// The clock alone, which is read twice for each call.
func BenchmarkClock(b *testing.B) {
	r := &Recorder{start: time.Now()}
	for b.Loop() {
		r.now()
	}
}

// Texts and names that cannot be written as they are, many arguments, a large one, and calls behind Close.
func TestRecorder_TellsWhatItCannotRecord(t *testing.T) {
	close := func(use func(r *Recorder)) (string, error) {
		var out bytes.Buffer
		r := NewRecorder(&out, "map", Datum{})
		use(r)
		err := r.Close()
		return out.String(), err
	}
	for name, use := range map[string]func(r *Recorder){
		`two clients have the name "a"`: func(r *Recorder) { r.Client("a"); r.Client("a") },
		`the text "\xff" is no UTF-8`:   func(r *Recorder) { r.Client("a").Call("put", Text("\xff"), Num(1)) },
		`the text "\xfe" is no UTF-8`:   func(r *Recorder) { r.Client("a").Call("put", List(Num(1), Text("\xfe"))) },
	} {
		if _, err := close(use); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
	many := make([]Datum, 300)
	out, err := close(func(r *Recorder) {
		c := r.Client("a")
		c.Call("f", many...)
		c.Return(Text(strings.Repeat("x", 1<<20)))
		for range 10 * perBuffer / 16 { // the large buffer comes back
			c.Call("g")
			c.Return()
		}
		for len(c.spare) > 0 {
			if b := <-c.spare; cap(b.bytes) > 2*perBuffer {
				t.Errorf("a buffer of %d bytes is kept", cap(b.bytes))
			}
		}
	})
	if first := strings.SplitN(out, "\n", 3)[1]; err != nil || strings.Count(first, "null") != 300 || !strings.Contains(first, strings.Repeat("x", 1<<20)) {
		t.Errorf("%v: %.200s", err, first)
	}
	var after *Client
	_, err = close(func(r *Recorder) { after = r.Client("a") })
	defer func() {
		if said := recover(); err != nil || said != `history: client "a" calls get behind Recorder.Close` {
			t.Errorf("%v, %v", said, err)
		}
	}()
	after.Call("get")
}

// Recorders have one clock: a call that contains another one on the clock contains it in the records, but for what the clocks were read to.
func TestRecorder_HasTheClockOfTheHost(t *testing.T) {
	for range 200 {
		_, _, within := hostClock()
		a, b := NewRecorder(io.Discard, "map", Datum{}), NewRecorder(io.Discard, "map", Datum{})
		begin := a.begins()
		inner, then := b.begins(), b.returns()
		end := a.returns()
		if tolerated := int64(100 * time.Microsecond); within < 0 || within > tolerated || begin > inner+tolerated || then > end+tolerated {
			t.Fatalf("%d to %d contains %d to %d; the clock is read to %d ns", begin, end, inner, then, within)
		}
		a.Close()
		b.Close()
	}
}
