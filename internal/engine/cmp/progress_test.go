// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate/file"
	"pangolin/internal/certificate/pairs"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Whether calls return, for any number of threads.

// returning asks whether the calls of a subject have a property of progress. The search has a table even if they have not.
func returning(s *subject.Subject, p verdict.Property) (*search, error) {
	if why := provable(p, s); why != "" {
		found, _ := asked(s, p) // the table all the same
		return found, errors.New(why)
	}
	return asked(s, p)
}

// asked does what returning does of any code.
func asked(s *subject.Subject, p verdict.Property) (*search, error) {
	j := &engine.Job{Subject: s, Property: p, Search: engine.Search{Reduce: engine.AllReductions}}
	return Prove(repository, j, 2, limits{views: 100_000, lost: mostLost, progress: p})
}

// Each type of testdata/subjects/progress is linearizable. "" is proved; else that is why not.
var progressing = []struct{ typ, deadlock, lock string }{
	{"Ordered", "", "may wait for a lock"},
	{"Reader", "", "may wait for a lock"},
	{"Coupled", "", "may wait for a lock"},
	{"Beside", "", "may wait for a lock"},
	{"Bits", "", ""},
	{"Looks", "", ""},
	{"Disturbed", "", ""},
	{"Restless", "", ""},
	{"Crossed", "in a ring", "may wait for a lock"},
	{"Three", "in a ring", "may wait for a lock"},
	{"Meets", "in a ring", "may wait for a lock"},
	{"Strays", "in a ring", "may wait for a lock"},
	{"Readers", "a lock that it has", "may wait for a lock"},
	{"Leaves", "may leave a lock taken", "may leave a lock taken"},
	{"Loses", "may leave a lock taken", "may leave a lock taken"},
	{"Stubborn", "does not return", "does not return"},
	{"Spins", "may go round", "may go round"},
	{"Waver", "may go round", "may go round"},
	{"Sleeps", "waits for a condition", "waits for a condition"},
}

// What is proved the checker accepts. Where the prover refuses to say that calls return, the checker does by itself: it is given the prover's table with the ranks that there are.
func TestProve_SaysWhetherCallsReturn(t *testing.T) {
	for i, c := range progressing {
		for p, want := range map[verdict.Property]string{verdict.DeadlockFree: c.deadlock, verdict.LockFree: c.lock, verdict.ObstructionFree: c.lock} {
			t.Run(c.typ+" "+string(p), func(t *testing.T) {
				if level.Short() && i%5 > 0 {
					t.Skip("every fifth type will do in short")
				}
				s := load(t, "testdata/subjects/progress", c.typ)
				found, err := returning(s, p)
				if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
					t.Fatalf("%v, want %q", err, want)
				}
				if found == nil || found.ranked == nil || len(found.ranked.ranks) == 0 {
					return
				}
				found.accepted(t, c.typ, p, want == "")
				if strings.Contains(want, "may go round") && found.alone() {
					found.accepted(t, c.typ, p, false)
				}
			})
		}
	}
}

// alone gives the views ranks that pass over what other threads do; it is false if a call goes round even then.
func (s *search) alone() bool {
	r := s.ranked
	r.arrows = slices.DeleteFunc(slices.Clone(r.arrows), func(a arrow) bool { return a.of != nil })
	return r.level(len(s.t.views)) < 0
}

