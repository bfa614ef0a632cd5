/**
 * Grouping, version 1: which issue an event belongs to. FROZEN: two events that met in one issue must go on
 * meeting there after every upgrade, so nothing in this folder may change what is hashed, and nothing here
 * imports living code (test/group/v1-frozen.test.ts holds both). A better idea becomes `group/v2`.
 * Explained with examples in docs/internals/grouping.md.
 */
import { hash } from 'node:crypto'
import type { GroupingTrace } from '@sonde/protocol/event'
import { defaultGrouping, type DefaultGrouping, type GroupedEvent } from './default-grouping.ts'
import { isDefault, resolveFingerprint } from './fingerprint.ts'
import type { Part } from './stacktrace.ts'

export type { GroupedEvent } from './default-grouping.ts'

/** Pure. The result always has at least one hash: 32 lower hex. */
export function groupV1(event: GroupedEvent): GroupingTrace {
  const fingerprint = event.fingerprint ?? []
  if (fingerprint.length > 0 && !fingerprint.every(isDefault)) return byFingerprint(fingerprint, event)
  if (event.checksum !== undefined && event.checksum !== '') return byChecksum(event.checksum)
  const { basis, parts } = defaultGrouping(event)
  return trace(basis, [hashDefault(basis, parts)], parts)
}

function byFingerprint(fingerprint: readonly string[], event: GroupedEvent): GroupingTrace {
  const resolved = resolveFingerprint(
    fingerprint.filter((value) => !isDefault(value)),
    event,
  )
  const own = resolved.map((value): Part => ({ from: 'fingerprint', value }))
  if (!fingerprint.some(isDefault))
    return trace('fingerprint', [hashValues(['fingerprint', ...resolved])], own)
  const { basis, parts } = defaultGrouping(event)
  const hybrid = hashValues(['hybrid', hashDefault(basis, parts), ...resolved])
  return trace('fingerprint', [hybrid], [...own, ...parts])
}

/** What old SDKs sent instead of a fingerprint. One that has a hash's form is taken as the hash. */
function byChecksum(checksum: string): GroupingTrace {
  const own = /^[0-9a-f]{32}$/i.test(checksum) ? checksum.toLowerCase() : hashValues(['checksum', checksum])
  return trace('checksum', [own], [{ from: 'checksum', value: checksum }])
}

function hashDefault(basis: DefaultGrouping['basis'], parts: readonly Part[]): string {
  // One kind for both: an exception must not regroup because its only frame stopped to count.
  const kind = basis === 'stacktrace' ? 'exception' : basis
  if (basis === 'message') return hashValues([kind, ...parts.map((part) => part.value)])
  return hashValues([kind, ...parts.map((part) => `${part.from.replace(/\[\d+\]/g, '')}=${part.value}`)])
}

function trace(
  basis: GroupingTrace['basis'],
  hashes: readonly string[],
  parts: readonly Part[],
): GroupingTrace {
  return { version: 'v1', basis, hashes, parts: shownParts(parts) }
}

// The hash of grouping v1: 32 lower hex, the first half of SHA-256 over the values with their lengths.

/** Lengths keep `['ab', 'c']` and `['a', 'bc']` apart, which plain joining would not. */
function hashValues(values: readonly string[]): string {
  let text = 'v1'
  for (const value of values) text += `\n${value.length}:${value}`
  return hash('sha256', text, 'hex').slice(0, 32)
}

/**
 * The parts as a person is shown them: stored with every event, so a stack trace is one part with a line per frame,
 * and what is long is cut. All of it was hashed.
 */
const MAX_PARTS = 20
const MAX_LINES = 12
const MAX_CHARACTERS = 160

function shownParts(parts: readonly Part[]): Part[] {
  const merged: { from: string; lines: string[]; note?: string }[] = []
  for (const { from, value, note } of parts) {
    const last = merged.at(-1)
    if (last?.from === from) last.lines.push(shorten(value))
    else merged.push({ from, lines: [shorten(value)], ...(note === undefined ? {} : { note }) })
  }
  return merged.slice(-MAX_PARTS).map(({ from, lines, note }) => {
    const value = lines.length <= MAX_LINES ? lines : ['…', ...lines.slice(-MAX_LINES)]
    return { from, value: value.join('\n'), ...(note === undefined ? {} : { note }) }
  })
}

function shorten(value: string): string {
  return value.length <= MAX_CHARACTERS ? value : `${value.slice(0, MAX_CHARACTERS)}…`
}
