// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"crypto/rand"
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

// Server is a queue's server in this process. It listens at no port: connections come from InProcessConn.
type Server struct {
	*server.Server
	Password string // of workers
	own      string // of Connect
}

// own is the name of the server's own process at the queue, which may do everything.
const own = "gateway"

// labour is what workers may do: take tasks, which they cannot add or list, store results, which nobody can remove, and tell what they do.
var labour = server.Permissions{
	Publish: &server.SubjectPermission{Allow: []string{
		"$JS.API.CONSUMER.INFO." + tasks + ".*", "$JS.API.CONSUMER.MSG.NEXT." + tasks + ".*", "$JS.ACK." + tasks + ".>",
		"$JS.API.STREAM.INFO." + results, "$JS.API.DIRECT.GET." + results + ".>",
		"pg.result.*", "pg.conflict.*", "pg.told.*", "pg.worker.*",
	}},
	Subscribe: &server.SubjectPermission{Allow: []string{Inbox + ".>", "pg.cancel.*"}},
}

// Inbox begins the subjects at which workers receive answers.
const Inbox = "_INBOX.worker"

// Serve starts a server whose queue and results are in a directory.
func Serve(dir string, log server.Logger) (*Server, error) {
	q := &Server{Password: rand.Text(), own: rand.Text()}
	removed, err := forget(dir)
	if err != nil {
		return nil, fmt.Errorf("the queue in %s cannot be started: %w", dir, err)
	}
	if len(removed) > 0 && log != nil {
		log.Errorf("what was stored of leases is damaged, and is removed; tasks that were being done are given to workers again: %s", removed)
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "pangolind",
		DontListen: true,
		JetStream:  true,
		StoreDir:   dir,
		// The limit on results is one that is met later, not room that has to be free now: a full disk shows in writing.
		JetStreamMaxStore: 1 << 50,
		SyncAlways:        true, // the default writes to the disk every two minutes
		NoSigs:            true,
		Users:             []*server.User{{Username: own, Password: q.own}, {Username: farm.Labourer, Password: q.Password, Permissions: &labour}},
		MaxPayload:        largest,
		MaxPending:        4 * largest,
		PingInterval:      farm.Ping,
		MaxPingsOut:       farm.LostPings,
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
	q.Server = s
	return q, nil
}

// Connect is the server's own connection.
func (s *Server) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s), nats.UserInfo(own, s.own), nats.MaxReconnects(-1))
}

// End stops the server.
func (s *Server) End() {
	s.Shutdown()
	s.WaitForShutdown()
}
