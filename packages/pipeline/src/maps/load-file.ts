/** Bytes of uploaded files → what frames are read with. None of it throws: what cannot be read says why. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import {
  createFunctionIndex,
  type FunctionIndex,
  MapError,
  readSourceMap,
  type SourceMap,
} from '@sonde/sourcemaps'
import { inlineMap } from './inline-map.ts'
import { createLineTable, type LineTable } from './line-table.ts'

export type LoadedMap =
  | { readonly ok: true; readonly map: SourceMap }
  | { readonly ok: false; readonly problem: FrameProblem; readonly detail: string }

export type LoadedScript = { readonly functions: FunctionIndex; readonly lines: LineTable }

/** A source that was uploaded by itself. */
export type LoadedText = { readonly text: string }

/** With what it takes in memory, about. */
export type Sized<Value> = { readonly value: Value; readonly bytes: number }

const SMALL = 1024

export function loadMap(bytes: Uint8Array): Sized<LoadedMap> {
  const special = specialMap(bytes)
  if (special !== undefined) return refused('unsupported_map', special)
  try {
    const map = readSourceMap(bytes)
    return { value: { ok: true, map }, bytes: map.bytes + SMALL }
  } catch (error) {
    if (!(error instanceof MapError)) return refused('broken_map', 'it cannot be read')
    return refused(error.problem === 'too_large' ? 'too_large' : 'broken_map', error.message)
  }
}

/** The map in the last comment of a script. */
export function loadInlineMap(script: Uint8Array): Sized<LoadedMap> {
  const found = inlineMap(textOf(script))
  return found.ok ? loadMap(found.bytes) : refused('broken_map', found.detail)
}

export function loadScript(bytes: Uint8Array): Sized<LoadedScript> {
  const code = textOf(bytes)
  const functions = createFunctionIndex(code)
  const lines = createLineTable(code)
  return { value: { functions, lines }, bytes: functions.bytes + lines.bytes }
}

export function loadText(bytes: Uint8Array): Sized<LoadedText> {
  const text = textOf(bytes)
  return { value: { text }, bytes: text.length * 2 + SMALL }
}

function refused(problem: FrameProblem, detail: string): Sized<LoadedMap> {
  return { value: { ok: false, problem, detail: detail.slice(0, 300) }, bytes: SMALL }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/**
 * Fields that only maps of React Native have: positions in them are of bytecode, or of modules that are loaded one by one.
 * Within a source's text the quotes would be escaped.
 */
const SPECIAL = [
  ['"x_facebook_sources"', 'a map of Metro (x_facebook_sources)'],
  ['"x_hermes_function_offsets"', 'a map of Hermes bytecode (x_hermes_function_offsets)'],
  ['"x_facebook_offsets"', 'a map of a RAM bundle (x_facebook_offsets)'],
] as const
const BACKSLASH = 92

function specialMap(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (const [field, detail] of SPECIAL)
    for (let at = text.indexOf(field); at !== -1; at = text.indexOf(field, at + 1))
      if (text[at - 1] !== BACKSLASH && isKey(text, at + field.length)) return detail
  return undefined
}

/** A text of that name is no field; only a colon makes it one. */
function isKey(text: Buffer, end: number): boolean {
  return /^\s*:/.test(text.toString('latin1', end, end + 16))
}
