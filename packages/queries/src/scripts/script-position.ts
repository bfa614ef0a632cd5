/**
 * Where a span or a vital says that a script ran, by the names of SDKs:
 * https://getsentry.github.io/sentry-conventions/attributes/browser/, https://developer.mozilla.org/docs/Web/API/PerformanceScriptTiming.
 */
import type { CodePosition, SourcePosition } from '@sonde/protocol/code-position'
import type { FrameProblem } from '@sonde/protocol/frame-problem'

/** What a place in a script is to who reads it: a place in the source, or why it is none. */
export type SourcePlace = Extract<SourcePosition, { readonly ok: true }>
export type Unreadable = {
  readonly problem: FrameProblem
  readonly detail: string | undefined
  /** Empty: nobody told. */
  readonly release: string
}

export const placeOf = (answer: SourcePosition | undefined): SourcePlace | undefined =>
  answer?.ok ? answer : undefined

export const unreadableOf = (
  answer: SourcePosition | undefined,
  release: string | undefined,
): Unreadable | undefined =>
  answer === undefined || answer.ok
    ? undefined
    : { problem: answer.problem, detail: answer.detail, release: release ?? '' }

const CHARACTER = 'browser.script.source_char_position'
/** Ours: no SDK sends it yet. */
const DEBUG_ID = 'browser.script.debug_id'
const DIST = 'sentry.dist'
/** The first one that is there counts. */
const URLS = ['browser.script.source_url', 'code.file.path', 'code.filepath'] as const

const CHARACTER_SQL = `if(mapContains(numbers, '${CHARACTER}'), numbers['${CHARACTER}'], -1)`
const [DEBUG_ID_SQL, DIST_SQL] = [`strings['${DEBUG_ID}']`, `strings['${DIST}']`]

/** Of rows of `vitals`, as selected columns for `positionOf`. */
export const PLACE_COLUMNS = `project_id AS projectId, release, source, ${CHARACTER_SQL} AS character,
  ${DEBUG_ID_SQL} AS debugId, ${DIST_SQL} AS dist`
/** One short text a place, to be looked up by `transform`. */
export const PLACE_KEY = `toString(cityHash64(project_id, release, source, ${CHARACTER_SQL}, ${DEBUG_ID_SQL}, ${DIST_SQL}))`

export type PlaceRow = {
  readonly projectId: number
  readonly release: string
  readonly source: string
  /** -1: not told. */
  readonly character: number
  readonly debugId: string
  readonly dist: string
}

/** Undefined: it names no place in a script. */
export function positionOf(row: PlaceRow): CodePosition | undefined {
  const { projectId, release, source, character, debugId, dist } = row
  if (source === '' || !isCharacter(character)) return undefined
  return codePosition({ projectId, release, url: source, debugId, dist }, { character })
}

type Attributes = Readonly<Record<string, string | number>>

/** The same out of all that is stored of a span. */
export function positionOfSpan(
  { projectId, release }: { readonly projectId: number; readonly release: string },
  attributes: Attributes,
): CodePosition | undefined {
  const url = textOf(attributes, URLS)
  const file = {
    projectId,
    release,
    url,
    debugId: textOf(attributes, [DEBUG_ID]),
    dist: textOf(attributes, [DIST]),
  }
  const character = attributes[CHARACTER]
  return url !== '' && isCharacter(character) ? codePosition(file, { character }) : undefined
}

const textOf = (attributes: Attributes, names: readonly string[]): string =>
  names.flatMap((name) => (typeof attributes[name] === 'string' ? attributes[name] : [])).find(Boolean) ?? ''

type File = Pick<CodePosition, 'projectId' | 'url'> & {
  readonly release: string
  readonly debugId: string
  readonly dist: string
}

/** Anybody may send such attributes: what is no debug id is left out. */
export function codePosition({ projectId, url, ...file }: File, at: CodePosition['at']): CodePosition {
  const debugId = debugIdOf(file.debugId)
  const { release, dist } = file
  return {
    projectId,
    url,
    at,
    ...(debugId && { debugId }),
    ...(release && { release }),
    ...(dist && { dist }),
  }
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export function debugIdOf(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value.toLowerCase() : ''
  return ID.test(id) ? id : undefined
}

/** Browsers that do not know it say -1. */
const isCharacter = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
