// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
	"pangolin/internal/farm/gateway"
	"pangolin/internal/farm/queue"
	"pangolin/internal/farm/shared"
)

// The subcommand serve: a gateway with a queue in the same process.

const serveHelp = `Serve is the server of a farm: it takes tasks from "pangolin verify -on URL", gives
them to workers, and keeps their results. It prints its address and the line that
starts a worker.

It is served on loopback, to this machine only, unless -addr names another address,
which needs tokens and TLS.
The queue, the results and the sources that clients send are in the directory. An
interrupt ends it; nothing is lost, also if it is killed.

Exit codes: 0 it was interrupted, 2 usage or tool error, such as an address in use.`

// serveAt is the default address.
const serveAt = "127.0.0.1:6465"

// server is what serve is told.
type server struct {
	*console
	addr, dir string
	limits    queue.Limits
	compare   float64
	store     string // the address of a shared store
	nats      struct {
		servers, creds string
		replicas       int
	}
	// files with tokens, and with the certificate and its key for TLS
	tokens, cert, key string
	people            struct {
		issuer, audience string
		claims           []gateway.Claim
	}
}

func newServe(con *console) *ffcli.Command {
	s := &server{console: con, limits: queue.Usual}
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.StringVar(&s.addr, "addr", serveAt, "the `address` to serve at: HOST:PORT, or :PORT on loopback; port 0 is any free one")
	fs.StringVar(&s.dir, "dir", "", "the `directory` of the queue and the results (default pangolin/farm in the user's cache directory)")
	fs.DurationVar(&s.limits.Lease, "lease", s.limits.Lease, "the `time` after which the tasks of a worker that is silent go to others")
	fs.Int64Var(&s.limits.Bytes, "bytes", s.limits.Bytes, "the greatest size in `bytes` of all results; beyond, new ones are given to who waits and not kept")
	fs.DurationVar(&s.limits.Keep, "keep", s.limits.Keep, "the `time` after which results are removed")
	fs.Float64Var(&s.compare, "compare", 0.01, "the `share` of tasks that are done a second time, by another worker, to compare the results")
	fs.StringVar(&s.store, "store", "", "keep results and sources in a store of others as well: `URL` s3://BUCKET/PREFIX?endpoint=URL, or grpcs://HOST:PORT/INSTANCE (doc/farm.md)")
	fs.StringVar(&s.nats.servers, "nats", "", "have queue and results in NATS servers of your own, with JetStream, at `URLS` such as tls://a:4222,tls://b:4222 (doc/farm.md)")
	fs.StringVar(&s.nats.creds, "creds", "", "a `file` with the credentials for these servers, as nsc writes it, or with the seed of an nkey")
	fs.IntVar(&s.nats.replicas, "replicas", 3, "the `number` of these servers that have a copy of what is stored: 1 to 5")
	fs.StringVar(&s.tokens, "tokens", "", "a `file` with the tokens of clients and workers (pangolind token)")
	fs.StringVar(&s.cert, "cert", "", "a `file` with the server's certificate, in PEM, for TLS")
	fs.StringVar(&s.key, "key", "", "the `file` with the certificate's private key")
	fs.StringVar(&s.people.issuer, "oidc-issuer", "", "who shows an ID token of the OpenID Connect issuer at `URL` is a client, beside those of -tokens")
	fs.StringVar(&s.people.audience, "oidc-audience", "", "the `name` that the issuer has for this farm: the aud of its tokens")
	fs.Func("oidc-claim", "of the issuer's tokens only those count whose `claim=value` is this, such as groups=verifiers; may be repeated, and all have to be there", s.claim)
	return &ffcli.Command{
		Name: "serve", ShortUsage: "pangolind serve [-addr HOST:PORT] [-dir DIR]", ShortHelp: "the queue and the results", LongHelp: serveHelp, FlagSet: fs,
		Exec: func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return errors.New("serve takes no arguments")
			}
			return s.serve(ctx)
		},
	}
}

