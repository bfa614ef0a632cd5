/** What an uploaded script says of itself: its debug id, and where its map is. Tools write both behind the code. */
import { debugIdOf, debugIdOfCode } from '@sonde/sourcemaps'

export type ScriptFacts = {
  /** Lower case with hyphens; empty: it has none. */
  readonly debugId: string
  /** Of its last comment; `data:` when the map itself stands there, empty when nothing does. */
  readonly mapRef: string
}

const END_BYTES = 8_192
/** What plugins put before the code, so that a stack can be told from others at run time. */
const MARKER = 'sentry-dbid-'
const ID_CHARS = 36
const NAMES_MAP = 'sourceMappingURL='
// Longer ones are maps in themselves.
const MAX_REF_CHARS = 2_048

export function scriptFacts(bytes: Buffer): ScriptFacts {
  const end = bytes.subarray(-END_BYTES).toString('latin1')
  return { debugId: debugIdOfCode(end) ?? markedId(bytes) ?? '', mapRef: mapRefOf(bytes) }
}

function markedId(bytes: Buffer): string | undefined {
  const at = bytes.indexOf(MARKER)
  if (at === -1) return undefined
  const from = at + MARKER.length
  return debugIdOf(bytes.toString('latin1', from, from + ID_CHARS))
}

function mapRefOf(bytes: Buffer): string {
  const at = bytes.lastIndexOf(NAMES_MAP)
  // Within a comment, not within a text of the code.
  if (at === -1 || !/(?:\/\/|\/\*)[#@][ \t]*$/.test(bytes.toString('latin1', Math.max(0, at - 8), at)))
    return ''
  const from = at + NAMES_MAP.length
  const text = bytes.toString('utf8', from, from + MAX_REF_CHARS)
  if (text.startsWith('data:')) return 'data:'
  const [, ref] = /^([^\s'"*]+)/.exec(text) ?? []
  return ref === undefined || ref.length > MAX_REF_CHARS - 4 ? '' : ref
}
