/** Envelopes of the unmodified `@sentry/node`, captured in a process of its own. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const MAX_OUTPUT_BYTES = 512 * 1024 * 1024
const SEED = 1

/** Each has other people, requests, breadcrumbs and messages, from some twenty stacks: median 6.7 kB. */
export async function sdkEnvelopes(count: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'capture-sdk.ts'), String(count), String(SEED)],
    { maxBuffer: MAX_OUTPUT_BYTES },
  )
  const envelopes = JSON.parse(stdout) as string[]
  if (envelopes.length !== count) throw new Error(`the SDK sent ${envelopes.length} of ${count} envelopes`)
  return envelopes
}

/** The one whose size is nearest. */
export async function sdkEnvelopeOf(bytes: number): Promise<string> {
  const away = (envelope: string): number => Math.abs(Buffer.byteLength(envelope) - bytes)
  return (await sdkEnvelopes(200)).reduce((best, each) => (away(each) < away(best) ? each : best))
}
