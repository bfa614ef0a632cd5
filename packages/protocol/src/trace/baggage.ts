/**
 * The baggage header: `sentry-` members are the dynamic sampling context, the others are somebody
 * else's and are passed on untouched. https://www.w3.org/TR/baggage/#header-content
 */
import type { DynamicSamplingContext } from './dsc.ts'

/** Fact R5. The text is ASCII, so these are also the 8,192 bytes up to which W3C promises propagation. */
export const MAX_BAGGAGE_CHARS = 8192
const PREFIX = 'sentry-'

export type Baggage = {
  readonly dsc: DynamicSamplingContext
  /** Members of others, as they stood in the header, in order. */
  readonly foreign: readonly string[]
}

/** Several headers are merged; of a repeated key the last one counts. Never throws. */
export function parseBaggage(headers: string | readonly string[]): Baggage {
  const dsc: Record<string, string> = {}
  const foreign: string[] = []
  const members = (typeof headers === 'string' ? [headers] : headers).flatMap((header) => header.split(','))
  for (const member of members.map((text) => text.trim())) {
    if (member === '') continue
    const pair = readPair(member)
    const key = pair?.key ?? member
    if (!key.startsWith(PREFIX)) foreign.push(member)
    // A broken member of ours is dropped, not handed on.
    else if (pair && key !== PREFIX && key !== `${PREFIX}__proto__`)
      dsc[key.slice(PREFIX.length)] = pair.value
  }
  return { dsc, foreign }
}

/**
 * The foreign members first, then the context. A member with which the header would pass `maxChars`
 * is skipped and named to `onSkip`; smaller ones after it still go in. `''`: send no header.
 */
export function formatBaggage(
  baggage: Partial<Baggage>,
  maxChars: number = MAX_BAGGAGE_CHARS,
  onSkip?: (member: string) => void,
): string {
  let header = ''
  for (const member of [...(baggage.foreign ?? []), ...formatDsc(baggage.dsc ?? {})]) {
    const next = header === '' ? member : `${header},${member}`
    if (next.length > maxChars) onSkip?.(member)
    else header = next
  }
  return header
}

function formatDsc(dsc: DynamicSamplingContext): string[] {
  return Object.entries(dsc)
    .filter(([key, value]) => key !== '' && value !== undefined)
    .map(([key, value]) => `${PREFIX}${encode(key)}=${encode(value ?? '')}`)
}

/** Undefined if it is no `key=value`, or is badly encoded. Properties after `;` are nobody's here. */
function readPair(member: string): { key: string; value: string } | undefined {
  const equals = member.indexOf('=')
  if (equals < 1) return undefined
  const value = member.slice(equals + 1).split(';', 1)[0] ?? ''
  try {
    return {
      key: decodeURIComponent(member.slice(0, equals).trim()),
      value: decodeURIComponent(value.trim()),
    }
  } catch {
    return undefined
  }
}

/** Half a surrogate pair cannot be encoded; it becomes the replacement character. */
function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
}
