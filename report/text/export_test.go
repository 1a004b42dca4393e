// SPDX-License-Identifier: BSD-3-Clause

package text

// MostAssumed is how many assumptions of tests are shown without -v.
const MostAssumed = mostAssumed