// serve serves until the context ends.
func (s *server) serve(ctx context.Context) error {
	tool, err := cache.Shared()
	if err != nil {
		return err
	}
	if s.limits.Lease < time.Second || s.limits.Keep < time.Hour || s.limits.Bytes < 1<<20 || s.compare < 0 || s.compare > 1 {
		return errors.New("want a -lease of 1s or more, a -keep of 1h or more, -bytes of a MiB or more, and for -compare a share from 0 to 1")
	}
	tokens, secure, err := s.guards()
	if err != nil {
		return err
	}
	people, err := s.discover(ctx)
	if err != nil {
		return err
	}
	dir, err := s.directory()
	if err != nil {
		return err
	}
	listener, err := s.listen()
	if err != nil {
		return err
	}
	defer listener.Close()
	unlock, err := lock(dir)
	if err != nil {
		return err
	}
	defer unlock()
	bundles, err := gateway.OpenBundles(filepath.Join(dir, "bundles"))
	if err != nil {
		return fmt.Errorf("the directory of bundles cannot be used: %w", err)
	}
	if s.store != "" {
		if bundles.Shared, err = shared.Open(s.store); err != nil {
			return fmt.Errorf("-store: %w", err)
		}
		if err := bundles.Shared.Check(ctx); err != nil {
			return fmt.Errorf("-store %s cannot be used: %w", shared.Shown(s.store), err)
		}
	}
	workers, err := s.queue(ctx, dir)
	if err != nil {
		return err
	}
	defer workers.End()
	conn, err := workers.Connect()
	if err != nil {
		return err
	}
	defer conn.Close()
	q, err := queue.Create(ctx, conn, s.limits)
	if err != nil {
		return err
	}
	g := &gateway.Gateway{Tool: tool, Lease: s.limits.Lease, Queue: q, Bundles: bundles, Dial: workers.InProcessConn, Enrol: workers.Enrol, Tokens: tokens, People: people, Shared: bundles.Shared, Compare: s.compare, Log: s.log}
	if g.History, err = s.history(ctx, dir, g); err != nil {
		return err
	}
	if err := g.Start(ctx); err != nil {
		return err
	}
	url := "http://" + listener.Addr().String()
	if secure != nil {
		url, listener = "https://"+listener.Addr().String(), tls.NewListener(listener, secure)
	}
	fmt.Fprintf(s.out, "%s\npangolind worker -on %s\n", url, url)
	h := &http.Server{Handler: g.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, ReadTimeout: longestRequest, WriteTimeout: longestRequest, BaseContext: func(net.Listener) context.Context { return ctx }}
	ended := context.AfterFunc(ctx, func() { _ = h.Close() })
	defer ended()
	if err := h.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// queue starts what workers connect to: a server that has the queue in a directory, or one before servers of others.
func (s *server) queue(ctx context.Context, dir string) (*queue.Server, error) {
	logger := &quiet{log.New(s.err, "pangolind: queue: ", 0)}
	if s.nats.servers == "" {
		if s.nats.creds != "" {
			return nil, errors.New("-creds is about NATS servers: want -nats URLS as well")
		}
		return queue.Serve(filepath.Join(dir, "queue"), logger)
	}
	if s.limits.Replicas = s.nats.replicas; s.limits.Replicas < 1 || s.limits.Replicas > 5 {
		return nil, fmt.Errorf("-replicas %d: want 1 to 5", s.nats.replicas)
	}
	q, err := (&queue.Cluster{Servers: s.nats.servers, Creds: s.nats.creds, Log: s.log}).Serve(ctx, logger)
	if err != nil {
		return nil, fmt.Errorf("-nats: %w", err)
	}
	return q, nil
}

// longestRequest is how long a request may take, such as one with 256 MB of sources on a slow path. A client that has vanished costs no more.
const longestRequest = 15 * time.Minute

// guards reads tokens and certificates. Who serves to others than this machine needs both.
func (s *server) guards() (tokens *gateway.Tokens, secure *tls.Config, err error) {
	if s.tokens != "" {
		tokens = &gateway.Tokens{Path: s.tokens}
		if err := tokens.Check(); err != nil {
			return nil, nil, fmt.Errorf("-tokens: %w", err)
		}
	}
	if s.cert != "" || s.key != "" {
		pair, err := tls.LoadX509KeyPair(s.cert, s.key)
		if err != nil {
			return nil, nil, fmt.Errorf("-cert and -key: %w", err)
		}
		secure = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	}
	host, _, err := net.SplitHostPort(s.addr)
	if err != nil {
		return nil, nil, fmt.Errorf("-addr %q: want HOST:PORT, such as %s", s.addr, serveAt)
	}
	if host != "" && !farm.Loopback(host) && (tokens == nil || secure == nil) {
		return nil, nil, fmt.Errorf("-addr %s is no loopback address: others are served only with -tokens, -cert and -key (doc/farm.md)", s.addr)
	}
	return tokens, secure, nil
}

// claim takes a claim of people.
func (s *server) claim(text string) error {
	name, value, found := strings.Cut(text, "=")
	if !found || name == "" || value == "" {
		return errors.New("want CLAIM=VALUE, such as groups=verifiers")
	}
	s.people.claims = append(s.people.claims, gateway.Claim{Name: name, Value: value})
	return nil
}

// discover asks the issuer of people's tokens how they are checked; nil: there is no issuer.
func (s *server) discover(ctx context.Context) (*gateway.People, error) {
	switch p := s.people; {
	case p.issuer == "" && p.audience == "" && len(p.claims) == 0:
		return nil, nil
	case p.issuer == "":
		return nil, errors.New("-oidc-audience and -oidc-claim are about the tokens of an issuer: want -oidc-issuer URL as well")
	case p.audience == "":
		return nil, errors.New("-oidc-issuer without -oidc-audience would take tokens that are for other services: want the name that the issuer has for this farm")
	case s.tokens == "":
		return nil, errors.New("-oidc-issuer makes clients, and no workers: want -tokens FILE as well, with a token of a worker (pangolind token)")
	}
	people, err := gateway.Discover(ctx, s.people.issuer, s.people.audience, s.people.claims)
	if err != nil {
		return nil, fmt.Errorf("-oidc-issuer: %w", err)
	}
	return people, nil
}

func (s *server) log(text string) { fmt.Fprintf(s.err, "pangolind: %s\n", text) }

// directory is the directory of the queue and the results.
func (s *server) directory() (string, error) {
	dir := s.dir
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("there is no directory for the queue: %w (-dir names one)", err)
		}
		dir = filepath.Join(user, "pangolin", "farm")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the directory of the queue cannot be made: %w (-dir names another one)", err)
	}
	return dir, nil
}

func (s *server) listen() (net.Listener, error) {
	host, port, err := net.SplitHostPort(s.addr)
	if err != nil {
		return nil, fmt.Errorf("-addr %q: want HOST:PORT, such as %s", s.addr, serveAt)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("%w (-addr names another address)", err)
	}
	return listener, nil
}

// quiet passes on what a queue's server has to complain of, and drops what it does all day.
type quiet struct{ *log.Logger }

func (q *quiet) Noticef(string, ...any) {}
func (q *quiet) Debugf(string, ...any)  {}
func (q *quiet) Tracef(string, ...any)  {}
func (q *quiet) Warnf(format string, args ...any) {
	if !strings.Contains(format, "Filestore") {
		return // most are about limits that are not set
	}
	q.Printf(format, args...)
}
func (q *quiet) Errorf(format string, args ...any) { q.Printf(format, args...) }
func (q *quiet) Fatalf(format string, args ...any) { q.Printf(format, args...) }
