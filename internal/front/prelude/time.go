//go:build prelude

//pangolin:for time

package prelude

import (
	"runtime"
	"time"
	"unsafe"
)

// What happens after a duration happens at any moment, however long or short the duration
// is. The clock stands still, not at the zero time, which code takes for "not yet", but goes on by
// a year where it is read, as often as the program's Jumps say and at any of these moments:
// then all that has a time to live is over. Between two readings nobody knows when it went on.

// timer says that the calling thread stands for a timer.
func timer()

// ofTimer says that a channel is a timer's: cap and len of it are 0.
func ofTimer(c chan time.Time)

// clock counts how often the clock has gone on.
var clock int

// clockJumps says how often the clock may go on.
func clockJumps() int

// chooseMoment is the clock, which stood at this number, or has gone on.
func chooseMoment(clock int) int

func moment(clock int) time.Time {
	const year = 365 * 24 * 60 * 60
	return time.Unix(1_000_000_000+int64(clock)*year, 0).UTC()
}

//pangolin:model time.Now
func timeNow() time.Time {
	if clockJumps() == 0 {
		return moment(0)
	}
	atomicBegin(unsafe.Pointer(&clock), true)
	clock = chooseMoment(clock)
	t := moment(clock)
	atomicEnd()
	return t
}

//pangolin:model time.runtimeNano
func runtimeNano() int64 { return 1 }

//pangolin:model time.runtimeNow
func runtimeNow() (sec int64, nsec int32, mono int64) { return 0, 0, 1 }

//pangolin:model time.runtimeIsBubbled
func runtimeIsBubbled() bool { return false }

//pangolin:model time.Since
func timeSince(t time.Time) time.Duration { return timeNow().Sub(t) }

//pangolin:model time.Sleep
func timeSleep(time.Duration) { runtime.Gosched() }

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
func (s *timerState) begin() {
	p := &firing{s}
	s.pending = p
	go p.run()
}

func (p *firing) run() {
	timer()
	s := p.t
	atomicBegin(unsafe.Pointer(&s.pending), true)
	var f func() // read here, so that the goroutine of one that has none ends with this step
	fires := s.pending == p
	if fires {
		s.pending, f = nil, s.f
		if s.c != nil {
			select {
			case s.c <- moment(clock):
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
func newTimer(time.Duration) *time.Timer {
	s := withChannel()
	s.begin()
	return &s.timer
}

//pangolin:model time.After
func timeAfter(d time.Duration) <-chan time.Time { return newTimer(d).C }

//pangolin:model time.AfterFunc
func afterFunc(_ time.Duration, f func()) *time.Timer {
	s := newTimerState(nil, f)
	s.begin()
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
func timerReset(t *time.Timer, _ time.Duration) bool {
	if !timerMade(t) {
		panic("time: Reset called on uninitialized Timer")
	}
	s := stateOf(t)
	atomicBegin(unsafe.Pointer(&s.pending), true)
	active := s.cancel()
	s.begin()
	atomicEnd()
	return active
}

//pangolin:model time.NewTicker
func newTicker(d time.Duration) *time.Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	s := withChannel()
	s.beginTicks()
	return (*time.Ticker)(unsafe.Pointer(&s.timer))
}

func (s *timerState) beginTicks() {
	p := &firing{s}
	s.pending = p
	go p.tick()
}

// tick sends again and again until the ticker is stopped.
func (p *firing) tick() {
	for {
		timer()
		s := p.t
		atomicBegin(unsafe.Pointer(&s.pending), true)
		goesOn := s.pending == p
		if goesOn {
			select {
			case s.c <- moment(clock):
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
	s.beginTicks()
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
