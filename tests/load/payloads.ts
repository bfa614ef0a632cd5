/** Envelopes of the attacks, made of the bench's synthetic error. */
import { SPAN_PLACE } from '../../bench/load/template.ts'
import { pythonLikeEnvelopes } from '../../bench/payloads/python-like.ts'

type Change = (event: Record<string, unknown>, at: number) => Record<string, unknown>

function changed(count: number, change: Change): string[] {
  const originals = pythonLikeEnvelopes()
  return Array.from({ length: count }, (_, at) => {
    const [head = '', , event = '{}'] = (originals[at % originals.length] ?? '').split('\n')
    const payload = JSON.stringify(change(JSON.parse(event) as Record<string, unknown>, at))
    return `${head}\n{"type":"event","length":${Buffer.byteLength(payload)}}\n${payload}\n`
  })
}

const MIXED_BYTES = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30_000, 30_000, 300_000] as const

/** Mostly 3 kB, some of 30 kB and of 300 kB. */
export const mixedSizes = (): string[] =>
  changed(100, (event, at) => {
    const bytes = MIXED_BYTES[at % MIXED_BYTES.length] ?? 0
    return bytes === 0 ? event : { ...event, extra: { dump: noise(bytes) } }
  })

/** One issue for all. */
export const oneFingerprint = (): string[] =>
  changed(10, (event) => ({ ...event, fingerprint: ['the same everywhere'] }))

/** An issue of its own for each event: the counter of the request stands in the fingerprint. */
export const ownFingerprints = (): string[] =>
  changed(10, (event) => ({ ...event, fingerprint: [`own ${SPAN_PLACE}`] }))

/** A release of its own for each event. */
export const ownReleases = (): string[] =>
  changed(10, (event) => ({ ...event, release: `shop@1.0.0+${SPAN_PLACE}` }))

const TAGS_PER_EVENT = 50

/** Tag keys by the ten thousand, fifty in each event. */
export const manyTagKeys = (keys: number): string[] =>
  changed(Math.ceil(keys / TAGS_PER_EVENT), (event, at) => ({
    ...event,
    tags: Object.fromEntries(
      Array.from({ length: TAGS_PER_EVENT }, (_, tag) => [
        `key-${at * TAGS_PER_EVENT + tag}`,
        `value ${tag}`,
      ]),
    ),
  }))

/** Text that does not compress to nothing, the same each time. */
function noise(bytes: number): string {
  let state = 12_345
  let text = ''
  while (text.length < bytes) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    text += state.toString(36)
  }
  return text.slice(0, bytes)
}
