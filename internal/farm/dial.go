// SPDX-License-Identifier: BSD-3-Clause

package farm

import (
	"bufio"
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
	conn, err := (&net.Dialer{Timeout: limit}).Dial("tcp", host)
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
	if err := conn.SetDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	req, err := http.NewRequest(http.MethodGet, s.URL+PathQueue, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", Upgrade)
	s.authorise(req)
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
	return &buffered{conn, r}, conn.SetDeadline(time.Time{})
}

// buffered is a connection of which some bytes have been read ahead.
type buffered struct {
	net.Conn
	r *bufio.Reader
}

func (b *buffered) Read(p []byte) (int, error) { return b.r.Read(p) }
