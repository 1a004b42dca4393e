//go:build prelude

//pangolin:for time

package prelude

import (
	"runtime"
	"time"
	"unsafe"
)

// What happens after a duration happens at any moment, however long or short the duration is, or, in virtual
// time, when nobody can move and no other moment comes before. doc/time.md has what the clock shows.

// moment is a time by the clock: a word that says how it is held, and the number of nanoseconds from where that counts.
type moment struct {
	wall uint64
	ext  int64
}

const (
	// relative is the first word of a time.Time that the clock has shown: the second is its distance from the present, which the
	// machine keeps up to date. No program computes the word by chance.
	relative = 0xc5a1f3e72b9d4c06
	// monotonic is the bit by which package time knows that only the second words of two times are to be compared.
	monotonic = 1 << 63
	// numbered is the first word of a moment whose second one counts from the beginning.
	numbered = 1
)

// The forms of the clock, as package ir has them.
const (
	clockCounts = iota
	clockForgets
	clockExact
	clockNumbers
)

// clock counts how often the clock has gone on, by a year each time, or the nanoseconds since the beginning; where
// moments are relative, it stands for the clock.
var clock int

// What the machine provides.

func clockForm() int
func virtualTime() bool

// clockJumps says how often the clock may go on.
func clockJumps() int

// chooseMoment is the clock, which stood at this number, or has gone on.
func chooseMoment(clock int) int

// clockNow is what the clock counts, if that is nanoseconds.
func clockNow(clock *int) int

// later is the moment after a duration.
func later(clock *int, d int64) moment

// timer waits for a moment; the calling thread stands for a timer.
func timer(clock *int, when moment)

// sleeping waits for a moment.
func sleeping(clock *int, when moment)

// passTime lets the clock go on, or not.
func passTime()

// comparesTimes and subtractsTimes note that this is done with two relative times.
func comparesTimes(a, b int64)
func subtractsTimes(a, b int64)

// addedTime is a relative time after a duration.
func addedTime(ext, d int64) int64

// looksAtTime notes that code calculates with a time that is relative.
func looksAtTime()

// ofTimer says that a channel is a timer's: cap and len of it are 0.
func ofTimer(c chan time.Time)

// presentTime is the present, as a relative time.
func presentTime() (t time.Time) {
	*(*moment)(unsafe.Pointer(&t)) = moment{relative, 0}
	return t
}

// utc is a moment in UTC, by seconds and nanoseconds since 1970. time.Unix would mention time.Local, which initialisers that are left out can make unknown.
func utc(sec, nsec int64) (t time.Time) {
	const since1970 = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 24 * 60 * 60 // from the year 1, from where the second word counts
	*(*moment)(unsafe.Pointer(&t)) = moment{uint64(nsec), since1970 + sec}
	return t
}

// years is the moment after so many years.
func years(clock int) time.Time {
	const year = 365 * 24 * 60 * 60
	return utc(1_000_000_000+int64(clock)*year, 0)
}

// nanoseconds is the moment so long after the beginning of virtual time, which is that of package testing/synctest.
func nanoseconds(clock int) time.Time {
	const second = 1_000_000_000
	return utc(946_684_800+int64(clock)/second, int64(clock)%second)
}

// firingTime is the time that a timer sends.
func firingTime() time.Time {
	switch clockForm() {
	case clockCounts:
		return years(clock)
	case clockNumbers:
		return nanoseconds(clockNow(&clock))
	}
	return presentTime()
}

//pangolin:model time.Now
func timeNow() time.Time {
	switch form := clockForm(); {
	case form == clockNumbers:
		return nanoseconds(clockNow(&clock))
	case form != clockCounts && virtualTime():
		return presentTime()
	case form != clockCounts:
		atomicBegin(unsafe.Pointer(&clock), true)
		passTime()
		t := presentTime()
		atomicEnd()
		return t
	}
	if clockJumps() == 0 {
		return years(0)
	}
	atomicBegin(unsafe.Pointer(&clock), true)
	clock = chooseMoment(clock)
	t := years(clock)
	atomicEnd()
	return t
}

// passYear lets the clock go on by a year, for harnesses.
//
//pangolin:model pangolin/harness.passYear
func passYear() {
	atomicBegin(unsafe.Pointer(&clock), true)
	clock++
	atomicEnd()
}

//pangolin:model time.runtimeNano
func runtimeNano() int64 { return 1 }

//pangolin:model time.runtimeNow
func runtimeNow() (sec int64, nsec int32, mono int64) { return 0, 0, 1 }

//pangolin:model time.runtimeIsBubbled
func runtimeIsBubbled() bool { return false }

