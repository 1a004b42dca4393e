// SPDX-License-Identifier: BSD-3-Clause

// Package found imports what doc/found.md is about, so that go.mod has it.
package found

import (
	_ "github.com/Workiva/go-datastructures/queue"
	_ "github.com/Workiva/go-datastructures/trie/ctrie"
	_ "github.com/alexedwards/scs/v2/memstore"
	_ "github.com/bytedance/gopkg/collection/zset"
	_ "github.com/bytedance/gopkg/lang/channel"
	_ "github.com/juju/ratelimit"
	_ "github.com/muesli/cache2go"
	_ "github.com/paulbellamy/ratecounter"
	_ "github.com/rs/zerolog"
	_ "github.com/samber/mo"
	_ "github.com/tidwall/btree"
	_ "go.uber.org/atomic"
)
