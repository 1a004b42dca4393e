// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"pangolin/internal/farm"
)

// A queue in NATS servers of others. Workers get neither their addresses nor an account there: they connect to a server in this process, as they
// do to one that has the queue itself, with the same keys and the same permissions. It has no queue; a bridge passes on what workers send,
// and the answers.

// Cluster is where a queue of others is.
type Cluster struct {
	Servers string // their URLs, with commas between them
	Creds   string // the name of a file with credentials, or with the seed of an nkey; "": none
	// Log is called with what an administrator wants to know.
	Log func(string)
}

// answered is how long a worker waits for an answer at most: for a task, 4 s; for others, 5 s.
const answered = 30 * time.Second

// Serve connects to the cluster, and starts a server for workers.
func (c *Cluster) Serve(ctx context.Context, log server.Logger) (*Server, error) {
	far, err := c.connect()
	if err != nil {
		return nil, err
	}
	if err := c.ready(ctx, far); err != nil {
		far.Close()
		return nil, err
	}
	s, err := start(&server.Options{MaxPayload: int32(min(far.MaxPayload(), largest))}, log)
	if err != nil {
		far.Close()
		return nil, fmt.Errorf("the server for workers %w", err)
	}
	s.far = far
	near, err := s.inside()
	if err == nil {
		err = (&bridge{near, far}).open()
	}
	if err != nil {
		s.End()
		return nil, fmt.Errorf("workers cannot be connected with %s: %w", c.Servers, err)
	}
	return s, nil
}