//pangolin:model time.Since
func timeSince(t time.Time) time.Duration { return timeNow().Sub(t) }

//pangolin:model time.Until
func timeUntil(t time.Time) time.Duration { return t.Sub(timeNow()) }

func momentOf(t *time.Time) *moment { return (*moment)(unsafe.Pointer(t)) }

//pangolin:model (time.Time).Sub
func timeSub(t, u time.Time) time.Duration {
	const greatest = time.Duration(1<<63 - 1)
	a, b := momentOf(&t), momentOf(&u)
	switch {
	case a.wall&b.wall&monotonic != 0:
		subtractsTimes(a.ext, b.ext)
		d := time.Duration(a.ext - b.ext)
		switch {
		case d < 0 && a.ext > b.ext:
			return greatest
		case d > 0 && a.ext < b.ext:
			return -greatest - 1
		}
		return d
	case a.wall == relative && *b == moment{}:
		return greatest
	case b.wall == relative && *a == moment{}:
		return -greatest - 1
	}
	d := time.Duration(t.Unix()-u.Unix())*time.Second + time.Duration(t.Nanosecond()-u.Nanosecond())
	switch {
	case u.Add(d).Equal(t):
		return d
	case t.Before(u):
		return -greatest - 1
	}
	return greatest
}

//pangolin:model (time.Time).Add
func timeAdd(t time.Time, d time.Duration) time.Time {
	const second, mask = 1_000_000_000, 1<<30 - 1
	w := momentOf(&t)
	if w.wall == relative {
		w.ext = addedTime(w.ext, int64(d))
		return t
	}
	sec, nsec := int64(d/second), int64(w.wall&mask)+int64(d%second)
	switch {
	case nsec >= second:
		sec, nsec = sec+1, nsec-second
	case nsec < 0:
		sec, nsec = sec-1, nsec+second
	}
	w.wall = w.wall&^mask | uint64(nsec)
	sum := w.ext + sec
	switch {
	case (sum > w.ext) == (sec > 0):
		w.ext = sum
	case sec > 0:
		w.ext = 1<<63 - 1
	default:
		w.ext = -(1<<63 - 1)
	}
	return t
}

