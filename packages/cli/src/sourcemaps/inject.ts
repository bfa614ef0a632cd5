/**
 * Gives a script and its map one debug id: `//# debugId=` and the field `debugId` (https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md),
 * and a line that tells it to SDKs while the script runs, as those of Sentry read it
 * (https://github.com/getsentry/sentry-javascript/blob/10.0.0/packages/core/src/utils/debug-ids.ts).
 */
import { createHash } from 'node:crypto'
import { debugIdOf } from '@sonde/sourcemaps'
import { codeFacts } from './script-facts.ts'

export type Injected = {
  readonly debugId: string
  /** Undefined: it had one already. */
  readonly code: string | undefined
  /** Undefined: it needs no change. */
  readonly map: string | undefined
}

type MapJson = {
  readonly mappings?: unknown
  readonly sections?: unknown
  readonly debugId?: unknown
  readonly debug_id?: unknown
}

/** Of the content: the same build has the same ids. Undefined: the map is no JSON of a map. */
export function injectDebugId(code: string, mapText: string): Injected | undefined {
  const map = parsed(mapText)
  if (map === undefined) return undefined
  const own = codeFacts(code).debugId
  const ofMap = debugIdOf(text(map.debugId) ?? text(map.debug_id))
  if (own !== undefined)
    return {
      debugId: own,
      code: undefined,
      // Two different ones are two builds: `verify` says so, and nothing here hides it.
      map: ofMap === undefined ? JSON.stringify({ ...map, debugId: own, debug_id: own }) : undefined,
    }
  const debugId = ofMap ?? idOf(code, mapText)
  const { head, body, line } = splitHead(code)
  const moved = movedDown(map, line)
  if (moved === undefined) return undefined
  return {
    debugId,
    code: `${head}${directivesOf(body)}${snippet(debugId)}\n${body.endsWith('\n') ? body : `${body}\n`}//# debugId=${debugId}\n`,
    map: JSON.stringify({ ...moved, debugId, debug_id: debugId }),
  }
}

function parsed(mapText: string): MapJson | undefined {
  try {
    // Servers may put `)]}'` before it, so that it runs nowhere (ECMA-426).
    const map: unknown = JSON.parse(mapText.replace(/^\)\]\}'[^\n]*\n/, ''))
    return typeof map === 'object' && map !== null && !Array.isArray(map) ? map : undefined
  } catch {
    return undefined
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A UUID of version 5's form (RFC 9562), from what is deployed. */
function idOf(code: string, mapText: string): string {
  const hash = createHash('sha256').update(code).update('\0').update(mapText).digest('hex')
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5')
}

const snippet = (id: string): string =>
  `!function(){try{var e="undefined"!=typeof window?window:"undefined"!=typeof global?global:"undefined"!=typeof globalThis?globalThis:"undefined"!=typeof self?self:{},n=(new e.Error).stack;` +
  `n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="${id}",e._sentryDebugIdIdentifier="sentry-dbid-${id}")}catch(e){}}();`

/** `#!/usr/bin/env node` has to stay the first line. `line`: so many lines stand before what is put in. */
function splitHead(code: string): { head: string; body: string; line: 0 | 1 } {
  if (!code.startsWith('#!')) return { head: '', body: code, line: 0 }
  const end = code.indexOf('\n') + 1
  return end === 0
    ? { head: `${code}\n`, body: '', line: 1 }
    : { head: code.slice(0, end), body: code.slice(end), line: 1 }
}

/** Blank, comments, and the strings that are directives only where nothing stands before them: `"use strict";`. */
const PROLOGUE = /\s+|\/\/[^\n]*|\/\*[^]*?\*\/|("[^"\\\n]*"|'[^'\\\n]*')[ \t]*(;|(?=\n)|$)/y

/** Those of the code, to stand before what is put in; where they stood they do nothing more. */
function directivesOf(code: string): string {
  let found = ''
  PROLOGUE.lastIndex = 0
  for (let match = PROLOGUE.exec(code); match !== null && match[0] !== ''; match = PROLOGUE.exec(code))
    if (match[1] !== undefined) found += `${match[1]};`
  return found
}

/** By the one line that is put in. Undefined: it is no map. */
function movedDown(map: MapJson, line: 0 | 1): MapJson | undefined {
  if (typeof map.mappings === 'string') return { ...map, mappings: withLine(map.mappings, line) }
  if (!Array.isArray(map.sections)) return undefined
  const sections = (map.sections as readonly { offset?: { line?: number; column?: number } }[]).map(
    (section) => {
      const at = section.offset?.line ?? 0
      return at < line ? section : { ...section, offset: { ...section.offset, line: at + 1 } }
    },
  )
  return { ...map, sections }
}

/** Lines are separated by `;`, and all numbers but the column go on from one line to the next. */
function withLine(mappings: string, line: 0 | 1): string {
  if (line === 0) return `;${mappings}`
  const first = mappings.indexOf(';')
  return first === -1 ? `${mappings};` : `${mappings.slice(0, first)};${mappings.slice(first)}`
}
