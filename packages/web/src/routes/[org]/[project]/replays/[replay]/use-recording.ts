/** Fetches the recording bit by bit and hands it to the player and the lists as it comes. */
import { useEffect, useRef, useState } from 'react'
import { CUSTOM, type Entry, entriesOf, MAX_ENTRIES } from './entries.ts'
import type { RecordedEvent } from './frame-messages.ts'

export type Recording = {
  readonly state: 'loading' | 'done' | 'failed'
  readonly entries: readonly Entry[]
  /** As the page's clock said; undefined: nothing has come yet. */
  readonly firstMs: number | undefined
  readonly lastMs: number
  /** So many segments of it the server could not read. */
  readonly unreadable: number
}

const EMPTY: Recording = { state: 'loading', entries: [], firstMs: undefined, lastMs: 0, unreadable: 0 }
type Page = {
  readonly segments: readonly (readonly RecordedEvent[])[]
  readonly unreadable: readonly number[]
  readonly next: number | null
}

/** `take` is given events in the order of time, once each. */
export function useRecording(
  urlOf: (from: number) => string,
  take: (events: readonly RecordedEvent[]) => void,
): Recording {
  const [recording, setRecording] = useState(EMPTY)
  const latest = useRef({ urlOf, take })
  useEffect(() => {
    latest.current = { urlOf, take }
  })
  useEffect(() => {
    const abort = new AbortController()
    const load = async (): Promise<void> => {
      let from: number | null = 0
      let entries: readonly Entry[] = []
      let firstMs: number | undefined
      let lastMs = 0
      let nextId = 0
      let unreadable = 0
      while (from !== null) {
        const answer: Response = await fetch(latest.current.urlOf(from), { signal: abort.signal })
        if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
        const page = (await answer.json()) as Page
        const events = page.segments.flat().toSorted((a, b) => a.timestamp - b.timestamp)
        // Those of the SDK are for the lists; their times may lie before the recording.
        const played = events.filter(({ type }) => type !== CUSTOM)
        const found = entriesOf(events, nextId)
        nextId += found.length
        entries = [...entries, ...found].toSorted((a, b) => a.atMs - b.atMs).slice(0, MAX_ENTRIES)
        firstMs ??= played[0]?.timestamp
        lastMs = Math.max(lastMs, played.at(-1)?.timestamp ?? 0)
        if (played.length > 0) latest.current.take(played)
        unreadable += page.unreadable.length
        from = page.next
        const state = from === null ? 'done' : 'loading'
        setRecording({ state, entries, firstMs, lastMs, unreadable })
      }
    }
    load().catch(() => {
      if (!abort.signal.aborted) setRecording((known) => ({ ...known, state: 'failed' }))
    })
    return () => abort.abort()
  }, [])
  return recording
}
