// SPDX-License-Identifier: BSD-3-Clause

package checkpoint

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/saved"
)

// When searches are written down, what is found of them again, and what is told.

const aKey = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// task is a session of a directory, with what it has told.
type task struct {
	*Session
	told []string
}

func session(t *testing.T, dir string, resume bool, pace Pace) *task {
	t.Helper()
	d, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	k := &task{}
	k.Session = &Session{Dir: d, Key: aKey, Resume: resume, Pace: pace, Tell: func(text string) { k.told = append(k.told, text) }}
	return k
}

// search is the next slot, of a search for n.
func (k *task) search(about string) *Slot {
	s := Next(With(context.Background(), k.Session))
	s.About = about
	return s
}

func number(n *int) func(*saved.Codec) { return func(c *saved.Codec) { saved.Int(c, n) } }

// goesOn reads what a slot has, a number; -1: nothing.
func goesOn(t *testing.T, s *Slot) int {
	t.Helper()
	c := s.Open()
	if c == nil {
		return -1
	}
	defer s.Close()
	n := 0
	if number(&n)(c); c.End() != nil {
		t.Error(c.Err())
	}
	return n
}

func TestSlots_AreThoseOfTheSameSearches(t *testing.T) {
	dir := t.TempDir()
	one := session(t, dir, false, Pace{})
	for n, about := range []string{"small", "large"} {
		s := one.search(about)
		if c := s.Open(); c != nil {
			t.Error("a session that does not resume reads")
		}
		s.Write(uint64(10*n), false, number(&n))
	}
	if !one.Written() || one.Resumed() || !one.There() || len(one.told) > 0 {
		t.Errorf("written %v, resumed %v, there %v, told %q", one.Written(), one.Resumed(), one.There(), one.told)
	}

	two := session(t, dir, true, Pace{})
	for want, about := range []string{"small", "large"} {
		s := two.search(about)
		if got := goesOn(t, s); got != want || s.Resumed() != 1 || s.Before() <= 0 || s.Lasted() < s.Before() {
			t.Errorf("%s: %d, resumed %d times, after %v of %v", about, got, s.Resumed(), s.Before(), s.Lasted())
		}
	}
	if third := two.search("more"); goesOn(t, third) != -1 {
		t.Error("a search that was not written goes on")
	}
	if !two.Resumed() || len(two.told) != 2 || !strings.Contains(two.told[1], "a search goes on from the checkpoint of ") || !strings.Contains(two.told[1], "(10 states, ") {
		t.Errorf("resumed %v, told %q", two.Resumed(), two.told)
	}

	if two.Discard(); two.There() {
		t.Error("what was discarded is there")
	}
}

