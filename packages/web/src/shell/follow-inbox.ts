/** Asks for the number of unread messages whenever it may be another one. Fetched after the page: nobody waits for it. */
import { paths } from '../paths.ts'
import { carryInbox, hearInbox, isCarriedBeside, isHeard } from './inbox-events.ts'
import { createRefreshPlan } from './refresh-plan.ts'

/** Server-sent events: `inbox` whenever it changed. */
const INBOX_LIVE = '/api/0/inbox/live/'
/** While nothing tells of changes. */
const POLL_EVERY_MS = 20_000
/** While a stream does: should it have gone silent. */
const ASSURE_EVERY_MS = 120_000
/** The page may be about to open a stream that brings it along. */
const OWN_STREAM_AFTER_MS = 500

/** Until the returned function is called. */
export function followInbox(onCount: (unread: number) => void): () => void {
  const abort = new AbortController()
  const isSeen = (): boolean => document.visibilityState === 'visible'
  const ask = async (): Promise<void> => {
    try {
      const answer = await fetch(paths.inboxCount(), {
        signal: abort.signal,
        headers: { accept: 'application/json' },
      })
      onCount(((await answer.json()) as { readonly unread: number }).unread)
    } catch {
      // No network, or signed out meanwhile: the number stays as it was.
    }
  }
  const assureMs = (): number => (!isSeen() ? Infinity : isHeard() ? ASSURE_EVERY_MS : POLL_EVERY_MS)
  const plan = createRefreshPlan(ask, assureMs)
  let own: EventSource | undefined
  let dropOwn = (): void => {}
  let timer: ReturnType<typeof setTimeout> | undefined

  const close = (): void => {
    const before = own
    own = undefined
    dropOwn()
    before?.close()
  }
  const open = (): void => {
    if (own || !isSeen() || isCarriedBeside(own)) return
    const stream = new EventSource(INBOX_LIVE)
    own = stream
    let isBroken = false
    stream.addEventListener('error', () => {
      isBroken = true
      plan.assure(assureMs())
    })
    // What changed while it was away, nobody told.
    stream.addEventListener('open', () => {
      if (isBroken) plan.changed()
      isBroken = false
    })
    dropOwn = carryInbox(stream)
  }
  const arrange = (): void => {
    clearTimeout(timer)
    if (!isSeen() || isCarriedBeside(own)) close()
    else if (!own) timer = setTimeout(open, OWN_STREAM_AFTER_MS)
  }
  const seen = (): void => {
    arrange()
    if (isSeen()) plan.changed()
    else plan.forget()
  }
  const unhear = hearInbox({ heard: plan.changed, rearranged: arrange })
  document.addEventListener('visibilitychange', seen)
  arrange()
  plan.assure(assureMs())
  return () => {
    unhear()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
    close()
    plan.stop()
    abort.abort()
  }
}
