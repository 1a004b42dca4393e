// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/farm/gateway"
	"pangolin/internal/farm/queue"
	"pangolin/internal/site"
	"pangolin/internal/task"
)

// The site of a farm: the verdicts that commands were given, as pangolin serve shows those of one machine. What it says of a verdict is from
// the worker's result; module and revision are what the command says.

// mostLog is the size in bytes of each of the four files of the log: who looks at the site has all of it in the server's memory.
const mostLog = 4 << 20

// history is the log of what commands were given, and the site over it.
func (s *server) history(ctx context.Context, dir string, g *gateway.Gateway) (*gateway.History, error) {
	log, err := cache.Open(filepath.Join(dir, "history"))
	if err != nil {
		return nil, fmt.Errorf("the directory of the history cannot be used: %w", err)
	}
	log.LogLimit = mostLog
	said := "" // so that a full disk is complained of once
	enter := func(one *gateway.Given) {
		line, err := lineOf(one, time.Now())
		if err == nil && line != nil {
			err = log.Append(line)
		}
		if err != nil && err.Error() != said {
			said = err.Error()
			s.log("the history lacks a result: " + said)
		}
	}
	pages := site.Of(&site.Source{
		Log:     log.Log(),
		Result:  func(key string) (*task.Result, error) { return resultOf(ctx, g.Queue, key) },
		Running: func() []task.Work { return running(g) },
		Where:   "this farm",
		Example: "pangolin verify -on URL ./...",
		Status:  gateway.PathState,
		Alert: func() string {
			if n := g.Conflicts(); n > 0 {
				return fmt.Sprintf("Tasks with two different results: %d. The page of the farm names them.", n)
			}
			return ""
		},
		Called: func(string) bool { return true }, // the gateway has checked it
	})
	return &gateway.History{Enter: enter, Site: pages}, nil
}

// lineOf is the line of the log about a result; nil: there is nothing to say.
func lineOf(one *gateway.Given, at time.Time) ([]byte, error) {
	var origin task.Origin
	if err := json.Unmarshal(one.Origin, &origin); err != nil {
		return nil, fmt.Errorf("the origin of its sources is not of the right form: %w", err)
	}
	r := &task.Result{}
	var err error
	if one.Sealed != nil {
		r, err = unsealed(one.Key, one.Sealed)
	} else {
		err = r.UnmarshalJSON(one.Text)
	}
	if err != nil {
		return nil, err
	}
	return r.Line(&origin, at)
}

// resultOf is the result that a queue has under a key.
func resultOf(ctx context.Context, q *queue.Queue, key string) (*task.Result, error) {
	if !cache.IsKey(key) {
		return nil, cache.ErrNone
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	sealed, _, err := q.Result(ctx, key)
	if err != nil {
		return nil, err
	}
	differs, err := q.Differs(ctx, key)
	if err != nil {
		return nil, err
	}
	if differs {
		return nil, site.ErrDiffers
	}
	return unsealed(key, sealed)
}

// unsealed reads a stored result.
func unsealed(key string, sealed []byte) (*task.Result, error) {
	entry, err := cache.Unseal(key, sealed)
	if err != nil {
		return nil, err
	}
	r := &task.Result{}
	if err := r.UnmarshalJSON(entry.Text); err != nil {
		return nil, err
	}
	r.Key = key
	return r, nil
}

// running is what the workers are doing.
func running(g *gateway.Gateway) (list []task.Work) {
	for _, w := range g.Workers() {
		for _, d := range w.Busy {
			list = append(list, task.Work{Command: fmt.Sprintf("worker %s on %s", w.ID, w.Host), Done: w.Done, Collection: d.Name, States: d.States})
		}
	}
	return list
}
