/** What is right and wrong with one script and its map. Pure: the same for a folder and for a page. */
import { MapError, readSourceMap, type SourceMap } from '@sonde/sourcemaps'
import { codeFacts } from './script-facts.ts'
import { checkPositions, type PositionCheck } from './sample-positions.ts'
import type { ServerState } from './call-server.ts'

/** Many builds delete their maps once they are uploaded: what the server can read is not missing. */
const NOT_MISSED: ReadonlySet<BundleProblem> = new Set(['no_map', 'map_missing', 'not_checked'])

/** A check with what the server has under its debug id. Undefined: it has no debug id. */
export function withState(check: BundleCheck, told: ServerState | undefined): BundleCheck {
  const { debugId, problems } = check
  if (debugId === undefined) return check
  const state = told?.state ?? 'missing'
  if (state === 'readable')
    return { ...check, server: state, problems: problems.filter(({ problem }) => !NOT_MISSED.has(problem)) }
  const rest = problems.filter(({ problem }) => problem !== 'not_checked')
  const own =
    state === 'missing'
      ? ({ problem: 'not_uploaded', detail: `the server has nothing with ${debugId}` } as const)
      : ({ problem: 'broken_upload', detail: told?.detail ?? '' } as const)
  return { ...check, server: state, problems: [...rest, own] }
}

/** A script with its map, wherever they were found: in a folder or on a page. */

export type FoundBundle = {
  /** Path below the folder, or address. */
  readonly name: string
  readonly code: string
  readonly map: FoundMap
  /** Text of a source that the map names without bringing it; undefined: it is not there. */
  readonly sourceText?: (path: string) => string | undefined
}

export type FoundMap =
  | {
      readonly kind: 'found'
      /** As people find it again: `app.js.map`, `inline`, an address. */
      readonly place: string
      readonly bytes: Uint8Array
    }
  /** It is named, or expected, and is not there. */
  | { readonly kind: 'missing'; readonly place: string; readonly detail: string }
  /** On a page: nobody may read it from outside, as it should be; nothing more can be said here. */
  | { readonly kind: 'hidden' }
  /** Nothing says that there is one. */
  | { readonly kind: 'none' }

/** In the order in which they are met; each fails the check. */
export const BUNDLE_PROBLEMS = [
  'no_debug_id',
  'no_map',
  'map_missing',
  'map_unreadable',
  'ids_differ',
  'no_sources',
  'wrong_positions',
  /** Asked of the server. */
  'not_uploaded',
  /** Asked of the server: it is there, and cannot be used. */
  'broken_upload',
  /** On a page whose maps are not public, without a server to ask. */
  'not_checked',
] as const
export type BundleProblem = (typeof BUNDLE_PROBLEMS)[number]

export type BundleCheck = {
  readonly file: string
  /** Lower case with hyphens. */
  readonly debugId?: string
  /** Where the map was found. */
  readonly map?: string
  readonly mapDebugId?: string
  /** How many sources the map names, and of how many there is the text. */
  readonly sources?: { readonly named: number; readonly withText: number }
  readonly positions?: PositionCheck
  /** What the server has under the debug id. */
  readonly server?: 'readable' | 'missing' | 'broken'
  readonly problems: readonly { readonly problem: BundleProblem; readonly detail: string }[]
}

type Problems = { problem: BundleProblem; detail: string }[]

export function checkBundle(bundle: FoundBundle): BundleCheck {
  const { name, code, map } = bundle
  const { debugId } = codeFacts(code)
  const problems: Problems = []
  const file = { file: name, ...(debugId === undefined ? {} : { debugId }) }
  if (debugId === undefined)
    problems.push({ problem: 'no_debug_id', detail: 'nothing ties this file to its map' })
  if (map.kind === 'none')
    problems.push({ problem: 'no_map', detail: 'it names no source map, and none lies beside it' })
  if (map.kind === 'missing') problems.push({ problem: 'map_missing', detail: `${map.place}: ${map.detail}` })
  if (map.kind === 'hidden')
    problems.push({ problem: 'not_checked', detail: 'its map is not public, as it should be' })
  if (map.kind !== 'found') return { ...file, problems }
  const read = readMap(map.bytes)
  if ('detail' in read) {
    problems.push({ problem: 'map_unreadable', detail: `${map.place}: ${read.detail}` })
    return { ...file, map: map.place, problems }
  }
  return { ...file, map: map.place, ...ofMap(bundle, read.map, debugId, problems), problems }
}

function readMap(bytes: Uint8Array): { readonly map: SourceMap } | { readonly detail: string } {
  try {
    return { map: readSourceMap(bytes) }
  } catch (error) {
    if (error instanceof MapError) return { detail: error.message }
    throw error
  }
}

function ofMap(
  { code, sourceText }: FoundBundle,
  map: SourceMap,
  debugId: string | undefined,
  problems: Problems,
): Pick<BundleCheck, 'mapDebugId' | 'sources' | 'positions'> {
  if (map.debugId !== undefined && debugId !== undefined && map.debugId !== debugId) {
    problems.push({
      problem: 'ids_differ',
      detail: `the file has ${debugId}, its map ${map.debugId}: they are of two builds`,
    })
  }
  const texts = new Map(
    map.sources.map((source) => [
      source,
      source.content ?? (source.path === null ? undefined : sourceText?.(source.path)),
    ]),
  )
  const withText = [...texts.values()].filter((text) => text !== undefined).length
  const sources = { named: map.sources.length, withText }
  if (withText === 0) {
    problems.push({
      problem: 'no_sources',
      detail: `the map has no text of its ${map.sources.length} sources: there is no code to show`,
    })
  }
  const positions = checkPositions(code, map, (source) => texts.get(source))
  if (positions.problem !== undefined)
    problems.push({ problem: 'wrong_positions', detail: positions.problem })
  return { ...(map.debugId === undefined ? {} : { mapDebugId: map.debugId }), sources, positions }
}
