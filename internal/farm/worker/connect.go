// SPDX-License-Identifier: BSD-3-Clause

package worker

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
)

// answers is how many messages a subscription without a handler has room for. The only such one is the request for a task, which has one answer; the
// library's own number, half a million, costs each request half a megabyte to clear.
const answers = 16

// Connect connects a new worker to the queue behind a server, and gives its ID. When the server is away it
// tries until it is back. The worker's private key is made here and stays in this process.
func Connect(ctx context.Context, s *farm.Server, tool string) (*nats.Conn, string, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, "", err
	}
	key, err := pair.PublicKey()
	if err != nil {
		return nil, "", err
	}
	hello := func() error { return s.Hello(ctx, &farm.Hello{Tool: tool, Key: key}) }
	for begun := time.Now(); ; pause(ctx, 200*time.Millisecond) {
		err := hello()
		if err == nil {
			break
		}
		if errors.Is(err, farm.ErrRefused) || ctx.Err() != nil || time.Since(begun) > 5*time.Second {
			return nil, "", err
		}
	}
	id := queue.WorkerOf(key)
	conn, err := nats.Connect("nats://127.0.0.1", nats.SetCustomDialer(s), nats.CustomInboxPrefix(queue.Inbox+"."+id), nats.Nkey(key, pair.Sign),
		nats.CustomReconnectDelay(func(int) time.Duration {
			_ = hello() // a server that was started again does not know the key, and may know no version but its own
			return 200 * time.Millisecond
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // what fails is tried again
		nats.PingInterval(farm.Ping), nats.MaxPingsOutstanding(farm.LostPings),
		nats.SyncQueueLen(answers),
		nats.IgnoreAuthErrorAbort(), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true), nats.IgnoreDiscoveredServers())
	return conn, id, err
}
