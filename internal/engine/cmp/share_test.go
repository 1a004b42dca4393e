// SPDX-License-Identifier: BSD-3-Clause

package cmp

import "pangolin/internal/test/sources"

var repository = sources.Repository
