// SPDX-License-Identifier: BSD-3-Clause

package worker

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"pangolin/internal/farm"
	"pangolin/internal/farm/queue"
)

// Connect connects a worker with an ID to the queue behind a server. When the server is away it
// tries until it is back.
func Connect(ctx context.Context, s *farm.Server, id, tool string) (*nats.Conn, error) {
	var password atomic.Value
	hello := func() error {
		w, err := s.Hello(ctx, tool)
		if err == nil {
			password.Store(w.Password)
		}
		return err
	}
	for begun := time.Now(); ; pause(ctx, 200*time.Millisecond) {
		err := hello()
		if err == nil {
			break
		}
		if errors.Is(err, farm.ErrRefused) || ctx.Err() != nil || time.Since(begun) > 5*time.Second {
			return nil, err
		}
	}
	return nats.Connect("nats://127.0.0.1", nats.SetCustomDialer(s), nats.CustomInboxPrefix(queue.Inbox+"."+id),
		nats.UserInfoHandler(func() (string, string) { return farm.Labourer, password.Load().(string) }),
		nats.CustomReconnectDelay(func(int) time.Duration {
			_ = hello() // a server that was started again has another password, and may know no version but its own
			return 200 * time.Millisecond
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // what fails is tried again
		nats.PingInterval(farm.Ping), nats.MaxPingsOutstanding(farm.LostPings),
		nats.IgnoreAuthErrorAbort(), nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true), nats.IgnoreDiscoveredServers())
}
