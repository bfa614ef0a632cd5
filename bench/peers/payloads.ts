/** What every system is sent. */
import type { Generator } from '../load/start-generator.ts'
import type { Target } from '../load/template.ts'
import { ENVELOPE_BYTES, ISSUES, pythonLikeEnvelopes } from '../payloads/python-like.ts'

export type Payload = {
  readonly name: string
  readonly bytes: number
  readonly gzip: boolean
  /** How many issues each of the hundred envelopes makes. */
  readonly kinds: number
}

const SIZES = [
  ['3,026 B', ENVELOPE_BYTES],
  ['25 kB', 25_000],
  ['50 kB', 50_000],
] as const
const KINDS = [1, 66]

export const PAYLOADS: readonly Payload[] = SIZES.flatMap(([size, bytes]) =>
  KINDS.flatMap((kinds) =>
    [false, true].map((gzip) => ({
      name: `${size}${gzip ? ' gzip' : ''}, ${(ISSUES * kinds).toLocaleString('en')} issues`,
      bytes,
      gzip,
      kinds,
    })),
  ),
)

/** Of the first: the knee and all that is measured below it. */
export const MAIN = PAYLOADS[0] as Payload

export async function loadPayloads(generator: Generator, target: Target): Promise<void> {
  for (const { name, bytes, gzip, kinds } of PAYLOADS) {
    const envelopes = pythonLikeEnvelopes({ bytes, kinds: kinds > 1 })
    await generator[gzip ? 'loadGzip' : 'load'](name, envelopes, target)
  }
}
