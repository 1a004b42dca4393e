// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/cache"
	"pangolin/verdict"
)

// The subcommand cache: what the directory of results holds.

const cacheHelp = `Cache looks after the directory in which verify, prove, refine, mutate, test and Check
keep their results: what was computed once for the same source, the same request
and by the same Pangolin is not computed again, and such a verdict is marked
"cached". WHAT is one of

  stat     print how many results the directory has, and their size
  clean    remove all results, and the log of what was judged (pangolin serve)
  verify   read every result, and name the files that are damaged (the next
           verification replaces them) and the results that conflict: two
           different ones for the same task, which should never be

The directory is that of -cache, or that of the environment variable
PANGOLIN_CACHE (an absolute path, or off), or pangolin/results in the user's cache
directory. Results that were not used for the longest time are removed when all
together have more than 1 GiB. Searches that last leave checkpoints there until
their verdict is there (verify -resume goes on with them): at most 4 GiB. stat
counts them, clean removes them, verify reads them as well. Any number of processes may share a directory.

Exit codes: 0 all is well, 2 usage or tool error, a damaged file or a conflict.`

func newCache(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("cache", flag.ContinueOnError)
	dir := fs.String("cache", "", "the `directory` of results")
	return &ffcli.Command{
		Name:       "cache",
		ShortUsage: "pangolin cache stat | clean | verify [-cache DIR]",
		ShortHelp:  "look after the results that are kept",
		LongHelp:   cacheHelp,
		FlagSet:    fs,
		Exec: func(_ context.Context, args []string) error {
			what := ""
			if len(args) == 1 {
				what = args[0]
			}
			do, ok := cacheActions[what]
			if !ok {
				return &usageError{"cache", "cache wants one of stat, clean and verify"}
			}
			path, err := resultsDir(*dir)
			if err != nil {
				return err
			}
			if info, err := os.Stat(path); os.IsNotExist(err) || err == nil && !info.IsDir() {
				return fmt.Errorf("%s is no directory", path)
			}
			d, err := cache.Open(path)
			if err != nil {
				return err
			}
			return do(d, con)
		},
	}
}

// resultsDir is the directory of results that a flag names, or the user's own if that is "".
func resultsDir(path string) (string, error) {
	if path != "" {
		return path, nil
	}
	path, err := cache.Default()
	if err == nil && path == "" {
		err = fmt.Errorf("there is no directory of results: %s is off, or the user has no cache directory (-cache names one)", cache.Variable)
	}
	return path, err
}

// cacheActions are what the subcommand does, by name.
var cacheActions = map[string]func(*cache.Dir, *console) error{
	"stat": func(d *cache.Dir, con *console) error {
		s, err := d.Stat()
		if err != nil {
			return err
		}
		fmt.Fprintf(con.out, "%s: %s\n", d.Path(), held(&s))
		if s.Results > 0 {
			fmt.Fprintf(con.out, "the result that was not used for the longest time: last used %s\n", s.Oldest.UTC().Format("2006-01-02 15:04 UTC"))
		}
		return told(&s, con)
	},
	"clean": func(d *cache.Dir, con *console) error {
		s, err := d.Stat()
		if err != nil {
			return err
		}
		if err := d.Clean(); err != nil {
			return err
		}
		fmt.Fprintf(con.out, "%s: removed %s\n", d.Path(), held(&s))
		return nil
	},
	"verify": func(d *cache.Dir, con *console) error {
		s, err := d.Check()
		if err != nil {
			return err
		}
		fmt.Fprintf(con.out, "%s: %s, %d damaged\n", d.Path(), held(&s), len(s.Damaged))
		return told(&s, con)
	},
}

// held says how much a directory holds.
func held(s *cache.Stat) string {
	text := fmt.Sprintf("%d results, %.1f of at most %d MiB, %d conflicts", s.Results, float64(s.Bytes)/(1<<20), cache.Limit>>20, len(s.Conflicts))
	if s.Checkpoints > 0 {
		text += fmt.Sprintf(", %d checkpoints, %.1f of at most %d MiB", s.Checkpoints, float64(s.Saved)/(1<<20), cache.CheckpointLimit>>20)
	}
	return text
}

// told names the files that should not be there.
func told(s *cache.Stat, con *console) error {
	for _, file := range s.Damaged {
		fmt.Fprintf(con.err, "pangolin: %s is damaged; it counts as absent\n", file)
	}
	for _, file := range s.Conflicts {
		fmt.Fprintf(con.err, "pangolin: %s differs from the result that was kept before it, beside it: please report both\n", file)
	}
	if len(s.Damaged)+len(s.Conflicts) > 0 {
		return exitWith(verdict.ExitTool)
	}
	return nil
}
