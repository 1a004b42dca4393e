// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"os"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
	"pangolin/internal/farm/client"
	"pangolin/internal/task"
)

// Verdicts computed by a farm (pangolind): the flag -on.

// farmFlags are the flags about a farm.
type farmFlags struct {
	on     string
	client *client.Client
}

func (f *farmFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.on, "on", "", "have the results computed by the farm at `URL`, the address that pangolind serve prints (doc/farm.md)")
}

// wherever verifies here, or on a farm.
func (f *verifyFlags) wherever(ctx context.Context, args []string, con *console) error {
	if f.farm.on == "" {
		return f.runOrWatch(ctx, args, con)
	}
	if err := f.farm.join(ctx, con); err != nil {
		return err
	}
	defer f.farm.client.Close()
	err := f.runOrWatch(ctx, args, con)
	if doubt := f.farm.client.Err(); doubt != nil {
		return doubt
	}
	return err
}

// elsewhere is the function that computes results; nil: they are computed here.
func (f *farmFlags) elsewhere() task.Elsewhere {
	if f.client == nil {
		return nil
	}
	return f.client.Do
}

// join begins to use the farm.
func (f *farmFlags) join(ctx context.Context, con *console) error {
	tool, err := cache.Shared()
	if err != nil {
		return err
	}
	server, err := farm.At(f.on, os.Getenv(farm.TokenVariable), nil)
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	f.client = &client.Client{Server: server, Tool: tool, Dir: dir, Note: con.note}
	return f.client.Open(ctx)
}