//pangolin:model (time.Time).Compare
func timeCompare(t, u time.Time) int {
	a, b := momentOf(&t), momentOf(&u)
	var x, y int64
	switch {
	case a.wall&b.wall&monotonic != 0:
		comparesTimes(a.ext, b.ext)
		x, y = a.ext, b.ext
	case a.wall == relative && *b == moment{}:
		return 1
	case b.wall == relative && *a == moment{}:
		return -1
	default:
		if x, y = t.Unix(), u.Unix(); x == y {
			x, y = int64(t.Nanosecond()), int64(u.Nanosecond())
		}
	}
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

//pangolin:model (time.Time).After
func timeAfterThat(t, u time.Time) bool { return timeCompare(t, u) > 0 }

//pangolin:model (time.Time).Before
func timeBefore(t, u time.Time) bool { return timeCompare(t, u) < 0 }

//pangolin:model (time.Time).Equal
func timeEqual(t, u time.Time) bool { return timeCompare(t, u) == 0 }

// What follows is what package time reads and writes the words of a time with: what is not modelled calls it.

//pangolin:model (*time.Time).nsec
func timeNsec(t *time.Time) int32 {
	w := momentOf(t)
	if w.wall == relative {
		looksAtTime()
	}
	return int32(w.wall & (1<<30 - 1))
}

//pangolin:model (*time.Time).sec
func timeSec(t *time.Time) int64 {
	w := momentOf(t)
	if w.wall&monotonic != 0 {
		looksAtTime()
		return 0
	}
	return w.ext
}

// A time that is relative stays so: it compares as before.
//
//pangolin:model (*time.Time).stripMono
func timeStripMono(t *time.Time) {}

//pangolin:model time.Sleep
func timeSleep(d time.Duration) {
	if d <= 0 || !virtualTime() {
		runtime.Gosched()
		return
	}
	sleeping(&clock, later(&clock, int64(d)))
}

// timerState is what the pointers to timers and tickers that NewTimer,
// AfterFunc and NewTicker return really point to.
type timerState struct {
	timer   time.Timer // as a Ticker has it, too
	c       chan time.Time
	f       func()
	pending *firing // nil when the timer has been stopped or has fired
}

// firing is one expiry to come.
type firing struct{ t *timerState }

func stateOf(t *time.Timer) *timerState { return (*timerState)(unsafe.Pointer(t)) }

// timerWords has the words of a time.Timer, and of a time.Ticker.
type timerWords struct {
	c    <-chan time.Time
	made bool // by a function of package time
}

func timerMade(t *time.Timer) bool { return (*timerWords)(unsafe.Pointer(t)).made }

// newTimerState is the state of a timer or ticker, with its channel, nil if it has none.
func newTimerState(c chan time.Time, f func()) *timerState {
	s := &timerState{c: c, f: f}
	w := (*timerWords)(unsafe.Pointer(&s.timer))
	w.c, w.made = c, true
	return s
}

// withChannel is the state of a timer or ticker that has a channel.
func withChannel() *timerState {
	c := make(chan time.Time, 1)
	ofTimer(c)
	return newTimerState(c, nil)
}

// begin starts a new expiry.
func (s *timerState) begin(d time.Duration) {
	p := &firing{s}
	s.pending = p
	go p.run(later(&clock, int64(d)))
}

func (p *firing) run(when moment) {
	timer(&clock, when)
	s := p.t
	atomicBegin(unsafe.Pointer(&s.pending), true)
	var f func() // read here, so that the goroutine of one that has none ends with this step
	fires := s.pending == p
	if fires {
		s.pending, f = nil, s.f
		if s.c != nil {
			select {
			case s.c <- firingTime():
			default:
			}
		}
	}
	atomicEnd()
	if f != nil {
		f()
	}
}

// cancel stops the timer, in an atomic step, and says whether it was active. A
// time in the channel that was not received is taken back.
func (s *timerState) cancel() bool {
	active := s.pending != nil
	s.pending = nil
	if s.c != nil {
		select {
		case <-s.c:
			active = true
		default:
		}
	}
	return active
}

//pangolin:model time.NewTimer
func newTimer(d time.Duration) *time.Timer {
	s := withChannel()
	s.begin(d)
	return &s.timer
}

//pangolin:model time.After
func timeAfter(d time.Duration) <-chan time.Time { return newTimer(d).C }

//pangolin:model time.AfterFunc
func afterFunc(d time.Duration, f func()) *time.Timer {
	s := newTimerState(nil, f)
	s.begin(d)
	return &s.timer
}

//pangolin:model (*time.Timer).Stop
func timerStop(t *time.Timer) bool {
	if !timerMade(t) {
		panic("time: Stop called on uninitialized Timer")
	}
	s := stateOf(t)
	atomicBegin(unsafe.Pointer(&s.pending), true)
	active := s.cancel()
	atomicEnd()
	return active
}

//pangolin:model (*time.Timer).Reset
func timerReset(t *time.Timer, d time.Duration) bool {
	if !timerMade(t) {
		panic("time: Reset called on uninitialized Timer")
	}
	s := stateOf(t)
	atomicBegin(unsafe.Pointer(&s.pending), true)
	active := s.cancel()
	s.begin(d)
	atomicEnd()
	return active
}

//pangolin:model time.NewTicker
func newTicker(d time.Duration) *time.Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	s := withChannel()
	s.beginTicks(d)
	return (*time.Ticker)(unsafe.Pointer(&s.timer))
}

func (s *timerState) beginTicks(d time.Duration) {
	p := &firing{s}
	s.pending = p
	go p.tick(tickInterval(d))
}

// tickInterval is the interval of a ticker, 0 where that makes no difference.
func tickInterval(d time.Duration) int64 {
	if !virtualTime() {
		return 0
	}
	return int64(d)
}

// tick sends again and again until the ticker is stopped.
func (p *firing) tick(every int64) {
	for {
		timer(&clock, later(&clock, every))
		s := p.t
		atomicBegin(unsafe.Pointer(&s.pending), true)
		goesOn := s.pending == p
		if goesOn {
			select {
			case s.c <- firingTime():
			default:
			}
		}
		atomicEnd()
		if !goesOn {
			return
		}
	}
}

//pangolin:model (*time.Ticker).Stop
func tickerStop(t *time.Ticker) {
	if timer := (*time.Timer)(unsafe.Pointer(t)); timerMade(timer) {
		timerStop(timer)
	}
}

//pangolin:model (*time.Ticker).Reset
func tickerReset(t *time.Ticker, d time.Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if !timerMade((*time.Timer)(unsafe.Pointer(t))) {
		panic("time: Reset called on uninitialized Ticker")
	}
	s := stateOf((*time.Timer)(unsafe.Pointer(t)))
	atomicBegin(unsafe.Pointer(&s.pending), true)
	s.cancel()
	s.beginTicks(d)
	atomicEnd()
}

//pangolin:model time.Tick
func timeTick(d time.Duration) <-chan time.Time {
	if d <= 0 {
		return nil
	}
	return newTicker(d).C
}

// SPDX-License-Identifier: BSD-3-Clause
