// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import "pangolin/internal/test/sources"

var repository = sources.Repository
