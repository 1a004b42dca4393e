// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/farm/gateway"
)

const tokenHelp = `Token makes a token, prints it, and adds a line to the file with which the server
was started (pangolind serve -tokens FILE). The file has the token's SHA-256, not the
token, so nobody can read it there. A line that is removed is a token that is
withdrawn, at once.

Clients and workers have the token in the environment variable PANGOLIN_TOKEN, or in
a file that PANGOLIN_TOKEN_FILE names.`

// newToken is the constructor of the subcommand token.
func newToken(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("token", flag.ContinueOnError)
	file := fs.String("tokens", "", "the `file` to which a line is added")
	name := fs.String("name", "", "whose token it is: a `word`")
	role := fs.String("role", string(gateway.Client), "client, or worker")
	days := fs.Int("days", 90, "for how many `days` it is accepted")
	return &ffcli.Command{
		Name: "token", ShortUsage: "pangolind token -tokens FILE -name NAME [-role worker]", ShortHelp: "make a token for a client or a worker", LongHelp: tokenHelp, FlagSet: fs,
		Exec: func(_ context.Context, args []string) error {
			if len(args) > 0 || *file == "" {
				return errors.New("token wants -tokens FILE and -name NAME, and no arguments")
			}
			if *days < 0 {
				return fmt.Errorf("-days %d: want 0 or more", *days)
			}
			secret, line, err := gateway.Issue(*name, gateway.Role(*role), time.Now().AddDate(0, 0, *days))
			if err != nil {
				return err
			}
			f, err := os.OpenFile(*file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				return err
			}
			if _, err := f.WriteString(line); err != nil {
				return errors.Join(err, f.Close())
			}
			if err := f.Close(); err != nil {
				return err
			}
			fmt.Fprintln(con.out, secret)
			return nil
		},
	}
}
