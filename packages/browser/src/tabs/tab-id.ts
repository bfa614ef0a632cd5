/**
 * An id that a tab keeps over its page loads. It lies in sessionStorage only between two pages: a tab that is duplicated
 * or opened by this one copies the storage of a page that is shown, and must not become the same tab.
 */
import { randomHex } from '../random-hex.ts'

const KEY = 'sonde.tab'
const IS_ID = /^[0-9a-f]{16}$/

export function keepTabId(): string {
  const id = take() ?? randomHex(8)
  addEventListener('pagehide', () => put(id))
  // Out of the back/forward cache: the page before this one left it there.
  addEventListener('pageshow', ({ persisted }) => persisted && take())
  return id
}

// Pages without storage (a sandboxed frame, a browser's setting) throw as soon as it is named.
function take(): string | undefined {
  try {
    const id = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    return id && IS_ID.test(id) ? id : undefined
  } catch {
    return undefined
  }
}

function put(id: string): void {
  try {
    sessionStorage.setItem(KEY, id)
  } catch {
    // The next page is a new tab then.
  }
}
