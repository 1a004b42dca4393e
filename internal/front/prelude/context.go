//go:build prelude

//pangolin:for context

package prelude

import "context"

// typeName is the name of the type of what v holds.
func typeName(v any) string

//pangolin:model context.contextName
func contextName(c context.Context) string {
	if s, ok := c.(interface{ String() string }); ok {
		return s.String()
	}
	return typeName(c)
}

//pangolin:model context.WithValue
func withValue(parent context.Context, key, val any) context.Context {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	if key == nil {
		panic("nil key")
	}
	if !isComparableKey(key) {
		panic("key is not comparable")
	}
	return &context_valueCtx{parent, key, val}
}

func isComparableKey(key any) (ok bool) {
	defer func() { _ = recover() }()
	return key == key
}

type context_valueCtx struct {
	context.Context
	key, val any
}

// Value is the value of the nearest context around that has the key.
func (c *context_valueCtx) Value(key any) any {
	if c.key == key {
		return c.val
	}
	return c.Context.Value(key)
}

func (c *context_valueCtx) String() string {
	return contextName(c.Context) + ".WithValue(" + contextText(c.key) + ", " + contextText(c.val) + ")"
}

func contextText(v any) string {
	switch s := v.(type) {
	case interface{ String() string }:
		return s.String()
	case string:
		return s
	case nil:
		return "<nil>"
	}
	return typeName(v)
}

// SPDX-License-Identifier: BSD-3-Clause
