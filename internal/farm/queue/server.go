// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"pangolin/internal/farm"
)

// largest is the greatest size of a message in bytes: a task with the text of a mutant, a result
// with a scene for each step.
const largest = 32 << 20

// Server is what workers connect to, in this process. It listens at no port: connections come from InProcessConn.
type Server struct {
	*server.Server
	doors *doors
	far   *nats.Conn // to the servers of others that have the queue; nil: this one has it
}

// Inbox begins the subjects at which workers receive answers.
const Inbox = "_INBOX.worker"

// Serve starts a server whose queue and results are in a directory.
func Serve(dir string, log server.Logger) (*Server, error) {
	removed, err := forget(dir)
	if err != nil {
		return nil, fmt.Errorf("the queue in %s cannot be started: %w", dir, err)
	}
	if len(removed) > 0 && log != nil {
		log.Errorf("what was stored of leases is damaged, and is removed; tasks that were being done are given to workers again: %s", removed)
	}
	s, err := start(&server.Options{
		JetStream: true,
		StoreDir:  dir,
		// The limit on results is one that is met later, not room that has to be free now: a full disk shows in writing.
		JetStreamMaxStore: 1 << 50,
		SyncAlways:        true, // the default writes to the disk every two minutes
		MaxPayload:        largest,
	}, log)
	if err != nil {
		return nil, fmt.Errorf("the queue in %s %w", dir, err)
	}
	return s, nil
}

// start starts a server with what all have in common.
func start(o *server.Options, log server.Logger) (*Server, error) {
	d, err := newDoors()
	if err != nil {
		return nil, fmt.Errorf("cannot be started: %w", err)
	}
	o.ServerName, o.DontListen, o.NoSigs = "pangolind", true, true
	o.MaxPending, o.PingInterval, o.MaxPingsOut = 4*largest, farm.Ping, farm.LostPings
	o.CustomClientAuthentication, o.AlwaysEnableNonce = d, true
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("cannot be started: %w", err)
	}
	if log != nil {
		s.SetLogger(log, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(30*time.Second) || s.JetStreamEnabled() != o.JetStream {
		s.Shutdown()
		return nil, errors.New("is not ready after 30 s: see its log")
	}
	return &Server{Server: s, doors: d}, nil
}

// Connect is the server's own connection to the queue.
func (s *Server) Connect() (*nats.Conn, error) {
	if s.far != nil {
		return s.far, nil
	}
	return s.inside()
}

func (s *Server) inside() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s), nats.Nkey(s.doors.own, s.doors.pair.Sign), nats.MaxReconnects(-1))
}

// Enrol makes the queue take connections of a worker with a public key, for some minutes.
func (s *Server) Enrol(key string) error { return s.doors.enrol(key) }

// End stops the server.
func (s *Server) End() {
	if s.far != nil {
		s.far.Close()
	}
	s.Shutdown()
	s.WaitForShutdown()
}