// accepted compares what the checker says of a table as a certificate.
func (s *search) accepted(t *testing.T, typ string, p verdict.Property, want bool) {
	t.Helper()
	text, err := certificateOf(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := check(repository, load(t, "testdata/subjects/progress", typ), text, nil)
	if err != nil || got.Holds != want || got.Progress != p {
		t.Errorf("the checker: %+v, %v", got, err)
	}
	t.Logf("%d views: %s", got.Views, got.Reason)
}

// progressIsClaimed says what becomes of a fault in what is proved of whether calls return, as the cells of its row; "" if nothing shows it.
func progressIsClaimed(t *testing.T) string {
	lost := ""
	for _, c := range progressing {
		for _, p := range []verdict.Property{verdict.DeadlockFree, verdict.LockFree} {
			s, want := load(t, "testdata/subjects/progress", c.typ), c.deadlock
			if p == verdict.LockFree {
				want = c.lock
			}
			found, err := returning(s, p)
			if err != nil && want == "" {
				lost = fmt.Sprintf("| | | | | no proof | %s |", c.typ)
			}
			if err != nil {
				continue
			}
			text, err := certificateOf(found, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := check(repository, load(t, "testdata/subjects/progress", c.typ), text, nil)
			switch {
			case err != nil || !got.Holds:
				return fmt.Sprintf("|  |  |  | objects | | %s |", c.typ)
			case want != "":
				return fmt.Sprintf("| | | | | a wrong one is proved | %s |", c.typ)
			}
		}
	}
	return lost
}

// A certificate whose ranks do not say that calls return is refused, and one that claims more than its ranks show.
func TestChecker_RefusesRanksThatShowNothing(t *testing.T) {
	s := func(typ string) *subject.Subject { return load(t, "testdata/subjects/progress", typ) }
	refuses := func(typ, what string, change func(x *pairs.Certificate)) {
		t.Helper()
		found, err := returning(s(typ), verdict.DeadlockFree)
		if err != nil {
			t.Fatal(err)
		}
		x := found.certify()
		change(x)
		c, err := pairs.New(s(typ), x)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Check(repository); !errors.As(err, new(*file.Rejection)) {
			t.Errorf("%s, %s: %v", typ, what, err)
		}
	}
	for _, typ := range []string{"Bits", "Ordered", "Disturbed"} {
		refuses(typ, "all ranks are 0", func(x *pairs.Certificate) {
			for i := range x.Views {
				x.Views[i].Rank = 0
			}
		})
		refuses(typ, "ranks grow", func(x *pairs.Certificate) {
			for i := range x.Views {
				x.Views[i].Rank = len(x.Views) - x.Views[i].Rank
			}
		})
		refuses(typ, "the property is none", func(x *pairs.Certificate) { x.Head.Progress = verdict.Linear })
		refuses(typ, "the property is not claimed by such certificates", func(x *pairs.Certificate) { x.Head.Progress = verdict.WaitFree })
	}
	for _, typ := range []string{"Ordered", "Reader"} {
		refuses(typ, "it has locks", func(x *pairs.Certificate) { x.Head.Progress = verdict.LockFree })
	}
}

// locking is a set whose operations take locks of three, some of them for reading, in an order of each operation's own, and the lock of its items in the end.
type locking struct{ ops [3][]taking }

// taking is a lock that an operation takes, and gives back in the end, or forgets.
type taking struct {
	lock         int
	reads, loses bool
}

func drawLocking(r *rand.Rand) (l locking) {
	for i := range l.ops {
		for range 1 + r.IntN(3) {
			t := taking{lock: r.IntN(3), reads: r.IntN(3) == 0, loses: r.IntN(25) == 0}
			if again := slices.ContainsFunc(l.ops[i], func(u taking) bool { return u.lock == t.lock && !(u.reads && t.reads) }); !again {
				l.ops[i] = append(l.ops[i], t)
			}
		}
	}
	return l
}

// source is the set as Go.
func (l *locking) source(pkg string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"sync\"\n\n//pangolin:kind set\ntype Set struct {\n\tmu [3]sync.RWMutex\n\tg sync.Mutex\n\thas [2]bool\n}\n", pkg)
	for i, op := range []string{"Add", "Remove", "Contains"} {
		fmt.Fprintf(&b, "\nfunc (s *Set) %s(x int) bool {\n", op)
		for _, t := range l.ops[i] {
			fmt.Fprintf(&b, "\ts.mu[%d].%s()\n", t.lock, map[bool]string{true: "RLock", false: "Lock"}[t.reads])
		}
		b.WriteString("\ts.g.Lock()\n\twas := s.has[x]\n")
		b.WriteString([]string{"\ts.has[x] = true\n", "\ts.has[x] = false\n", ""}[i] + "\ts.g.Unlock()\n")
		for _, t := range slices.Backward(l.ops[i]) {
			if !t.loses {
				fmt.Fprintf(&b, "\ts.mu[%d].%s()\n", t.lock, map[bool]string{true: "RUnlock", false: "Unlock"}[t.reads])
			}
		}
		b.WriteString([]string{"\treturn !was\n}\n", "\treturn was\n}\n", "\treturn was\n}\n"}[i])
	}
	return b.String()
}

// locked is a state of threads that make calls of a locking set, by themselves: Go's locks as their documentation describes them, and nothing of the machine.
type locked struct {
	op, at  [3]int  // by thread: its operation, counted from 1, and its next step; 0, 0: it makes no call
	writer  [3]int  // by lock: the thread that has it for writing or has announced that it will, counted from 1
	waits   [3]bool // by lock: the writer waits for readers
	readers [3]int  // by lock
	lost    [3]bool // by lock: somebody has not given it back that reads
}

// stuck says whether three threads may come to wait for ever, all that make a call.
func (l *locking) stuck() bool {
	seen := map[locked]bool{{}: true}
	work := []locked{{}}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		moved, busy := false, false
		put := func(n locked) {
			if !seen[n] {
				seen[n] = true
				work = append(work, n)
			}
		}
		for t := range s.op {
			if s.op[t] == 0 {
				for op := range l.ops {
					n := s
					n.op[t], n.at[t] = op+1, 0
					put(n)
				}
				continue
			}
			busy = true
			if n, ok := l.step(s, t); ok {
				moved = true
				put(n)
			}
		}
		if busy && !moved {
			return true
		}
	}
	return false
}

