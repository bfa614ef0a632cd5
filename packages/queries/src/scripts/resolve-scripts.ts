/** Places in scripts → places in sources, when somebody reads them: a source map that comes late helps at once. */
import type { CodePosition, ResolvePositions, SourcePosition } from '@sonde/protocol/code-position'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { QueryDeps } from '../query-deps.ts'
import { debugIdOf } from './script-position.ts'
import { uploadedDebugIds } from './uploaded-ids.ts'

// Which debug id a script has, from errors of the same release: bundler plugins name the files that they upload by debug
// id alone, and of SDKs only errors tell which file has which.

/** Debug id of a position's script; undefined: no error told. */
type LearnedDebugIds = (position: CodePosition) => string | undefined

/** Each is read whole, a granule of up to 2 MiB for it: errors of one bundle tell the same. */
const MAX_EVENTS = 20
const BACK_MS = 30 * 86_400_000
/** A newer error's word counts, should a release have been built twice. */
const NEWEST_FIRST = 'ORDER BY timestamp DESC, event_id'

/** Two queries over the errors of thirty days: narrow columns, then the payloads of at most 20 events by their key. */
async function learnDebugIds(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  positions: readonly CodePosition[],
): Promise<LearnedDebugIds> {
  const releases = [...new Set(positions.flatMap(({ release }) => release ?? []))]
  if (releases.length === 0) return () => undefined
  const params = { projects: [...new Set(positions.map(({ projectId }) => projectId))], releases }
  const events = await telemetry.query<{ readonly issueId: number; readonly eventId: string }>(
    `SELECT issue_id AS issueId, toString(event_id) AS eventId FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND received >= {from:DateTime64(3)}
       AND release IN {releases:Array(String)} AND notEmpty(debug_ids)
     ${NEWEST_FIRST} LIMIT 1 BY project_id, release, debug_ids LIMIT ${MAX_EVENTS}`,
    { ...params, from: Math.max(0, clock.nowMs() - BACK_MS) },
  )
  if (events.length === 0) return () => undefined
  const rows = await telemetry.query<Reported>(
    `SELECT project_id AS projectId, release, JSONExtractRaw(payload, 'debug_meta', 'images') AS images FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND issue_id IN {issues:Array(UInt64)}
       AND toString(event_id) IN {events:Array(String)} ${NEWEST_FIRST}`,
    {
      ...params,
      issues: [...new Set(events.map(({ issueId }) => issueId))],
      events: events.map(({ eventId }) => eventId),
    },
  )
  const known = new Map<string, string>()
  for (const { projectId, release, images } of rows)
    for (const { file, id } of imagesOf(images))
      for (const name of namesOf(file)) {
        const key = JSON.stringify([projectId, release, name])
        if (!known.has(key)) known.set(key, id)
      }
  return ({ projectId, release, url }) =>
    namesOf(url).flatMap((name) => known.get(JSON.stringify([projectId, release, name])) ?? [])[0]
}

type Reported = { readonly projectId: number; readonly release: string; readonly images: string }

/** https://develop.sentry.dev/sdk/data-model/event-payloads/debugmeta/#source-map-images */
function imagesOf(text: string): { readonly file: string; readonly id: string }[] {
  const images: unknown = text === '' ? [] : JSON.parse(text)
  if (!Array.isArray(images)) return []
  return images.flatMap((image: { code_file?: unknown; debug_id?: unknown } | null) => {
    const id = debugIdOf(image?.debug_id)
    return id !== undefined && typeof image?.code_file === 'string' ? [{ file: image.code_file, id }] : []
  })
}

/** The whole address and its path: of a chunk that could not be loaded the reporter tells the path alone. */
function namesOf(url: string): string[] {
  const whole = url.replace(/[?#].*/s, '')
  const path = URL.parse(whole)?.pathname
  return path === undefined || path === whole ? [whole] : [whole, path]
}

// Asks for places, for as long as a person waits for a screen.

/** Reading a large map takes half a second; while the store of files is in trouble, threads wait without an end. */
const MAX_WAIT_MS = 5_000

/**
 * In the order asked. Undefined: not in time, or it failed. A screen without sources says what the browser told, and is
 * right the next time; the pipeline tells of its own trouble.
 */
export async function askResolver(
  resolvePositions: ResolvePositions,
  positions: readonly CodePosition[],
  maxWaitMs = MAX_WAIT_MS,
): Promise<readonly (SourcePosition | undefined)[]> {
  const nothing = positions.map(() => undefined)
  if (positions.length === 0) return nothing
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof nothing>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs, nothing)
  })
  try {
    return await Promise.race([resolvePositions(positions), late])
  } catch {
    return nothing
  } finally {
    clearTimeout(timer)
  }
}

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
 * `MAX_PLACES` different ones. Of scripts that were not found the debug id is looked for in errors, then by their names
 * among the uploads of the release, and they are tried once more.
 */
export async function resolveScripts(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  positions: readonly (CodePosition | undefined)[],
): Promise<readonly (SourcePosition | undefined)[]> {
  const { resolvePositions } = deps
  const different = new Map<string, CodePosition>()
  for (const position of positions) {
    if (different.size === MAX_PLACES) break
    if (position !== undefined) different.set(keyOf(position), position)
  }
  if (resolvePositions === undefined || different.size === 0) return positions.map(() => undefined)
  const requested = [...different.values()]
  const answers = [...(await askResolver(resolvePositions, requested))]
  const learned = await learnedPositions(deps, requested, answers)
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
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  requested: readonly CodePosition[],
  answers: readonly (SourcePosition | undefined)[],
): Promise<{ readonly at: number; readonly position: CodePosition }[]> {
  const lost = requested.flatMap((position, at) => {
    const answer = answers[at]
    const isLost = answer?.ok === false && NOT_FOUND.has(answer.problem)
    return isLost && position.debugId === undefined ? [{ at, position }] : []
  })
  if (lost.length === 0) return []
  const positions = lost.map(({ position }) => position)
  const learnedIdOf = await learnDebugIds(deps, positions)
  const unlearned = positions.filter((position) => learnedIdOf(position) === undefined)
  const uploadedIdOf = await uploadedDebugIds(deps, unlearned)
  return lost.flatMap(({ at, position }) => {
    const debugId = learnedIdOf(position) ?? uploadedIdOf(position)
    return debugId === undefined ? [] : [{ at, position: { ...position, debugId } }]
  })
}

const keyOf = ({ projectId, url, debugId, release, dist, at }: CodePosition): string =>
  JSON.stringify([projectId, url, debugId, release, dist, at])
