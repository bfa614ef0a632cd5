/** What is known of an uploaded source map: found once, when it is stored. */
import { checkSourceMap, MapError } from '@sonde/sourcemaps'

export type MapFacts = {
  /** Lower case with hyphens; empty: it has none. */
  readonly debugId: string
  /** The file that it is the map of; empty: it does not say. */
  readonly file: string
  /** A `MapProblem`, or `no_sources`; empty: it can be used. */
  readonly problem: string
  /** For people; empty without a problem. */
  readonly detail: string
}

/** Never throws for what the bytes are. */
export function mapFacts(bytes: Uint8Array): MapFacts {
  try {
    const { debugId = '', file = '', sourceCount, contentCount } = checkSourceMap(bytes)
    if (contentCount > 0) return { debugId, file, problem: '', detail: '' }
    const detail =
      sourceCount === 0
        ? 'it names no sources'
        : 'it has no sourcesContent: positions are known, the code is not'
    return { debugId, file, problem: 'no_sources', detail }
  } catch (error) {
    if (!(error instanceof MapError)) throw error
    return { debugId: '', file: '', problem: error.problem, detail: error.message }
  }
}