// step is the next step of a thread, if it can go on. The lock of the items is waited for by nobody who keeps others out, so it is no step.
func (l *locking) step(s locked, t int) (locked, bool) {
	list := l.ops[s.op[t]-1]
	i := s.at[t]
	if i < len(list) {
		lock := list[i].lock
		switch {
		case list[i].reads && s.writer[lock] != 0:
			return s, false
		case list[i].reads:
			s.readers[lock]++
			s.at[t]++
		case s.writer[lock] == 0:
			s.writer[lock], s.waits[lock] = t+1, true // announced
		case s.writer[lock] == t+1 && s.waits[lock] && s.readers[lock] == 0 && !s.lost[lock]:
			s.waits[lock] = false
			s.at[t]++
		default:
			return s, false
		}
		return s, true
	}
	if back := i - len(list); back < len(list) {
		u := list[len(list)-1-back]
		switch {
		case u.reads:
			s.readers[u.lock]--
			s.lost[u.lock] = s.lost[u.lock] || u.loses
		case !u.loses:
			s.writer[u.lock] = 0
		}
		s.at[t]++
		return s, true
	}
	s.op[t], s.at[t] = 0, 0
	return s, true
}

// Of sets that take locks in any order, those that are proved to be deadlock-free have no state in which three threads wait. Shared with the prover is nothing but the text.
func TestProve_AgreesAboutLocksOfGeneratedSets(t *testing.T) {
	n := 12
	if level.More() {
		n = 150
	}
	if level.Short() {
		t.Skip("takes seconds")
	}
	r := rand.New(rand.NewPCG(7, 7))
	sets, texts := map[string]locking{}, map[string]string{}
	for i := range n {
		name := fmt.Sprintf("l%d", i)
		sets[name] = drawLocking(r)
		l := sets[name]
		texts[name] = l.source(name)
	}
	proved, stuck, cautious := 0, 0, 0
	for name, s := range module(t, texts) {
		l := sets[strings.TrimSuffix(name, ".Set")]
		_, err := returning(s, verdict.DeadlockFree)
		is := l.stuck()
		switch {
		case err == nil && is:
			t.Errorf("it is proved to be deadlock-free, and three threads wait for ever:\n%s", l.source("p"))
		case err == nil:
			proved++
		case is:
			stuck++
		default:
			cautious++
			t.Logf("nobody waits for ever, and it is not proved: %v\n%s", err, l.source("p"))
		}
	}
	t.Logf("%d are proved, %d may wait for ever, %d of the others are not proved", proved, stuck, cautious)
	if proved < n/5 || stuck < n/5 || cautious > n/5 {
		t.Errorf("of %d sets %d are proved, %d may wait for ever, %d of the others are not proved: that compares little", n, proved, stuck, cautious)
	}
}

// wavering is a set whose Contains goes by a word of three values before it looks: at each value it goes on by itself, or puts another value there and then goes on, or goes round.
type wavering [3]struct {
	next   int // the value that is put there; -1: none, and the call goes on
	leaves bool
}

