// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// largest is the greatest size of a message in bytes: a task with the text of a mutant, a result
// with a scene for each step.
const largest = 32 << 20

// Server is a queue's server in this process. It listens at no port: connections come from Dial.
type Server struct{ *server.Server }

// Serve starts a server whose queue and results are in a directory.
func Serve(dir string, log server.Logger) (*Server, error) {
	s, err := server.NewServer(&server.Options{
		ServerName: "pangolind",
		DontListen: true,
		JetStream:  true,
		StoreDir:   dir,
		SyncAlways: true, // the default writes to the disk every two minutes
		NoSigs:     true,
		MaxPayload: largest,
		MaxPending: 4 * largest,
	})
	if err != nil {
		return nil, fmt.Errorf("the queue in %s cannot be started: %w", dir, err)
	}
	if log != nil {
		s.SetLogger(log, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(30*time.Second) || !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("the queue in %s is not ready after 30 s: %w", dir, errors.New("see its log"))
	}
	return &Server{s}, nil
}

// End stops the server.
func (s *Server) End() {
	s.Shutdown()
	s.WaitForShutdown()
}
