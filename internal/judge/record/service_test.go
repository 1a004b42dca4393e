// SPDX-License-Identifier: BSD-3-Clause

package record

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"pangolin/history"
	"pangolin/internal/judge"
)

// A service of three processes, called over loopback by clients that record: a primary, and two replicas that ask it. A stale read is planted:
// one of the replicas answers from its own copy, which is written a moment later.

// role is the variable that makes this test's binary a process of the service: the address of the primary, "primary", or "stale ADDRESS".
const role = "PANGOLIN_TEST_SERVICE"

func TestMain(m *testing.M) {
	if r := os.Getenv(role); r != "" {
		if err := serve(r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// store is one process: keys and values, with a copy that lags behind.
type store struct {
	mu     sync.Mutex
	values map[string]string
	role   string
	stale  bool
}

// serve prints its address, and answers until its standard input ends.
func serve(role string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	s := &store{values: map[string]string{}, role: role}
	s.role, s.stale = strings.CutPrefix(role, "stale ")
	if !s.stale {
		s.role = role
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.answer(c)
		}
	}()
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// answer answers requests "put KEY VALUE" and "get KEY" with the value; a replica passes them on.
func (s *store) answer(c net.Conn) {
	defer c.Close()
	var primary *peer
	if s.role != "primary" {
		var err error
		if primary, err = dial(s.role); err != nil {
			return
		}
	}
	in := bufio.NewScanner(c)
	for in.Scan() {
		f := strings.Fields(in.Text())
		reply := ""
		switch {
		case primary == nil || s.stale && f[0] == "get":
			reply = s.perform(f)
		default:
			reply, _ = primary.ask(in.Text())
			if s.stale {
				time.AfterFunc(5*time.Millisecond, func() { s.perform(f) })
			}
		}
		fmt.Fprintln(c, reply)
	}
}

func (s *store) perform(f []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f[0] == "put" {
		s.values[f[1]] = f[2]
	}
	return s.values[f[1]]
}

// peer is a connection to a process.
type peer struct {
	c  net.Conn
	in *bufio.Reader
}

func dial(address string) (*peer, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &peer{c, bufio.NewReader(c)}, nil
}

func (p *peer) ask(request string) (string, error) {
	if _, err := fmt.Fprintln(p.c, request); err != nil {
		return "", err
	}
	line, err := p.in.ReadString('\n')
	return strings.TrimSpace(line), err
}

// start starts a process of the service, and gives its address.
func start(t *testing.T, as string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

func TestRecorder_AServiceOfThreeProcesses(t *testing.T) {
	for _, stale := range []bool{false, true} {
		primary := start(t, "primary")
		second := primary
		if stale {
			second = "stale " + primary
		}
		replicas := []string{start(t, primary), start(t, second)}
		var out bytes.Buffer
		r := history.NewRecorder(&out, "map", history.Text(""))
		var all sync.WaitGroup
		for i := range 4 {
			all.Add(1)
			go func() {
				defer all.Done()
				if err := clientOf(r.Client(fmt.Sprint("client ", i)), replicas, i); err != nil {
					t.Error(err)
				}
			}()
		}
		all.Wait()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		h, err := Read(&out, "recorded", Options{})
		if err != nil {
			t.Fatal(err)
		}
		v := judge.Judge(context.Background(), h, judge.Options{})
		if want := map[bool]judge.Status{false: judge.OK, true: judge.Violated}[stale]; v.Status != want || len(h.Calls) != 800 {
			t.Errorf("stale %v: %v, want %v, of %d calls\n%s", stale, v.Status, want, len(h.Calls), h.Draw(v.Witness))
		}
		if stale && (len(v.Witness) > 4 || !v.Confirmed) {
			t.Errorf("the witness is larger than two writes and two reads, or not confirmed (%v)\n%s", v.Confirmed, h.Draw(v.Witness))
		}
	}
}

// clientOf calls the replicas 200 times.
func clientOf(c *history.Client, replicas []string, n int) error {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	var peers []*peer
	for _, address := range replicas {
		p, err := dial(address)
		if err != nil {
			return err
		}
		defer p.c.Close()
		peers = append(peers, p)
	}
	for i := range 200 {
		key, to := fmt.Sprint("k", r.IntN(3)), peers[r.IntN(2)]
		if r.IntN(2) == 0 {
			value := fmt.Sprint(n, ".", i)
			c.Call("put", history.Text(key), history.Text(value))
			if _, err := to.ask("put " + key + " " + value); err != nil {
				return err
			}
			c.Return()
			continue
		}
		c.Call("get", history.Text(key))
		value, err := to.ask("get " + key)
		if err != nil {
			return err
		}
		c.Return(history.Text(value))
	}
	return nil
}
