/** What blocked the page in a trace: long animation frames by the function that ran longest, instead of all by one name. */
import type { QueryDeps } from '../query-deps.ts'
import { resolveScripts } from '../scripts/resolve-scripts.ts'
import { positionOfSpan } from '../scripts/script-position.ts'
import { OF_TRACE } from './trace-extent.ts'

export const LONG_FRAME_OP = 'ui.long-animation-frame'
/** The longest: each may be a place in another script. */
const MAX_FRAMES = 50

type Row = {
  readonly projectId: number
  readonly spanId: string
  readonly release: string
  readonly strings: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
}

/** `recalcTotals src/cart/recalc.ts:88` by span id, of those whose source is known. */
export async function namesOfLongFrames(
  deps: Pick<QueryDeps, 'telemetry' | 'clock' | 'resolvePositions'>,
  projects: readonly number[],
  trace: string,
): Promise<ReadonlyMap<string, string>> {
  if (deps.resolvePositions === undefined) return new Map()
  const rows = await deps.telemetry.query<Row>(
    `SELECT project_id AS projectId, toString(span_id) AS spanId, release, strings, numbers
     FROM spans WHERE ${OF_TRACE} AND is_segment = 0 AND op = '${LONG_FRAME_OP}'
     ORDER BY duration_ms DESC, span_id LIMIT ${MAX_FRAMES}`,
    { projects, trace },
  )
  const answers = await resolveScripts(
    deps,
    rows.map(({ projectId, release, strings, numbers }) =>
      positionOfSpan({ projectId, release }, { ...strings, ...numbers }),
    ),
  )
  return new Map(
    rows.flatMap(({ spanId }, at) => {
      const place = answers[at]
      if (!place?.ok) return []
      const where = `${place.source}:${place.line}`
      return [[spanId, place.functionName === undefined ? where : `${place.functionName} ${where}`] as const]
    }),
  )
}
