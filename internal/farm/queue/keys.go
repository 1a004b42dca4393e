// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"encoding/base64"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// doors decides who may connect to a queue: who signs the number that the server has just made for the connection, with the key of the
// server's own process or of a worker that was enrolled.
type doors struct {
	own  string // the public key of the server's own process
	pair nkeys.KeyPair

	mu       sync.Mutex
	enrolled map[string]time.Time // workers' public keys, and when they were enrolled last
}

// A worker connects at once when it is enrolled, and is enrolled again before it tries again.
const (
	enrolment    = 10 * time.Minute // for so long a key may be used to connect
	mostEnrolled = 100_000
)

// ErrNoKey says that a worker is not told apart from others.
var ErrNoKey = errors.New("the worker sends no public key (an nkey of a user)")

func newDoors() (*doors, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	own, err := pair.PublicKey()
	return &doors{own: own, pair: pair, enrolled: map[string]time.Time{}}, err
}

// WorkerOf is the ID of the worker with a public key: 16 of its 56 characters. Who wants a key with the ID of another worker makes some
// 2^77 keys until there is one.
func WorkerOf(key string) string { return key[1:17] }

func (d *doors) enrol(key string) error {
	if !nkeys.IsValidPublicUserKey(key) {
		return ErrNoKey
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.enrolled) >= mostEnrolled {
		for k, t := range d.enrolled {
			if time.Since(t) > enrolment {
				delete(d.enrolled, k)
			}
		}
	}
	if len(d.enrolled) >= mostEnrolled {
		return errors.New("too many workers have joined in the last minutes: try again later")
	}
	d.enrolled[key] = time.Now()
	return nil
}

// knows says whether a connection with a key is taken, and what it may do; nil: everything.
func (d *doors) knows(key string) (*server.Permissions, bool) {
	if key == d.own {
		return nil, true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t, known := d.enrolled[key]
	if !known || time.Since(t) > enrolment {
		return nil, false
	}
	return labour(WorkerOf(key)), true
}

// Check is called by the server for each connection.
func (d *doors) Check(c server.ClientAuthentication) bool {
	nonce, said := c.GetNonce(), c.GetOpts()
	permissions, known := d.knows(said.Nkey)
	if !known || len(nonce) == 0 {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(said.Sig)
	if err != nil {
		return false
	}
	public, err := nkeys.FromPublicKey(said.Nkey)
	if err != nil || public.Verify(nonce, signature) != nil {
		return false
	}
	c.RegisterUser(&server.User{Username: said.Nkey, Permissions: permissions})
	return true
}

// labour is what a worker may do: take tasks, which it cannot add or list, store results, which nobody can remove, and tell what it does
// itself. It hears the answers to its own questions, and which tasks nobody wants any more.
func labour(id string) *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			"$JS.API.CONSUMER.INFO." + tasks + ".*", "$JS.API.CONSUMER.MSG.NEXT." + tasks + ".*", leases + tasks + ".>", bridgedLeases + tasks + ".>", bridgedLeases + "*.*." + tasks + ".>", // of two forms
			"$JS.API.STREAM.INFO." + results, "$JS.API.STREAM.MSG.GET." + results,
			"pg.result.*", "pg.conflict.*", "pg.told." + id + ".*", "pg.worker." + id,
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{Inbox + "." + id + ".>", cancels}},
	}
}
