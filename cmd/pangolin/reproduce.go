package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/reproduce"
	"pangolin/verdict"
)

const reproduceHelp = `Reproduce forces the schedule of a witness on code that Go's own compiler has
compiled, and on Go's runtime: each access of the schedule waits for its turn. It
shares nothing with the machine that found the violation, neither the front end nor
the search nor the judge of histories, so what it reproduces is confirmed by a second
way. It runs in the module that the collection belongs to, and needs the sources of
the standard library.

Exit codes: 0 the violation was reproduced; 1 it was not (what happened instead is
said: please report it, one of the two is wrong); 3 the schedule could not be tried.`

func newReproduce(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "print one JSON object")
	return &ffcli.Command{
		Name:       "reproduce",
		ShortUsage: "pangolin reproduce WITNESS.json",
		ShortHelp:  "force a witness's schedule on the real Go runtime",
		LongHelp:   reproduceHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			if len(args) != 1 {
				return &usageError{"reproduce", "reproduce wants one witness file"}
			}
			return reproduced(ctx, args[0], *asJSON, con)
		},
	}
}

// reproduction is the line that -json prints.
type reproduction struct {
	Type       string `json:"type"` // "reproduction"
	Collection string `json:"collection"`
	Class      string `json:"class"`
	Result     string `json:"result"` // reproduced, not reproduced or cannot
	Why        string `json:"why"`    // what was seen, or why nothing could be
	Schema     int    `json:"schema"`
}

func reproduced(ctx context.Context, file string, asJSON bool, con *console) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	w, err := verdict.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	list, err := reproduce.Witnesses(ctx, ".", []*verdict.Witness{w})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r, code := reproduction{"reproduction", w.Subject.Collection, w.Class, "not reproduced", list[0].Why, verdict.Schema}, verdict.ExitViolated
	switch {
	case list[0].Cannot:
		r.Result, code = "cannot", verdict.ExitUnknown
	case list[0].Reproduced:
		r.Result, code = "reproduced", verdict.ExitVerified
	}
	if asJSON {
		err = json.NewEncoder(con.out).Encode(r)
	} else {
		_, err = fmt.Fprintf(con.out, "%s: %s of %s: %s\n", r.Result, r.Class, r.Collection, r.Why)
	}
	if err != nil {
		return fmt.Errorf("writing the results: %w", err)
	}
	return exitWith(code)
}
