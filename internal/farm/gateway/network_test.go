// SPDX-License-Identifier: BSD-3-Clause

package gateway_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
	"pangolin/internal/test/level"
)

// Networks that fail. All that is said in a farm is said by TCP connections from a command, or from a worker, to the server, so a fault of
// a network is one of the path of such a connection. network_linux_test.go has a real one, between network namespaces.

// path is where connections to a server pass.
type path struct {
	l  net.Listener
	to string

	mu      sync.Mutex
	bad     fault
	changed chan struct{} // closed when bad is another one
	lost    chan struct{} // closed when the connections that there are do not pass anything any more
	ends    []net.Conn
}

// fault is what is wrong with a path. TCP sends again what a network loses, so a loss is seen as a pause of what follows.
type fault struct {
	delay   time.Duration // of each piece of data
	losses  float64       // share of pieces that arrive after 0.2 to 1.6 s, with all behind them
	cuts    float64       // share of pieces in the midst of which the connection is ended, for both
	parted  bool          // nothing arrives, also no end of a connection, until that is over; a new connection is not answered
	oneSide bool          // of parted: what the server sends arrives
}

func pathTo(t *testing.T, server string) *path {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &path{l: l, to: server, changed: make(chan struct{}), lost: make(chan struct{})}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.lead(c)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range p.ends {
			c.Close()
		}
	})
	return p
}

func (p *path) addr() string { return p.l.Addr().String() }

// set makes the path have a fault; fault{} is none.
func (p *path) set(f fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bad = f
	close(p.changed)
	p.changed = make(chan struct{})
}

// lose makes the connections that there are half-open for ever: neither end is told anything. New ones are good.
func (p *path) lose() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.lost)
	p.lost = make(chan struct{})
}

// lead leads a connection to the server.
func (p *path) lead(c net.Conn) {
	p.mu.Lock()
	lost := p.lost
	p.ends = append(p.ends, c)
	p.mu.Unlock()
	if !p.opens(false, lost) {
		return
	}
	s, err := net.Dial("tcp", p.to)
	if err != nil {
		c.Close()
		return
	}
	p.mu.Lock()
	p.ends = append(p.ends, s)
	p.mu.Unlock()
	go p.carry(s, c, lost, true)
	p.carry(c, s, lost, false)
}

// opens waits until the path is not parted; false: the connection is lost.
func (p *path) opens(answer bool, lost chan struct{}) bool {
	for {
		p.mu.Lock()
		bad, changed := p.bad, p.changed
		p.mu.Unlock()
		if !bad.parted || bad.oneSide && answer {
			select {
			case <-lost:
				return false
			default:
				return true
			}
		}
		select {
		case <-changed:
		case <-lost:
			return false
		}
	}
}

// carry carries what comes from one end to the other.
func (p *path) carry(from, to net.Conn, lost chan struct{}, answer bool) {
	piece := make([]byte, 16<<10)
	for {
		n, err := from.Read(piece)
		if !p.opens(answer, lost) {
			return // both stay open
		}
		p.mu.Lock()
		bad := p.bad
		p.mu.Unlock()
		pause := bad.delay
		if rand.Float64() < bad.losses {
			pause += 200 * time.Millisecond << rand.IntN(4)
		}
		time.Sleep(pause)
		if rand.Float64() < bad.cuts {
			_, _ = to.Write(piece[:rand.IntN(n+1)])
			err = io.ErrUnexpectedEOF
		} else if _, failed := to.Write(piece[:n]); failed != nil {
			err = failed
		}
		if err != nil {
			from.Close()
			to.Close()
			return
		}
	}
}

// through starts a farm whose workers reach the server by one path, and gives a client that reaches it by another one.
func through(t *testing.T, workers int) (p *processes, forWorkers, forClient *path, c *client.Client) {
	t.Helper()
	p = start(t, 0)
	forWorkers, forClient = pathTo(t, p.addr), pathTo(t, p.addr)
	beyond := &processes{t: t, program: os.Args[0], addr: forWorkers.addr()}
	for range workers {
		one := beyond.process("worker", p.log)
		t.Cleanup(func() { kill(one) })
	}
	return p, forWorkers, forClient, (&processes{t: t, addr: forClient.addr()}).open()
}

// senders send tasks until they are stopped.
type senders struct {
	t    *testing.T
	all  sync.WaitGroup
	stop chan struct{}
	mu   sync.Mutex
	sent int
}

// keepSending has n tasks done at a time.
func keepSending(t *testing.T, c *client.Client, n int) *senders {
	s := &senders{t: t, stop: make(chan struct{})}
	for range n {
		s.all.Go(func() {
			for {
				select {
				case <-s.stop:
					return
				default:
				}
				s.mu.Lock()
				s.sent++
				number := strconv.Itoa(s.sent)
				s.mu.Unlock()
				o, err := send(t.Context(), c, number)
				if what := wrong(number, o, err); what != "" {
					t.Errorf("task %s %s", number, what)
				}
			}
		})
	}
	return s
}

// end waits until each task that was begun has its result.
func (s *senders) end(most time.Duration) {
	s.t.Helper()
	close(s.stop)
	ended := make(chan struct{})
	go func() { s.all.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(most):
		s.t.Errorf("%v after the last fault not all of %d tasks have a result", most, s.sent)
	}
}

