/**
 * Places of a map that were read before: the same few places of a bundle are in most of its errors. Without it half of the
 * time of a frame went into finding its line in the source, and a third into collecting what that left behind.
 */
import type { SourceMap } from '@sonde/sourcemaps'

export type RememberedPositions<Read> = {
  /** `script`: what the map was read with; of another one nothing is remembered. */
  get(map: SourceMap, script: string, line: number, column: number): Read | undefined
  set(map: SourceMap, script: string, line: number, column: number, read: Read): void
}

/** Some hundred bytes each, beside the megabytes of their map; then it begins anew. */
const MAX_PLACES = 4000
/** Above any column of a file that is read. */
const COLUMNS = 2 ** 27

export function rememberPositions<Read>(): RememberedPositions<Read> {
  const ofMap = new WeakMap<SourceMap, { script: string; readonly places: Map<number, Read> }>()
  return {
    get(map, script, line, column) {
      const known = ofMap.get(map)
      return known?.script === script ? known.places.get(line * COLUMNS + column) : undefined
    },
    set(map, script, line, column, read) {
      let known = ofMap.get(map)
      if (known === undefined) ofMap.set(map, (known = { script, places: new Map() }))
      if (known.script !== script || known.places.size >= MAX_PLACES) known.places.clear()
      known.script = script
      known.places.set(line * COLUMNS + column, read)
    },
  }
}
