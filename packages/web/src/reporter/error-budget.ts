/**
 * A screen that fails at every refresh would feed itself: its report is an event, an event refreshes the lists. So only
 * so many errors a minute are told, and a page that goes on failing falls silent.
 */
const PER_MINUTE = 10
const PER_PAGE = 50

export function createErrorBudget(nowMs: () => number = Date.now): () => boolean {
  let minute = -1
  let inMinute = 0
  let inPage = 0
  return () => {
    const current = Math.floor(nowMs() / 60_000)
    if (current !== minute) inMinute = 0
    minute = current
    inMinute++
    inPage++
    return inMinute <= PER_MINUTE && inPage <= PER_PAGE
  }
}