// A search about something else, and a file that is damaged, are not gone on with, and it is told.
func TestOpen_RefusesWhatIsNotOfTheSearch(t *testing.T) {
	dir := t.TempDir()
	n := 7
	session(t, dir, false, Pace{}).search("this").Write(1, false, number(&n))

	k := session(t, dir, true, Pace{})
	s := k.search("that")
	if goesOn(t, s) != -1 || k.Resumed() || s.Resumed() != 0 || s.Before() != 0 || len(k.told) != 1 ||
		!strings.Contains(k.told[0], "a checkpoint is not used, and the search begins: what the search is about has changed") {
		t.Errorf("resumed %v, told %q", k.Resumed(), k.told)
	}

	list, err := filepath.Glob(filepath.Join(dir, "*", "*.checkpoint"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	text, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2]++
	if err := os.WriteFile(list[0], text, 0o666); err != nil {
		t.Fatal(err)
	}
	k = session(t, dir, true, Pace{})
	if goesOn(t, k.search("this")) != -1 || len(k.told) != 1 || !strings.Contains(k.told[0], "damaged") {
		t.Errorf("told %q of a damaged file", k.told)
	}
}

// A caller that refuses what it reads begins anew, with nothing of the time before.
func TestRefuse_BeginsAgain(t *testing.T) {
	dir := t.TempDir()
	n := 7
	session(t, dir, false, Pace{}).search("this").Write(1, false, number(&n))
	k := session(t, dir, true, Pace{})
	s := k.search("this")
	c := s.Open()
	if c == nil {
		t.Fatal("nothing is read")
	}
	c.Failf("another form")
	if s.Refuse(c.Err()); s.Before() != 0 || s.Resumed() != 0 || !strings.Contains(k.told[len(k.told)-1], "another form") {
		t.Errorf("%v before, %d times, told %q", s.Before(), s.Resumed(), k.told)
	}
}

// How often a search went on, and how long it has lasted, are added up over processes.
func TestWrite_AddsUpProcesses(t *testing.T) {
	dir := t.TempDir()
	n, lasted := 1, time.Duration(0)
	session(t, dir, false, Pace{}).search("this").Write(1, false, number(&n))
	for times := 1; times <= 3; times++ {
		s := session(t, dir, true, Pace{}).search("this")
		if got := goesOn(t, s); got != n || s.Resumed() != times || s.Before() <= lasted {
			t.Errorf("%d, gone on %d times, after %v; want %d, %d times, after more than %v", got, s.Resumed(), s.Before(), n, times, lasted)
		}
		lasted = s.Before()
		n++
		s.Write(1, false, number(&n))
	}
}

// A pace says when a search is due: at first, then after a pause, which is longer where writing takes long; and not at the end of a short one.
func TestPace_SaysWhenASearchIsDue(t *testing.T) {
	n := 1
	dir := t.TempDir()
	if s := session(t, dir, false, Pace{First: time.Hour}).search("this"); s.Due() {
		t.Error("it is due before the first time")
	}
	s := session(t, dir, false, Pace{Between: time.Hour}).search("this")
	if !s.Due() {
		t.Error("it is not due at first")
	}
	if s.Write(1, false, number(&n)); s.Due() {
		t.Error("it is due again at once")
	}
	slow := session(t, dir, false, Pace{Share: 1 << 20}).search("this")
	slow.Write(1, false, func(c *saved.Codec) { time.Sleep(time.Millisecond); number(&n)(c) })
	if slow.Due() {
		t.Error("it is due again although writing takes long")
	}
	k := session(t, t.TempDir(), false, Pace{Last: time.Hour, Every: 5})
	last := k.search("this")
	if last.Write(1, true, number(&n)); k.Written() || k.There() || last.Every() != 5 {
		t.Error("a short search that has ended is written")
	}
	if last.Write(1, false, number(&n)); !k.Written() || !k.There() {
		t.Error("a search that is due is not written")
	}
}

// What cannot be written is told once, and the search is not written any more.
func TestWrite_TellsWhatGoesWrong(t *testing.T) {
	dir := t.TempDir()
	k := session(t, dir, false, Pace{})
	wrote := 0
	k.Wrote = func() { wrote++ }
	s := k.search("this")
	n := 7
	s.Write(1, false, number(&n))
	for range 2 {
		s.Write(2, false, func(c *saved.Codec) { c.Failf("no room") })
	}
	s.Write(3, false, number(&n))
	if wrote != 1 || len(k.told) != 1 || !strings.Contains(k.told[0], "the search leaves no checkpoint: ") {
		t.Errorf("written %d times, told %q", wrote, k.told)
	}
	if got := goesOn(t, session(t, dir, true, Pace{}).search("this")); got != 7 {
		t.Errorf("the checkpoint before is %d", got)
	}
}

// Searches without a session, and within Without, are not written down.
func TestNext_WithoutASession(t *testing.T) {
	k := session(t, t.TempDir(), false, Pace{})
	if Next(context.Background()) != nil || Next(Without(With(context.Background(), k.Session))) != nil {
		t.Error("there is a slot without a session")
	}
}
