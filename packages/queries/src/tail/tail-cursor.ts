/**
 * How far somebody has read what arrives: in each partition of the log the last row. Rows are committed in the order of the log,
 * so whatever comes later lies behind it, also over restarts and whichever process answers.
 */
import { SearchError } from '../search/search-term.ts'

/** A row by where it came from. Rows that replace it (scrubbed, symbolicated again, moved) have the same place. */
export type TailPlace = {
  readonly partition: number
  readonly position: number
  readonly item: number
  /** 0 where an item is one row. */
  readonly row: number
}

export type TailCursor = {
  /** When reading began, in Unix milliseconds: from partitions that are not named below everything received since. */
  readonly fromMs: number
  /** One for each partition of which there was a row. */
  readonly places: readonly TailPlace[]
}

/** As many as the log can have (`SONDE_LOG_PARTITIONS`). */
export const MAX_PLACES = 256
const FORM = /^\d{1,15}(?:;\d{1,5}-\d{1,16}-\d{1,10}-\d{1,10}){0,256}$/

export const formatTailCursor = ({ fromMs, places }: TailCursor): string =>
  [
    fromMs,
    ...places.map(({ partition, position, item, row }) => [partition, position, item, row].join('-')),
  ].join(';')

/** Throws `SearchError` for what is none. */
export function parseTailCursor(text: string): TailCursor {
  const refused = new SearchError('cursor is not one that this endpoint gave', 0)
  if (!FORM.test(text)) throw refused
  const [fromMs = '', ...rest] = text.split(';')
  const places = rest.slice(0, MAX_PLACES).map((part) => {
    const [partition = 0, position = 0, item = 0, row = 0] = part.split('-').map(Number)
    return { partition, position, item, row }
  })
  const numbers = [Number(fromMs), ...places.flatMap((place) => Object.values(place))]
  if (!numbers.every(Number.isSafeInteger)) throw refused
  return { fromMs: Number(fromMs), places }
}

/** After these rows: of each partition the last of them, or what it was. */
export function advanced(cursor: TailCursor, rows: readonly TailPlace[]): TailCursor {
  const places = new Map(cursor.places.map((place) => [place.partition, place]))
  for (const row of rows) {
    const known = places.get(row.partition)
    if (known === undefined || comparePlaces(known, row) < 0) places.set(row.partition, row)
  }
  return { fromMs: cursor.fromMs, places: [...places.values()].slice(0, MAX_PLACES) }
}

/** In the order of the log; partitions one after the other. */
export const comparePlaces = (a: TailPlace, b: TailPlace): number =>
  a.partition - b.partition || a.position - b.position || a.item - b.item || a.row - b.row
