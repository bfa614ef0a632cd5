/** Bodies that are small as they travel and large once they are unpacked. */
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { LoadPlace } from './load-place.ts'
import { type Attacked, type AttackPlan, NO_COUNTS } from './scenario.ts'

const UNPACKED_BYTES = 200 * 1024 * 1024
const AT_ONCE = 16
/** Still more than an envelope may have. */
const LEAST_SHARE = 0.15

// The best compression takes seconds, and these bytes are all the same.
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const PACKERS = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: (bytes: Uint8Array) => brotliCompressSync(bytes, QUICK),
  zstd: (bytes: Uint8Array) => zstdCompressSync(bytes),
} as const

export async function bombs({ running, target }: LoadPlace, { forMs, share }: AttackPlan): Promise<Attacked> {
  const plain = Buffer.alloc(Math.ceil(UNPACKED_BYTES * Math.max(share, LEAST_SHARE)), 'x')
  const packed = Object.entries(PACKERS).map(([encoding, pack]) => ({ encoding, body: pack(plain) }))
  const counts = { ...NO_COUNTS }
  const statuses = new Map<number, number>()
  const endMs = performance.now() + forMs
  const sendOn = async (first: number): Promise<void> => {
    for (let at = first; performance.now() < endMs; at++) {
      const { encoding = '', body } = packed[at % packed.length] ?? {}
      counts.scheduled++
      try {
        const answer = await fetch(`${running.url}${target.path}?sentry_key=${target.publicKey}`, {
          method: 'POST',
          headers: { 'content-encoding': encoding },
          body: body as Uint8Array<ArrayBuffer>,
        })
        await answer.arrayBuffer()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status === 429 || answer.status === 503) {
          counts.refused++
          if (!Number(answer.headers.get('retry-after'))) counts.untimed++
        } else counts.wrong++
      } catch {
        counts.failed++
      }
      await sleep(1)
    }
  }
  await Promise.all(
    Array.from({ length: Math.ceil(AT_ONCE * Math.max(share, LEAST_SHARE)) }, (_, at) => sendOn(at)),
  )
  const expected = [...statuses.keys()].every((status) => [413, 429, 503].includes(status))
  const detail = [...statuses].map(([status, times]) => `${status}: ${times}`).join(', ')
  return {
    counts,
    isCounted: false,
    checks: [{ name: 'refused', ok: expected && statuses.size > 0, detail }],
  }
}
