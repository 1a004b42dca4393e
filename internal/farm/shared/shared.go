// SPDX-License-Identifier: BSD-3-Clause

// Package shared keeps bundles and results in a store that others run: one that speaks S3, or the cache of a
// remote execution service (REAPI). So servers of several farms, and a server whose directory was lost, have them.
//
//	s, err := shared.Open("s3://bucket/prefix?endpoint=https://host:9000")
//	s, err := shared.Open("grpcs://host:8980/instance")
//
// A store is a cache: what it loses is computed again, and what it gives is believed no more than its digest. It does not list or remove
// anything.
package shared

import (
	"context"
	"errors"
	"fmt"
	"net/url"
)

// Store keeps texts under names such as "bundle/DIGEST" and "result/KEY". A text is kept whole or not at all.
type Store interface {
	// Has says whether there is a text.
	Has(ctx context.Context, name string) (bool, error)
	// Get gives a text, or ErrNone.
	Get(ctx context.Context, name string) ([]byte, error)
	// Put keeps a text, unless there is one of the name.
	Put(ctx context.Context, name string, text []byte) error
	// Check says what is wrong with the store; nil: it answers.
	Check(ctx context.Context) error
}

// ErrNone says that there is no text of a name.
var ErrNone = errors.New("the shared store does not have it")

// largest is the greatest size of a text in bytes: that of a bundle, and of a result beyond it.
const largest = 300 << 20

// Open gives the store at an address. It does not connect. An address has no user and no password, because addresses are printed: keys
// come from the environment.
func Open(address string) (Store, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" { // not printed: there may be a password in it
		return nil, errors.New("the address of the shared store is none: want s3://BUCKET/PREFIX?endpoint=URL, grpcs://HOST:PORT/INSTANCE, or grpc:// without TLS")
	}
	if u.User != nil {
		return nil, fmt.Errorf("%s://%s: there is a user in the address: its keys come from the environment (doc/farm.md)", u.Scheme, u.Host)
	}
	switch u.Scheme {
	case "s3":
		return openBucket(u)
	case "grpc", "grpcs":
		return openActions(u)
	}
	return nil, fmt.Errorf("%s: there are no stores of the kind %s:// (there are s3, grpc and grpcs)", shown(u), u.Scheme)
}

// Shown is an address that Open has taken as it is printed: without its query and fragment, in which somebody may have put a secret.
func Shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the address"
	}
	return shown(u)
}

func shown(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }
