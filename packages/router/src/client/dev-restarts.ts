/**
 * Development: a page stays as it is while the server restarts, which an edit of code outside of the screens makes it
 * do. Vite's client would load the document again, and what was typed or folded out would be gone.
 */
import { EDITS_PATH } from '../shared/entry-names.ts'

type Hot = { on(event: 'vite:ws:disconnect', listener: () => Promise<void>): void }

const TRY_AGAIN_MS = 300

/**
 * Vite's client waits for the listener, so it never gets to its own reload. The new server knows nothing of the modules
 * of this page: the first edit of one of them loads the document, and hot reload works as before.
 */
export function stayThroughRestarts(hot: Hot, refresh: () => Promise<unknown>): void {
  let isStaying = false
  hot.on('vite:ws:disconnect', () => {
    if (!isStaying) listen(refresh)
    isStaying = true
    return new Promise(() => {})
  })
}

function listen(refresh: () => Promise<unknown>): void {
  const edits = new EventSource(EDITS_PATH)
  edits.addEventListener('open', () => void refresh())
  edits.addEventListener('message', ({ data }) => {
    if (data === 'refresh') void refresh()
    else window.location.reload()
  })
  edits.addEventListener('error', () => {
    // An answer that is no stream ends the source for good; a connection that was refused it tries again itself.
    if (edits.readyState !== EventSource.CLOSED) return
    setTimeout(() => listen(refresh), TRY_AGAIN_MS)
  })
}
