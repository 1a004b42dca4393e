//go:build prelude

//pangolin:for context

package prelude

import "context"

//pangolin:model context.contextName
func contextName(c context.Context) string {
	if s, ok := c.(interface{ String() string }); ok {
		return s.String()
	}
	return "context"
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

func (c *context_valueCtx) Value(key any) any {
	if c.key == key {
		return c.val
	}
	return c.Context.Value(key)
}
