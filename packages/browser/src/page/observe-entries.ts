/** Entries of the browser's performance timeline, of those types that it knows. */

/**
 * Returns what hands on the entries that the browser still holds back. `options`: `buffered`, for entries from before, and what
 * else `observe` takes; one type at a time, as with `entryTypes` none of it counts.
 */
export function observeEntries(
  types: readonly string[],
  take: (entries: PerformanceEntryList) => void,
  options?: PerformanceObserverInit,
): () => void {
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  for (const type of types)
    // Firefox warns in the console of types that it does not know.
    if (PerformanceObserver.supportedEntryTypes.includes(type)) observer.observe({ type, ...options })
  return () => take(observer.takeRecords())
}
