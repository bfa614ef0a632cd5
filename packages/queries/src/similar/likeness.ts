/**
 * How alike two issues are, 0 to 1: the weighted mean of four parts. A part that neither side can answer (no exception
 * type, no stack that is kept) is left out, so that it speaks neither for nor against.
 *
 * | part      | weight | 1 means                                                              |
 * | message   | 0.35   | the same words, without numbers, ids and addresses (Jaccard)         |
 * | functions | 0.30   | the same functions of the application in the stack (Jaccard)         |
 * | type      | 0.20   | the same exception type                                              |
 * | place     | 0.15   | the same culprit, or the same function and file as the one that threw |
 */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { QueryDeps } from '../query-deps.ts'

/** A message as the set of its words, without what differs each time: numbers, ids, addresses. */

const MAX_CHARS = 1_000
// An address, a UUID, or a word that may be a number: whether it has a digit is asked afterwards, or every digit would be
// tried as the one that is needed.
const VARIABLE =
  /https?:\/\/\S+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:0x)?[0-9a-f]+\b/g
const LETTERS_ALONE = /^(?:0x)?[a-f]+$/

export const messageWords = (message: string): ReadonlySet<string> =>
  new Set(
    message
      .slice(0, MAX_CHARS)
      .toLowerCase()
      .replace(VARIABLE, (found) => (LETTERS_ALONE.test(found) ? found : ' '))
      .match(/[\p{L}\p{N}_$]+/gu),
  )

/** Jaccard: what both have of what either has, 0 to 1; undefined when neither has anything. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number | undefined {
  const all = a.union(b).size
  return all === 0 ? undefined : a.intersection(b).size / all
}

// Which functions of the application stood on the stack, for some issues at once.

/** A recursion has thousands of frames and few functions. */
const MAX_FUNCTIONS = 60

/**
 * Of each issue's newest event: issue id → `module:function`. An issue whose event is not kept is missing. Two reads
 * along ordering keys, a granule each: meant for a dozen issues.
 */
export async function stackFunctions(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projectId: number,
  issues: readonly { readonly id: number; readonly lastEventId: string }[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const eventIds = issues.map((issue) => issue.lastEventId).filter((id) => /^[0-9a-f]{32}$/.test(id))
  if (eventIds.length === 0) return new Map()
  const places = await telemetry.query<{ issue: number; ms: number }>(
    `SELECT issue_id AS issue, toUnixTimestamp64Milli(timestamp) AS ms FROM event_index
     WHERE project_id = {project:UInt32} AND event_id IN {events:Array(String)}`,
    { project: projectId, events: eventIds },
  )
  if (places.length === 0) return new Map()
  const rows = await telemetry.query<{ issue: number; payload: string }>(
    `SELECT issue_id AS issue, payload FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND timestamp IN arrayMap(ms -> fromUnixTimestamp64Milli(ms, 'UTC'), {times:Array(Int64)})
       AND event_id IN {events:Array(String)}`,
    {
      project: projectId,
      issues: places.map(({ issue }) => issue),
      times: places.map(({ ms }) => ms),
      events: eventIds,
    },
  )
  return new Map(
    rows.map(({ issue, payload }) => [issue, functionsOf(JSON.parse(payload) as NormalizedEvent)]),
  )
}

function functionsOf({ exception = [], threads = [] }: NormalizedEvent): ReadonlySet<string> {
  const stacks = [...exception, ...threads.filter((thread) => thread.crashed || thread.current)]
  const names = stacks
    .flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
    .filter((frame) => frame.in_app && frame.function !== undefined)
    .map((frame) => `${frame.module ?? frame.filename ?? ''}:${frame.function}`)
  return new Set(names.slice(-MAX_FUNCTIONS))
}

export type Traits = {
  readonly words: ReadonlySet<string>
  /** Empty: none. */
  readonly type: string
  /** Empty: unknown. */
  readonly culprit: string
  /** `file:function`; empty when either is unknown. */
  readonly place: string
  /** Of the newest event's stack; undefined: not read, or no event is kept. */
  readonly functions: ReadonlySet<string> | undefined
}

export type Likeness = {
  readonly score: number
  /** For people, like "same function"; empty when nothing is alike. */
  readonly reason: string
}

const WEIGHTS = { message: 0.35, functions: 0.3, type: 0.2, place: 0.15 } as const
type Parts = Readonly<Record<keyof typeof WEIGHTS, number | undefined>>

export function likeness(a: Traits, b: Traits): Likeness {
  const parts: Parts = {
    message: overlap(a.words, b.words),
    functions: a.functions && b.functions && overlap(a.functions, b.functions),
    type: a.type === '' && b.type === '' ? undefined : Number(a.type === b.type),
    place: placeOf(a, b),
  }
  let sum = 0
  let weights = 0
  for (const [name, weight] of Object.entries(WEIGHTS)) {
    const part = parts[name as keyof Parts]
    if (part === undefined) continue
    sum += part * weight
    weights += weight
  }
  return { score: weights === 0 ? 0 : sum / weights, reason: reasonOf(parts) }
}

function placeOf(a: Traits, b: Traits): number | undefined {
  if ((a.culprit === '' && a.place === '') || (b.culprit === '' && b.place === '')) return undefined
  return Number((a.culprit !== '' && a.culprit === b.culprit) || (a.place !== '' && a.place === b.place))
}

/** The strongest thing to say first; a person checks it at one look. */
function reasonOf({ message = 0, functions = 0, type = 0, place = 0 }: Parts): string {
  const where =
    functions >= 0.8
      ? 'same call path'
      : place === 1
        ? 'same function'
        : functions >= 0.3
          ? 'shared functions'
          : ''
  const what =
    message === 1
      ? type === 1
        ? 'same type and message'
        : 'same message'
      : message >= 0.5
        ? type === 1
          ? 'same type and similar message'
          : 'similar message'
        : type === 1
          ? 'same type'
          : ''
  return [what, where].filter((text) => text !== '').join(', ')
}
