// Each of these types is known to be wrong, and the usual scope shows it; doc/defects says what happens
// in those that were published so.
//
//pangolin:of LockFreeHashSet expect violated
//pangolin:of LockFreeHashSetPatched expect violated
//pangolin:of RefinableHashSet expect violated
//pangolin:of RefinableCuckooHashSet expect violated
//pangolin:of StripedCuckooHashSet expect violated
package hashset

// SPDX-License-Identifier: BSD-3-Clause
