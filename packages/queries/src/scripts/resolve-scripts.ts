/** Places in scripts → places in sources, when somebody reads them: a source map that comes late helps at once. */
import type { CodePosition, SourcePosition } from '@sonde/protocol/code-position'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { QueryDeps } from '../query-deps.ts'
import { askResolver } from './ask-resolver.ts'
import { learnDebugIds } from './learn-debug-ids.ts'

/** Of one screen. Maps are read whole, each up to some hundred milliseconds when it is not in the cache. */
export const MAX_PLACES = 200

/** What a debug id may mend: the script was not found among what was uploaded. */
const NOT_FOUND: ReadonlySet<FrameProblem> = new Set([
  'no_debug_id',
  'no_artifact',
  'no_release_files',
  'other_dist',
  'no_such_file',
] satisfies FrameProblem[])

/**
 * In the order given. Undefined: no place was given, nobody resolves or not in time, or it is beyond the first
 * `MAX_PLACES` different ones. Of scripts that were not found the debug id is looked for in errors, and they are tried
 * once more.
 */
export async function resolveScripts(
  deps: Pick<QueryDeps, 'telemetry' | 'clock' | 'resolvePositions'>,
  positions: readonly (CodePosition | undefined)[],
): Promise<readonly (SourcePosition | undefined)[]> {
  const { resolvePositions } = deps
  const different = new Map<string, CodePosition>()
  for (const position of positions) {
    if (different.size === MAX_PLACES) break
    if (position !== undefined) different.set(keyOf(position), position)
  }
  if (resolvePositions === undefined || different.size === 0) return positions.map(() => undefined)
  const asked = [...different.values()]
  const answers = [...(await askResolver(resolvePositions, asked))]
  const learned = await learnedPositions(deps, asked, answers)
  const again = await askResolver(
    resolvePositions,
    learned.map(({ position }) => position),
  )
  learned.forEach(({ at }, index) => (answers[at] = again[index] ?? answers[at]))
  const answerOf = new Map([...different.keys()].map((key, at) => [key, answers[at]]))
  return positions.map((position) => position && answerOf.get(keyOf(position)))
}

/** Those that were not found and whose script's debug id is known now. */
async function learnedPositions(
  deps: Pick<QueryDeps, 'telemetry' | 'clock'>,
  asked: readonly CodePosition[],
  answers: readonly (SourcePosition | undefined)[],
): Promise<{ readonly at: number; readonly position: CodePosition }[]> {
  const lost = asked.flatMap((position, at) => {
    const answer = answers[at]
    const isLost = answer?.ok === false && NOT_FOUND.has(answer.problem)
    return isLost && position.debugId === undefined ? [{ at, position }] : []
  })
  if (lost.length === 0) return []
  const debugIdOf = await learnDebugIds(
    deps,
    lost.map(({ position }) => position),
  )
  return lost.flatMap(({ at, position }) => {
    const debugId = debugIdOf(position)
    return debugId === undefined ? [] : [{ at, position: { ...position, debugId } }]
  })
}

const keyOf = ({ projectId, url, debugId, release, dist, at }: CodePosition): string =>
  JSON.stringify([projectId, url, debugId, release, dist, at])
