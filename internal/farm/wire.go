// SPDX-License-Identifier: BSD-3-Clause

package farm

import (
	"encoding/json"
	"errors"
)

// The server's HTTP interface. Bodies are JSON but for bundles.
//
//	GET  /v1/farm             -> Info
//	POST /v1/runs/RUN  Ask    -> Answer
//	DELETE /v1/runs/RUN          nobody waits for the run's results any more
//	PUT  /v1/bundles/DIGEST      keeps a bundle
//	GET  /v1/bundles/DIGEST   -> its bytes, for workers
//	POST /v1/workers   Hello     the queue takes the worker's key, for some minutes
//	GET  /v1/queue               becomes a connection to the queue (Upgrade: nats)
//
// An error is a status from 400 on with one sentence as text.
const (
	PathFarm    = "/v1/farm"
	PathRuns    = "/v1/runs/"
	PathBundles = "/v1/bundles/"
	PathWorkers = "/v1/workers"
	PathQueue   = "/v1/queue"
)

// Upgrade is the value of the header of that name in a request for PathQueue.
const Upgrade = "nats"

// Info says what a server is.
type Info struct {
	Farm    int      // version of this interface
	Tool    string   // of the server's program (cache.Shared)
	Workers []Worker // that have shown themselves in the last seconds
	Largest int      // size in bytes of a task
	Trouble string   `json:",omitempty"` // why the server cannot work at present, such as a full disk
	Open    bool     // whoever reaches the server may do all: it wants no tokens
}

// The greatest sizes in bytes. A message of the queue has 32 MiB, and a third of that is lost by being in JSON.
const (
	Largest       = 20 << 20  // of Order.Task, and of Output.Text; less where the servers of others take no such messages (Info.Largest)
	LargestBundle = 256 << 20 // of an encoded bundle
)

// Version is that of the HTTP interface.
const Version = 3

// Worker is a worker as others see it.
type Worker struct {
	Tool  string
	Slots int // tasks that it does at the same time
}

// Order is a task that somebody wants done.
type Order struct {
	Name   string // of the collection, for people
	Task   []byte // a task.Task as JSON
	Bundle string // digest of the bundle with its sources
	// Origin is a task.Origin as JSON, for the server's history; nil: the result has no place there. No result depends on it.
	Origin json.RawMessage `json:",omitempty"`
}

// Ask is what the command sends, again and again.
type Ask struct {
	Tool    string   // of the program whose workers are to do the orders
	Orders  []Order  // new ones, or those that the server has forgotten
	Have    []string // keys of results that have arrived since the last time
	Drop    []string `json:",omitempty"` // keys of orders that are not wanted any more
	Seconds int      // how long to wait for a result
}

// Answer is what the server knows.
type Answer struct {
	// Memory is what the server knows of the run's orders, by a random name: where it is another one than in the last answer, or "", the
	// server knows no orders from before, and they have to be sent again.
	Memory   string
	Accepted int      // so many of the orders; there is no room for the others at present
	Missing  []string `json:",omitempty"` // bundles without which orders were not accepted
	Results  []Result `json:",omitempty"`
	Doing    []Doing  `json:",omitempty"` // what is being done of the run
	Info
}

// Result is what became of an order. Exactly one of the fields behind the worker is set.
type Result struct {
	Key      string
	Worker   string `json:",omitempty"` // that has done it, by the name that it gives itself
	Sealed   []byte `json:",omitempty"` // a stored result (cache.Seal)
	Text     []byte `json:",omitempty"` // a task.Result as JSON that is not stored
	Lost     bool   `json:",omitempty"` // the bundle is gone: the order has to be sent again
	GivenUp  string `json:",omitempty"` // why nobody can do the order
	Conflict bool   `json:",omitempty"` // the order has had two different results
}

// Doing is an order that a worker is doing.
type Doing struct {
	Key    string
	States uint64 // visited so far
}

// Hello is a worker that would like to join.
type Hello struct {
	Tool string
	Key  string // its public key at the queue, an nkey of a user
}

// ErrRefused says that the server, or a worker, has understood and will not do it: asking again is no use.
var ErrRefused = errors.New("refused")

// ErrCrashed says that a job's process has ended without a result, which the job may be to blame for. It is tried again.
var ErrCrashed = errors.New("the process has ended without a result")

// ErrLimit says that a job needs more memory or time than a worker gives it.
var ErrLimit = errors.New("a limit was reached")
