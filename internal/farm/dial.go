// SPDX-License-Identifier: BSD-3-Clause

package farm

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Dial connects to the server's queue, by a request that turns its connection into one. The
// arguments are not used: it has the form in which a client of the queue asks for connections.
func (s *Server) Dial(_, _ string) (net.Conn, error) {
	const limit = 10 * time.Second
	host := s.base.Host
	if s.base.Port() == "" {
		host = net.JoinHostPort(s.base.Hostname(), map[string]string{"http": "80", "https": "443"}[s.base.Scheme])
	}
	conn, err := dial(context.Background(), "tcp", host)
	if err != nil {
		return nil, err
	}
	if s.base.Scheme == "https" {
		c := &tls.Config{}
		if s.tls != nil {
			c = s.tls.Clone()
		}
		c.ServerName, c.NextProtos = s.base.Hostname(), []string{"http/1.1"}
		conn = tls.Client(conn, c)
	}
	upgraded, err := s.upgrade(conn, limit)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return upgraded, nil
}

func (s *Server) upgrade(conn net.Conn, limit time.Duration) (net.Conn, error) {
	late := time.AfterFunc(limit, func() { conn.Close() })
	defer late.Stop()
	req, err := http.NewRequest(http.MethodGet, s.URL+PathQueue, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", Upgrade)
	if err := s.authorise(req); err != nil {
		return nil, err
	}
	if err := req.Write(conn); err != nil {
		return nil, err
	}
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusSwitchingProtocols {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		resp.Body.Close()
		if err := s.refusal(resp.StatusCode, string(text)); err != nil && resp.StatusCode >= http.StatusBadRequest {
			return nil, err
		}
		return nil, fmt.Errorf("%s answers %s instead of opening the queue", s.URL, resp.Status)
	}
	return &buffered{conn, r}, nil
}

// buffered is a connection of which some bytes have been read ahead.
type buffered struct {
	net.Conn
	r *bufio.Reader
}

func (b *buffered) Read(p []byte) (int, error) { return b.r.Read(p) }

// Silence is how long nothing may come through a connection, neither way, until it counts as broken. Whoever waits for a result is
// answered at least each LongestPoll, and workers and queue ask each other each Ping whether they are there. So a machine that
// vanished, or a path on which packets are lost for good, is noticed by both ends, although neither is told.
const (
	Silence     = 25 * time.Second
	LongestPoll = 10 * time.Second
	Ping        = 5 * time.Second
	// LostPings is large, since a question may wait behind a result of 20 MB on a slow path, through which something comes all the time.
	LostPings = 24
)

// Patient makes a connection break after Silence.
func Patient(c net.Conn) net.Conn { return &patient{c} }

type patient struct{ net.Conn }

func (p *patient) Read(b []byte) (int, error) {
	if err := p.SetReadDeadline(time.Now().Add(Silence)); err != nil {
		return 0, err
	}
	return p.Conn.Read(b)
}

// Write gives the reader time as well if much is sent: there is no answer before all of it has arrived. (Little fits into the system's
// buffer, also where nobody is left to read it.) It writes in pieces, so that the time is that of one of them.
func (p *patient) Write(b []byte) (n int, err error) {
	const much, piece = 4 << 10, 64 << 10
	for {
		set := p.SetWriteDeadline
		if len(b) >= much {
			set = p.SetDeadline
		}
		if err := set(time.Now().Add(Silence)); err != nil {
			return n, err
		}
		m, err := p.Conn.Write(b[n:min(n+piece, len(b))])
		if n += m; err != nil || n == len(b) {
			return n, err
		}
	}
}

func dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return Patient(c), nil
}