func drawWavering(r *rand.Rand) (w wavering) {
	for i := range w {
		w[i].next, w[i].leaves = r.IntN(4)-1, r.IntN(2) == 0
	}
	return w
}

// source is the set as Go.
func (w *wavering) source(pkg string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"sync/atomic\"\n\n//pangolin:kind set\ntype Set struct{ bits, word atomic.Int64 }\n", pkg)
	b.WriteString("\nfunc (s *Set) Add(x int) bool    { return s.bits.Or(1<<x)>>x&1 == 0 }\nfunc (s *Set) Remove(x int) bool { return s.bits.And(^(1<<x))>>x&1 != 0 }\n")
	b.WriteString("\nfunc (s *Set) Contains(x int) bool {\nround:\n\tfor {\n\t\tswitch s.word.Load() {\n")
	for i, a := range w {
		fmt.Fprintf(&b, "\t\tcase %d:\n", i)
		switch {
		case a.next < 0:
			b.WriteString("\t\t\tbreak round\n")
		case a.leaves:
			fmt.Fprintf(&b, "\t\t\tif s.word.CompareAndSwap(%d, %d) {\n\t\t\t\tbreak round\n\t\t\t}\n", i, a.next)
		default:
			fmt.Fprintf(&b, "\t\t\ts.word.CompareAndSwap(%d, %d)\n", i, a.next)
		}
	}
	b.WriteString("\t\t}\n\t}\n\treturn s.bits.Load()>>x&1 != 0\n}\n")
	return b.String()
}

// goesRound says whether three threads in Contains may make steps for ever of which none lets a call leave its loop.
func (w *wavering) goesRound() bool {
	type at struct {
		word int
		read [3]int // by thread: the value that it has read, counted from 1; 0: it is about to read
	}
	const open, closed = 1, 2
	seen := map[at]int{}
	var cycle func(s at) bool
	cycle = func(s at) bool {
		seen[s] = open
		for t := range s.read {
			n, o := s, s.read[t]-1
			switch {
			case o < 0 && w[s.word].next < 0:
				continue // it leaves
			case o < 0:
				n.read[t] = s.word + 1
			case s.word == o && w[o].leaves:
				continue
			case s.word == o:
				n.word, n.read[t] = w[o].next, 0
			default:
				n.read[t] = 0
			}
			if seen[n] == open || seen[n] == 0 && cycle(n) {
				return true
			}
		}
		seen[s] = closed
		return false
	}
	// Those that leave may have left any value that can be there.
	reached := map[int]bool{0: true}
	for range w {
		for i, a := range w {
			if reached[i] && a.next >= 0 {
				reached[a.next] = true
			}
		}
	}
	for word := range w {
		if s := (at{word: word}); reached[word] && seen[s] == 0 && cycle(s) {
			return true
		}
	}
	return false
}

// Of sets that go round by a word, those that are proved to be lock-free have no three threads that go round for ever. Shared with the prover is nothing but the text.
func TestProve_AgreesAboutLoopsOfGeneratedSets(t *testing.T) {
	if level.Short() {
		t.Skip("takes seconds")
	}
	n := 16
	if level.More() {
		n = 150
	}
	r := rand.New(rand.NewPCG(9, 9))
	sets, texts := map[string]wavering{}, map[string]string{}
	for i := range n {
		name := fmt.Sprintf("w%d", i)
		sets[name] = drawWavering(r)
		w := sets[name]
		texts[name] = w.source(name)
	}
	proved, round, cautious := 0, 0, 0
	for name, s := range module(t, texts) {
		w := sets[strings.TrimSuffix(name, ".Set")]
		_, err := returning(s, verdict.LockFree)
		is := w.goesRound()
		switch {
		case err == nil && is:
			t.Errorf("it is proved to be lock-free, and three threads go round for ever:\n%s", w.source("p"))
		case err == nil:
			proved++
		case is:
			round++
		default:
			cautious++
			t.Logf("nobody goes round for ever, and it is not proved: %v\n%s", err, w.source("p"))
		}
	}
	t.Logf("%d are proved, %d may go round for ever, %d of the others are not proved", proved, round, cautious)
	if proved < n/5 || round < n/5 || cautious > n/5 {
		t.Errorf("of %d sets %d are proved, %d may go round for ever, %d of the others are not proved: that compares little", n, proved, round, cautious)
	}
}
