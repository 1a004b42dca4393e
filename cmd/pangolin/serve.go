// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/cache"
	"pangolin/internal/site"
)

// The subcommand serve: a page over the directory of results.

const serveHelp = `Serve shows what verify, prove, refine and Check have judged with results kept: packages
and types with their newest verdicts, the history of a type over git revisions, two
revisions compared, each result that is still kept with its violation step by
step, and the processes that are at work. It prints the address of the page.

The page is served on loopback, to this machine only, unless -addr names another
address; whoever reaches that can read it. It fetches nothing from elsewhere and
changes nothing.

The directory is that of pangolin cache. An interrupt ends the command.

Exit codes: 0 it was interrupted, 2 usage or tool error, such as an address in use.`

// serveAt is the default address.
const serveAt = "127.0.0.1:6464"

func newServe(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	dir := fs.String("cache", "", "the `directory` of results")
	addr := fs.String("addr", serveAt, "the `address` to serve at: HOST:PORT, or :PORT on loopback; port 0 is any free one")
	return &ffcli.Command{
		Name:       "serve",
		ShortUsage: "pangolin serve [-addr HOST:PORT] [-cache DIR]",
		ShortHelp:  "a page over the verdicts that are kept",
		LongHelp:   serveHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return &usageError{"serve", "serve takes no arguments"}
			}
			path, err := resultsDir(*dir)
			if err != nil {
				return err
			}
			d, err := cache.Open(path)
			if err != nil {
				return err
			}
			return serve(ctx, d, *addr, con)
		},
	}
}

// longestRequest is how long a client may take to send the head of a request.
const longestRequest = 10 * time.Second

// serve serves the page until the context ends.
func serve(ctx context.Context, d *cache.Dir, addr string, con *console) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return &usageError{"serve", fmt.Sprintf("-addr %q: want HOST:PORT, such as %s", addr, serveAt)}
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return fmt.Errorf("%w (-addr names another address)", err)
	}
	if at, ok := listener.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() {
		con.note("this is no loopback address: whoever reaches it can read what is kept")
	}
	fmt.Fprintf(con.out, "http://%s/\n", listener.Addr())
	server := &http.Server{Handler: site.New(d, host), ReadHeaderTimeout: longestRequest, BaseContext: func(net.Listener) context.Context { return ctx }}
	ended := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer ended()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