// connect connects to a server of the cluster, and to another one when that has gone.
func (c *Cluster) connect() (*nats.Conn, error) {
	options := []nats.Option{nats.Name("pangolind"), nats.Timeout(5 * time.Second), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.IgnoreAuthErrorAbort(),
		nats.PingInterval(farm.Ping), nats.MaxPingsOutstanding(farm.LostPings),
		nats.DisconnectErrHandler(c.ended),
		nats.ReconnectHandler(func(conn *nats.Conn) { c.Log("connected to the NATS server " + conn.ConnectedUrlRedacted()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			c.Log(fmt.Sprintf("the NATS server says: %v", err))
		})}
	secure, err := c.secure()
	if err != nil {
		return nil, err
	}
	if secure {
		options = append(options, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	if c.Creds != "" {
		own, err := c.credentials()
		if err != nil {
			return nil, err
		}
		options = append(options, own)
	}
	conn, err := nats.Connect(c.Servers, options...)
	switch {
	case errors.Is(err, nats.ErrAuthorization) && c.Creds == "":
		return nil, fmt.Errorf("the NATS server at %s wants credentials: -creds FILE", c.Servers)
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fmt.Errorf("the NATS server at %s does not know the credentials in %s", c.Servers, c.Creds)
	case errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked):
		return nil, fmt.Errorf("the credentials in %s count no longer: %w", c.Creds, err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return nil, fmt.Errorf("the NATS server at %s does not speak TLS: nats:// is for servers on this machine only", c.Servers)
	case errors.Is(err, nats.ErrNoServers):
		return nil, fmt.Errorf("no NATS server can be reached at %s", c.Servers)
	case err != nil:
		return nil, fmt.Errorf("no NATS server can be used at %s: %w", c.Servers, err)
	}
	return conn, nil
}

// ended is told of the end of a connection; without an error if this process has ended it.
func (c *Cluster) ended(_ *nats.Conn, err error) {
	if err != nil {
		c.Log(fmt.Sprintf("the connection to the NATS server has ended: %v", err))
	}
}

// secure looks at the addresses, and says whether TLS is used: everywhere but on this machine.
func (c *Cluster) secure() (secure bool, err error) {
	list := strings.Split(c.Servers, ",")
	for i, one := range list {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Scheme != "tls" && u.Scheme != "nats" || u.Hostname() == "" {
			return false, fmt.Errorf("address %d of %d is not that of a NATS server: want tls://HOST:PORT, with commas between several", i+1, len(list))
		}
		if u.User != nil {
			return false, fmt.Errorf("the address of %s has a user or a password, which others on this machine can read: want -creds FILE", u.Host)
		}
		if u.Scheme == "nats" && !farm.Loopback(u.Hostname()) {
			return false, fmt.Errorf("nats://%s is without TLS: want tls://%s", u.Host, u.Host)
		}
		secure = secure || u.Scheme == "tls"
	}
	return secure, nil
}

// credentials are those of a file, as nsc writes it, or the seed of an nkey.
func (c *Cluster) credentials() (nats.Option, error) {
	text, err := os.ReadFile(c.Creds)
	if err != nil {
		return nil, err
	}
	if _, err := nkeys.ParseDecoratedUserNKey(text); err != nil {
		return nil, fmt.Errorf("%s has no credentials: want a file as `nsc generate creds` writes it, or the seed of a user's nkey", c.Creds)
	}
	if jwt, err := nkeys.ParseDecoratedJWT(text); err == nil && strings.Count(jwt, ".") == 2 {
		return nats.UserCredentials(c.Creds), nil
	}
	return nats.NkeyOptionFromSeed(c.Creds)
}

// ready says why there can be no queue.
func (c *Cluster) ready(ctx context.Context, far *nats.Conn) error {
	js, err := jetstream.New(far, jetstream.WithDefaultTimeout(5*time.Second))
	if err != nil {
		return err
	}
	err = patiently(ctx, func() error {
		_, err := js.AccountInfo(ctx)
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled):
		return fmt.Errorf("the NATS server at %s has no JetStream, which the queue needs", c.Servers)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("the account of %s has no JetStream at %s, which the queue needs", c.Creds, c.Servers)
	case err != nil:
		return fmt.Errorf("JetStream at %s does not answer: %w (doc/farm.md has the subjects that the account has to allow)", c.Servers, err)
	}
	return nil
}

// patiently calls a function again while a cluster elects who answers.
func patiently(ctx context.Context, call func() error) error {
	for begun := time.Now(); ; {
		err := call()
		if err == nil || !passing(err) || time.Since(begun) > 20*time.Second {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(300 * time.Millisecond):
		}
	}
}

// passing says that nobody can answer at present.
func passing(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.Code == 503 && api.ErrorCode != jetstream.JSErrCodeJetStreamNotEnabled && api.ErrorCode != jetstream.JSErrCodeJetStreamNotEnabledForAccount
	}
	return errors.Is(err, context.DeadlineExceeded)
}

// tooFew says that a cluster has fewer servers than a stream wants copies.
func tooFew(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == 10005 || api.ErrorCode == 10074) // no suitable peers; no cluster
}

// The beginnings of subjects at which a worker prolongs and ends leases: in a queue, and behind a bridge, since no client of a NATS server may
// have answers sent to the first.
const (
	leases        = "$JS.ACK."
	bridgedLeases = "pg.lease."
)

// bridge passes on messages between workers, which are near, and the queue, which is far.
type bridge struct{ near, far *nats.Conn }

// open begins: with what a worker may send, and what it may hear beside answers.
func (b *bridge) open() error {
	for _, subject := range labour("*").Publish.Allow {
		if _, err := b.near.Subscribe(subject, b.forward); err != nil {
			return err
		}
	}
	if err := b.near.Flush(); err != nil {
		return err
	}
	if _, err := b.far.Subscribe(cancels, func(m *nats.Msg) { _ = b.near.PublishMsg(&nats.Msg{Subject: m.Subject, Data: m.Data}) }); err != nil {
		return err
	}
	return b.far.Flush()
}

// forward passes on a worker's message. What does not arrive is sent again by the worker, or done by another.
func (b *bridge) forward(m *nats.Msg) {
	out := &nats.Msg{Subject: strings.Replace(m.Subject, bridgedLeases, leases, 1), Header: m.Header, Data: m.Data}
	if m.Reply != "" {
		if !strings.HasPrefix(m.Reply, Inbox+".") { // an answer would be told in the name of another
			return
		}
		out.Reply = nats.NewInbox()
		if b.expect(out.Reply, m.Reply) != nil {
			return
		}
	}
	_ = b.far.PublishMsg(out)
}

// expect passes on the answer to a worker. An answer that is a task has the subject that it has in the queue, so each question has an address
// of its own.
func (b *bridge) expect(own, worker string) error {
	ctx, over := context.WithTimeout(context.Background(), answered)
	sub, err := b.far.Subscribe(own, func(a *nats.Msg) {
		defer over()
		_ = b.near.PublishMsg(&nats.Msg{Subject: worker, Reply: strings.Replace(a.Reply, leases, bridgedLeases, 1), Header: a.Header, Data: a.Data})
	})
	context.AfterFunc(ctx, func() { _ = sub.Unsubscribe() })
	if err != nil {
		over()
	}
	return err
}
