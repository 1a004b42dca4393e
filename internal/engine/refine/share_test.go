// SPDX-License-Identifier: BSD-3-Clause

package refine

import "pangolin/internal/test/sources"

var repository = sources.Repository
