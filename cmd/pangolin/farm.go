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

// wherever verifies once, here or on a farm. A client has the sources as they were when it packed them, so -watch uses a new one each time.
func (f *verifyFlags) wherever(ctx context.Context, args []string, con *console) error {
	return f.farm.wherever(ctx, con, func() error { return f.run(ctx, args, con) })
}

// wherever calls a function while the farm is used, if there is one.
func (f *farmFlags) wherever(ctx context.Context, con *console, call func() error) error {
	if f.on == "" {
		return call()
	}
	if err := f.join(ctx, con); err != nil {
		return err
	}
	defer f.client.Close()
	err := call()
	if doubt := f.client.Err(); doubt != nil {
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
	server, err := farm.FromEnvironment(f.on)
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
