/** What is known of an uploaded source map: found once, when it is stored. */
import { checkSourceMap, MapError } from '@sonde/sourcemaps'

export type MapFacts = {
  /** Lower case with hyphens; empty: it has none. */
  readonly debugId: string
  /** A `MapProblem`, or `no_sources`; empty: it can be used. */
  readonly problem: string
  /** For people; empty without a problem. */
  readonly detail: string
}

/** Never throws for what the bytes are. */
export function mapFacts(bytes: Uint8Array): MapFacts {
  try {
    const { debugId = '', sourceCount, contentCount } = checkSourceMap(bytes)
    if (contentCount > 0) return { debugId, problem: '', detail: '' }
    const detail =
      sourceCount === 0
        ? 'it names no sources'
        : 'it has no sourcesContent: positions are known, the code is not'
    return { debugId, problem: 'no_sources', detail }
  } catch (error) {
    if (!(error instanceof MapError)) throw error
    return { debugId: '', problem: error.problem, detail: error.message }
  }
}
