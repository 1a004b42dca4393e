//go:build prelude

//pangolin:for time

package prelude

import (
	"runtime"
	"time"
	"unsafe"
)

// Time does not pass: Now is always the same moment, not the zero time, which code takes
// for "not yet"; and what happens after a duration happens at any moment, however long or
// short the duration is.

// timer says that the calling thread stands for a timer.
func timer()

//pangolin:model time.Now
func timeNow() time.Time { return time.Unix(1_000_000_000, 0).UTC() }

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

func stateOf(t *time.Timer) *timerState {
	s := (*timerState)(unsafe.Pointer(t))
	return s
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
	fires := s.pending == p
	if fires {
		s.pending = nil
		if s.c != nil {
			select {
			case s.c <- timeNow():
			default:
			}
		}
	}
	atomicEnd()
	if fires && s.f != nil {
		s.f()
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
	s := &timerState{c: make(chan time.Time, 1)}
	s.timer.C = s.c
	s.begin()
	return &s.timer
}

//pangolin:model time.After
func timeAfter(d time.Duration) <-chan time.Time { return newTimer(d).C }

//pangolin:model time.AfterFunc
func afterFunc(_ time.Duration, f func()) *time.Timer {
	s := &timerState{f: f}
	s.begin()
	return &s.timer
}

//pangolin:model (*time.Timer).Stop
func timerStop(t *time.Timer) bool {
	s := stateOf(t)
	atomicBegin(unsafe.Pointer(&s.pending), true)
	active := s.cancel()
	atomicEnd()
	return active
}

//pangolin:model (*time.Timer).Reset
func timerReset(t *time.Timer, _ time.Duration) bool {
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
	s := &timerState{c: make(chan time.Time, 1)}
	s.timer.C = s.c
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
			case s.c <- timeNow():
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
func tickerStop(t *time.Ticker) { timerStop((*time.Timer)(unsafe.Pointer(t))) }

//pangolin:model (*time.Ticker).Reset
func tickerReset(t *time.Ticker, _ time.Duration) {
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
