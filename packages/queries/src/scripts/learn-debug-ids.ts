/**
 * Which debug id a script has, from errors of the same release: bundler plugins name the files that they upload by debug
 * id alone, and of SDKs only errors tell which file has which.
 */
import type { CodePosition } from '@sonde/protocol/code-position'
import type { QueryDeps } from '../query-deps.ts'
import { debugIdOf } from './script-position.ts'

/** Debug id of a position's script; undefined: no error told. */
export type LearnedDebugIds = (position: CodePosition) => string | undefined

/** Each is read whole, a granule of up to 2 MiB for it: errors of one bundle tell the same. */
const MAX_EVENTS = 20
const BACK_MS = 30 * 86_400_000
/** A newer error's word counts, should a release have been built twice. */
const NEWEST_FIRST = 'ORDER BY timestamp DESC, event_id'

/** Two queries over the errors of thirty days: narrow columns, then the payloads of at most 20 events by their key. */
export async function learnDebugIds(
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
  const rows = await telemetry.query<Told>(
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

type Told = { readonly projectId: number; readonly release: string; readonly images: string }

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
