/**
 * With which key this installation proves to the makers of browsers that it is the one that people subscribed to
 * (https://www.rfc-editor.org/rfc/rfc8292). Made with the first use and kept sealed; subscriptions are bound to it.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { type Seal, VAPID_KEY } from '@sonde/access'
import type { Records } from '@sonde/stores'
import { z } from 'zod'

const KEY = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})
export type VapidKey = z.output<typeof KEY>

export type VapidDeps = { readonly records: Records; readonly seal: Seal }

/** Of two processes that make one at the same time, the first one's counts. */
export async function openVapidKey({ records, seal }: VapidDeps): Promise<VapidKey> {
  const stored = await readKey(records)
  if (stored === undefined) {
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
    await records
      .insertInto('setting')
      .values({ name: VAPID_KEY, value: await seal.seal(JSON.stringify(made)) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  }
  const sealed = stored ?? (await readKey(records))
  if (sealed === undefined) throw new Error('the key of push messages was not kept')
  return KEY.parse(JSON.parse(await seal.open(sealed)))
}

const readKey = async (records: Records): Promise<string | undefined> =>
  (await records.selectFrom('setting').select('value').where('name', '=', VAPID_KEY).executeTakeFirst())
    ?.value

/** As browsers take it when they subscribe: the point, uncompressed, in base64url. */
export const publicKeyOf = ({ x, y }: VapidKey): string =>
  Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  )

/** Of 24 at most. */
const VALID_SEC = 12 * 60 * 60

/** `Authorization` for a request to this endpoint. `subject`: whom its operators may ask. */
export function vapidAuthorization(
  key: VapidKey,
  {
    endpoint,
    subject,
    nowMs,
  }: { readonly endpoint: string; readonly subject: string; readonly nowMs: number },
): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(nowMs / 1_000) + VALID_SEC, sub: subject }
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(signed), {
    key: createPrivateKey({ key, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKeyOf(key)}`
}
