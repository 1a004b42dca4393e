// SPDX-License-Identifier: BSD-3-Clause

package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"pangolin/internal/farm"
)

// History has which results commands were given, for people. What is lost of it when the server ends is no result.
type History struct {
	Enter func(*Given) // is told of each result whose order has an origin, one at a time
	Site  http.Handler // shows what was entered

	mu   sync.Mutex
	list []*Given      // not entered yet
	come chan struct{} // there are some
}

// Given is a result that a command was given.
type Given struct {
	Key    string
	Origin json.RawMessage // of the order
	Sealed []byte          // the stored result; nil: it is not stored
	Text   []byte          // the result if it is not
}

// note notes a result that a run is given. The caller holds the gateway's mutex.
func (h *History) note(one *run, r *farm.Result) {
	origin := one.origin[r.Key]
	if h == nil || origin == nil || len(r.Sealed)+len(r.Text) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, &Given{r.Key, origin, r.Sealed, r.Text})
	select {
	case h.come <- struct{}{}:
	default:
	}
}

// write enters results until the context ends.
func (h *History) write(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.come:
		}
		h.mu.Lock()
		list := h.list
		h.list = nil
		h.mu.Unlock()
		for _, one := range list {
			h.Enter(one)
		}
	}
}

// ServeHTTP serves the site over the history. What it streams ends as events does.
func (h *History) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithTimeout(r.Context(), watches)
	defer stop()
	h.Site.ServeHTTP(w, r.WithContext(ctx))
}
