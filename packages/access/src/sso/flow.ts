/**
 * What a browser carries from here to the provider and back: which sign-in it began, sealed, so that nobody else's answer is
 * taken for it. Nothing is stored: everybody may begin one.
 */
import type { Clock } from '@sonde/base'
import { z } from 'zod'
import type { Cookies } from '../auth/known-device.ts'
import type { Seal } from '../auth/reencrypt.ts'

/** `test`: an owner tries the settings. `connect`: somebody who is signed in connects their account. */
const SSO_INTENTS = ['sign-in', 'test', 'connect'] as const
export type SsoIntent = (typeof SSO_INTENTS)[number]

/** How long a person may take at the provider. */
const FLOW_SEC = 15 * 60
const MAX_NEXT_CHARS = 1_000

const FLOW = z.object({
  connectionId: z.number(),
  intent: z.enum(SSO_INTENTS),
  /** Who began it; undefined: nobody was signed in. */
  userId: z.string().optional(),
  /** A path of ours, as it was asked for: whoever goes there checks it. */
  next: z.string().optional(),
  /** Of OpenID Connect. */
  oidc: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }).optional(),
  /** Of SAML: the id of what we asked. */
  requestId: z.string().optional(),
  /** The provider sent the browser here unasked, and we sent it back to be asked. */
  isFromProvider: z.boolean().optional(),
  untilMs: z.number(),
})
export type SsoFlow = z.infer<typeof FLOW>
export type NewSsoFlow = Omit<SsoFlow, 'untilMs'>

export type SsoFlows = {
  /** A `Set-Cookie` value. One sign-in at a time: a later one takes the place of the one before. */
  write(flow: NewSsoFlow): Promise<string>
  /** Undefined: none, of another organization, or its time is over. */
  read(headers: Headers, connectionId: number): Promise<SsoFlow | undefined>
  /** A `Set-Cookie` value. */
  clear(): string
}

export function createSsoFlows(cookies: Cookies, seal: Seal, clock: Clock): SsoFlows {
  return {
    async write({ next, ...flow }) {
      const kept = next !== undefined && next.length <= MAX_NEXT_CHARS ? { next } : {}
      const text = JSON.stringify({ ...flow, ...kept, untilMs: clock.nowMs() + FLOW_SEC * 1000 })
      return cookies.write('sso', await seal.seal(text), FLOW_SEC)
    },
    async read(headers, connectionId) {
      const sealed = cookies.read('sso', headers)
      if (sealed === undefined || !/^[0-9a-f]{1,8000}$/i.test(sealed)) return undefined
      const text = await seal.open(sealed).catch(() => undefined)
      if (text === undefined) return undefined
      const flow = FLOW.safeParse(JSON.parse(text)).data
      return flow && flow.connectionId === connectionId && flow.untilMs > clock.nowMs() ? flow : undefined
    },
    clear: () => cookies.write('sso', '', 0),
  }
}
