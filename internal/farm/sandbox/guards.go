// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"pangolin/internal/farm/bundle"
)

// Guards are what a process is kept from harm by, besides that it is a process of its own which is
// killed at its limits on time.
type Guards struct {
	// Spaces: the process has namespaces of its own for users (User), files, processes, the
	// network, messages and host names. It sees the directories that it needs, read-only, and no
	// network.
	Spaces bool
	User   bool
	// Calls: a filter of system calls. The process can start no other process and no program,
	// connect to nothing, and open no file for writing. No privileges can be gained.
	Calls bool
	// Data: the system limits the memory, CPU time and files of the process.
	Data bool
}

// Sentences tell which guards tasks are done under, and which this system lacks.
func (s *Sandbox) Sentences() (list []string) {
	g := s.guards
	say := func(is bool, yes, no string) {
		if is {
			list = append(list, yes)
		} else {
			list = append(list, "NOT in force: "+no)
		}
	}
	say(g.Spaces, "namespaces: no network, no other processes, no files but a task's own and the standard library, read-only", "namespaces (a task's process shares network and files with this one)")
	say(g.Calls, "system calls: no programs, no connections, no writing, no new privileges", "a filter of system calls")
	say(g.Data, "limits of the system on memory, CPU time and files", "limits of the system on memory, CPU time and files")
	for _, why := range s.lacking {
		list = append(list, "  "+why)
	}
	return list
}

// probe finds the strongest guards under which a process starts, and why it does not start under
// stronger ones.
func (s *Sandbox) probe(ctx context.Context) (g Guards, why []string, err error) {
	for _, g := range candidates {
		root, err := os.MkdirTemp(s.config.Dir, "probe-")
		if err != nil {
			return Guards{}, why, err
		}
		defer os.RemoveAll(root)
		p := &process{sandbox: s, guards: g, env: environment(&bundle.Manifest{}, s.config.Limits.Memory)}
		err = p.start(&head{Guards: g, Limits: s.config.Limits, Root: root, Seen: []string{s.standard.Root(), s.standard.Exports()}, Probe: true})
		if err == nil {
			_, err = p.run(ctx, &order{Last: true}, nil)
		}
		if ctx.Err() != nil {
			return Guards{}, why, ctx.Err()
		}
		if ended := (*Ended)(nil); p.guard && errors.As(err, &ended) && ended.How == Crashed && p.cmd.ProcessState.Success() { // it has no result, as it should
			return g, why, nil
		}
		why = append(why, oneLine(filepath.Base(s.config.Command[0])+": "+err.Error()))
	}
	return Guards{}, why, &Ended{Crashed, oneLine("no process can be started: " + why[len(why)-1])}
}