// faults are those that a path may have for some seconds.
var faults = []fault{
	{delay: 200 * time.Millisecond},
	{losses: 0.05},
	{delay: 50 * time.Millisecond, losses: 0.3},
	{cuts: 0.05},
	{cuts: 0.5, delay: 20 * time.Millisecond},
	{parted: true},
	{parted: true, oneSide: true},
}

// Whatever happens to the paths of workers and of a command, each task has its one right result.
func TestFarm_LosesNothingInAStormOfTheNetwork(t *testing.T) {
	level.SkipShort(t, "faults of seconds each")
	rounds := 10
	if level.All() {
		rounds = 300
	}
	p, forWorkers, forClient, c := through(t, 4)
	s := keepSending(t, c, 20)
	for range rounds {
		for _, one := range []*path{forWorkers, forClient} {
			if rand.IntN(2) == 0 {
				one.set(faults[rand.IntN(len(faults))])
			}
			if rand.IntN(16) == 0 {
				one.lose()
			}
		}
		time.Sleep(time.Duration(300+rand.IntN(3000)) * time.Millisecond) // a lease is 2 s
		for _, one := range []*path{forWorkers, forClient} {
			if rand.IntN(4) > 0 {
				one.set(fault{})
			}
		}
		time.Sleep(time.Duration(rand.IntN(1000)) * time.Millisecond)
	}
	forWorkers.set(fault{})
	forClient.set(fault{})
	s.end(2 * time.Minute)
	if err := c.Err(); err != nil {
		t.Error(err)
	}
	n := p.executions()
	t.Logf("%d faults of the network: %d tasks, %d executions (%.3f)", rounds, s.sent, n, float64(n)/float64(s.sent))
}

// Connections that are open for both ends, and through which nothing comes any more, are given up by both within the time of
// farm.Silence; nobody has to be started again.
func TestFarm_GivesUpHalfOpenConnections(t *testing.T) {
	if !level.More() {
		t.Skip("half a minute of silence, twice: -level more")
	}
	p, forWorkers, forClient, c := through(t, 2)
	all(t, c, 0, 5)
	for i, what := range []struct {
		name string
		path *path
	}{{"workers", forWorkers}, {"the command", forClient}} {
		what.path.lose()
		begun := time.Now()
		s := keepSending(t, c, 4)
		time.Sleep(time.Second)
		s.end(2 * farm.Silence)
		t.Logf("connections of %s: %d tasks within %v", what.name, s.sent, time.Since(begun).Round(time.Second/10))
		all(t, c, 1000*(i+1), 5)
	}
	_ = p
}

// A path that is parted for longer than a run is remembered (a minute) takes no task from a command: it sends its orders again.
func TestFarm_OutlivesALongPartition(t *testing.T) {
	if !level.More() {
		t.Skip("a minute and a half without network: -level more")
	}
	_, _, forClient, c := through(t, 2)
	all(t, c, 0, 5)
	s := keepSending(t, c, 4)
	time.Sleep(time.Second)
	forClient.set(fault{parted: true})
	time.Sleep(75 * time.Second)
	forClient.set(fault{})
	s.end(2 * farm.Silence)
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}

// The path of the tests passes on what is sent, and has the faults that it is told to have.
func TestPath_HasItsFaults(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() { // answers with what it gets
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, c) }()
		}
	}()
	p := pathTo(t, l.Addr().String())
	echo := func(c net.Conn, within time.Duration) error {
		text := []byte(fmt.Sprint("hello ", rand.Int()))
		if err := c.SetDeadline(time.Now().Add(within)); err != nil {
			return err
		}
		if _, err := c.Write(text); err != nil {
			return err
		}
		got := make([]byte, len(text))
		if _, err := io.ReadFull(c, got); err != nil {
			return err
		}
		if string(got) != string(text) {
			return fmt.Errorf("%q instead of %q", got, text)
		}
		return nil
	}
	dial := func() net.Conn {
		c, err := net.Dial("tcp", p.addr())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	c := dial()
	if err := echo(c, time.Minute); err != nil {
		t.Fatal(err)
	}
	p.set(fault{delay: 100 * time.Millisecond})
	if begun := time.Now(); echo(c, time.Minute) != nil || time.Since(begun) < 200*time.Millisecond {
		t.Error("no delay")
	}
	for _, f := range []fault{{parted: true}, {parted: true, oneSide: true}} {
		p.set(f)
		if echo(c, 100*time.Millisecond) == nil {
			t.Errorf("%+v: not parted", f)
		}
		p.set(fault{})
		if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if n, err := c.Read(make([]byte, 100)); n == 0 || err != nil { // what was sent meanwhile
			t.Errorf("%+v: what was sent while it was parted is lost: %v", f, err)
		}
	}
	p.set(fault{cuts: 1})
	if echo(c, time.Minute) == nil {
		t.Error("not cut")
	}
	p.set(fault{})
	c = dial()
	if err := echo(c, time.Minute); err != nil {
		t.Error(err)
	}
	p.lose()
	if echo(c, 100*time.Millisecond) == nil {
		t.Error("not lost")
	}
	if err := echo(dial(), time.Minute); err != nil {
		t.Error(err)
	}
}
