package both

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

func TestLocked(t *testing.T) {
	c := &Counter{}
	twice(c.Add)
	if c.Value() != 2 {
		t.Error(c.Value())
	}
}

func TestRace(t *testing.T) { twice((&Counter{}).Forget) }

func TestLostUpdate(t *testing.T) {
	c := &Counter{}
	twice(c.Split)
	if n := c.Value(); n != 2 {
		t.Errorf("%d of 2", n)
	}
}

func TestDeadlock(t *testing.T) {
	var a, b sync.Mutex
	done := make(chan bool)
	go func() {
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
		close(done)
	}()
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	<-done
}

func TestPanicOfAGoroutine(t *testing.T) {
	var closed atomic.Bool
	c := make(chan bool, 2)
	done := make(chan bool)
	go func() {
		if !closed.Load() {
			c <- true
		}
		close(done)
	}()
	closed.Store(true)
	close(c)
	<-done
}

func TestEndless(t *testing.T) {
	var x atomic.Int32
	go x.Store(1)
	go x.Store(2)
	for x.Load() != 2 {
	}
}

func TestSubtestsRace(t *testing.T) {
	n := 0
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n++
		})
	}
}

func TestSubtests(t *testing.T) {
	var n [2]int
	t.Run("group", func(t *testing.T) {
		for i, name := range []string{"a", "b"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				n[i]++
			})
		}
	})
	t.Cleanup(func() { n[0] = 0 })
	if n != [2]int{1, 1} {
		t.Error(n)
	}
}

func TestSkipped(t *testing.T) { t.Skip("not today") }

func TestTimeoutThatDoesNotCome(t *testing.T) {
	done := make(chan bool)
	go func() {
		time.Sleep(time.Millisecond)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("hangs")
	}
}

func TestTimeoutThatComes(t *testing.T) {
	done := make(chan bool)
	go func() {
		time.Sleep(2 * time.Second)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("hangs")
	}
}

func TestSameMoment(t *testing.T) {
	done := make(chan bool)
	go func() {
		time.Sleep(time.Second)
		close(done)
	}()
	time.Sleep(time.Second)
	select {
	case <-done:
	default:
		t.Error("not yet")
	}
}

func TestDeadlineOfAContext(t *testing.T) {
	begin := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	<-ctx.Done()
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) || time.Since(begin) != time.Hour {
		t.Error(ctx.Err(), time.Since(begin))
	}
}

func TestTicker(t *testing.T) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	begin := time.Now()
	for range 3 {
		<-tick.C
	}
	if d := time.Since(begin); d != 3*time.Minute {
		t.Error(d)
	}
	tick.Reset(time.Second)
	if now := <-tick.C; now.Sub(begin) != 3*time.Minute+time.Second {
		t.Error(now.Sub(begin))
	}
}

func TestStoppedTimer(t *testing.T) {
	var fired atomic.Bool
	timer := time.AfterFunc(time.Second, func() { fired.Store(true) })
	if !timer.Stop() {
		t.Error("it has fired already")
	}
	time.Sleep(time.Minute)
	if fired.Load() {
		t.Error("it fires though it was stopped")
	}
}

func TestGoexit(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		t.FailNow()
	}()
	<-done
}
