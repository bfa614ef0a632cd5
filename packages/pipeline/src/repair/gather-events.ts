/** Reads on from where the cursor is until enough events are different, and chooses their issues. */
import type { Records, Telemetry } from '@sonde/stores'
import type { ReadAnew, Redigest } from './redigest.ts'
import type { RepairCursor } from './repair-cursor.ts'
import type { Pace } from './pace.ts'
import { readPage, type ScannedEvent } from './read-page.ts'
import type { Scan } from './scans.ts'

/** A deletion costs the same for ten rows and for a thousand; what is in memory meanwhile is their old and new text. */
const LOT = { maxEvents: 1_000, maxBytes: 8 * 1024 * 1024 }
/** Of the first page; later ones have as many events as fit, by the size of those before. */
const FIRST_PAGE = 64
const PAGE = { minEvents: 8, maxEvents: 512, bytes: 2 * 1024 * 1024 }

export type ChangedEvent = { readonly event: ScannedEvent; readonly now: ReadAnew }
export type Gathered = {
  readonly changed: readonly ChangedEvent[]
  readonly seen: number
  /** Issues with an event that is readable and did not change: they stand for it. */
  readonly standing: ReadonlySet<number>
  /** Where to go on; undefined: the scan is through. */
  readonly last: ScannedEvent | undefined
}

type Needs = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query'>
  readonly redigest: Redigest
  readonly pace: Pace
}

export function createGatherer(): (needs: Needs, scan: Scan, cursor: RepairCursor) => Promise<Gathered> {
  let limit = FIRST_PAGE
  return async function gather({ telemetry, redigest, pace }, scan, cursor) {
    const changed: ChangedEvent[] = []
    const standing = new Set<number>()
    let seen = 0
    let bytes = 0
    let last: ScannedEvent | undefined
    let after = cursor.place?.after
    while (changed.length < LOT.maxEvents && bytes < LOT.maxBytes) {
      const page = await readPage(telemetry, scan, cursor, after, limit)
      const isEnd = page.length < limit
      const pageBytes = page.reduce((sum, { payload }) => sum + payload.length, 0)
      bytes += pageBytes
      seen += page.length
      const results = await redigest(page)
      for (const [at, event] of page.entries()) {
        const now = results[at]
        if (!now?.ok) continue
        if (now.changed) changed.push({ event, now })
        else if (now.fields.unreadable === '') standing.add(event.issueId)
      }
      last = page.at(-1)
      if (isEnd) return { changed, seen, standing, last: undefined }
      after = last
      // A lot is seconds of work: what arrives does not wait for its end.
      await pace.rest()
      const fitting = Math.floor((PAGE.bytes * page.length) / Math.max(1, pageBytes))
      limit = Math.min(PAGE.maxEvents, Math.max(PAGE.minEvents, fitting))
    }
    return { changed, seen, standing, last }
  }
}
