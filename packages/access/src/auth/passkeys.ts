/**
 * Passkeys (https://www.w3.org/TR/webauthn-3/): a second factor after the password, or both factors at once where the
 * authenticator made sure of the person itself. Signatures are verified by SimpleWebAuthn, which is loaded with the first one.
 */
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type Clock, SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import type { UserViewer } from '../viewer.ts'
import type { Challenges, ChallengeUse } from './passkey-challenge.ts'
import type { SecondFactorResult } from './second-factor.ts'
import type { SecurityEvents } from './security-events.ts'
import { DISABLED, type SignInResult, tooMany } from './sign-in.ts'
import type { StartSession } from './start-session.ts'
import { linkBounds, type TryLimit } from './try-limit.ts'

/** For `navigator.credentials.create`, as `@simplewebauthn/browser` takes it. */
export type PasskeyCreation = {
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly challenge: string
  readonly pubKeyCredParams: { readonly alg: number; readonly type: 'public-key' }[]
  readonly timeout: number
  readonly attestation: 'none'
  readonly excludeCredentials: PasskeyDescriptor[]
  readonly authenticatorSelection: {
    readonly residentKey: 'preferred'
    readonly userVerification: 'preferred'
  }
}

/** For `navigator.credentials.get`. */
export type PasskeyRequest = {
  readonly challenge: string
  readonly rpId: string
  readonly timeout: number
  readonly userVerification: 'preferred' | 'required'
  /** None: any passkey of this Sonde that the browser knows. */
  readonly allowCredentials: PasskeyDescriptor[]
}

type PasskeyDescriptor = {
  readonly id: string
  readonly type: 'public-key'
  readonly transports: Transport[]
}
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
type Transport = (typeof TRANSPORTS)[number]

export type PasskeyRow = {
  readonly id: number
  readonly name: string
  readonly isSynced: boolean
  readonly createdMs: number
  readonly lastUsedMs: number | undefined
}

type SignInWith = {
  /** JSON of the browser's answer: strangers' bytes. */
  readonly response: string
  readonly headers: Headers
  readonly clientAddress?: string | undefined
}

export type Passkeys = {
  /** Why browsers would refuse them at this address, for people. Undefined: they work. */
  readonly whyNot: string | undefined
  list(viewer: UserViewer): Promise<readonly PasskeyRow[]>
  creationOptions(viewer: UserViewer): Promise<PasskeyCreation>
  /** The caller has asked for the password. Throws `SondeError` (`invalid`: subject `passkey`; `conflict`: too many). */
  register(viewer: UserViewer, passkey: { readonly name: string; readonly response: string }): Promise<void>
  /** The caller has asked for the password. Throws `SondeError` (`not-found`). */
  remove(viewer: UserViewer, passkeyId: number): Promise<{ readonly name: string }>
  /** Instead of address and password. */
  signInOptions(): PasskeyRequest
  /** Never throws for what a browser sent. */
  signIn(input: SignInWith): Promise<Exclude<SignInResult, { reason: 'second-factor' | 'busy' }>>
  /** After a password that was right. `options` undefined: this person has no passkey. */
  pendingOptions(headers: Headers): Promise<PasskeyRequest | undefined>
  /** Never throws for what a browser sent. */
  secondStep(input: SignInWith): Promise<SecondFactorResult>
}

export type PasskeyDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly publicUrl: string
  readonly trustedOrigins: readonly string[]
  readonly challenges: Challenges
  readonly limit: TryLimit
  readonly events: SecurityEvents
  readonly startSession: StartSession
  /** Whose first step these cookies are of. */
  readonly pendingUserId: (headers: Headers) => Promise<string | undefined>
  /** Ends that first step; the `Set-Cookie` values that clear it. */
  readonly endFirstStep: (headers: Headers) => Promise<readonly string[]>
}

const MAX_PASSKEYS = 20
const TIMEOUT_MS = 120_000
/** Of JSON; what authenticators answer has some kilobytes. */
const MAX_RESPONSE_CHARS = 16_384
/** EdDSA, ES256, RS256: https://www.iana.org/assignments/cose/cose.xhtml#algorithms */
const ALGORITHMS = [-8, -7, -257]

const base64url = z.base64url().min(1).max(8_192)
const credentialId = base64url.max(1_400)
const REGISTRATION = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
  clientExtensionResults: z.object({}).default({}),
})
const ASSERTION = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.base64url().max(128).optional(),
  }),
  clientExtensionResults: z.object({}).default({}),
})

const WRONG = {
  ok: false,
  reason: 'wrong',
  message: 'This passkey was not accepted. Reload the page and try again, or sign in another way.',
} as const
const EXPIRED = {
  ok: false,
  reason: 'expired',
  message: 'The sign-in took too long. Enter your password again.',
} as const

export function createPasskeys(deps: PasskeyDeps): Passkeys {
  const { records, clock, challenges, events, limit, startSession, pendingUserId, endFirstStep } = deps
  const { hostname: rpId, origin } = new URL(deps.publicUrl)
  const origins = [origin, ...deps.trustedOrigins]

  const descriptors = async (userId: string): Promise<PasskeyDescriptor[]> => {
    const rows = await records
      .selectFrom('passkey')
      .select(['credential_id', 'transports'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
    return rows.map(({ credential_id: id, transports }) => ({
      id,
      type: 'public-key',
      transports: transportsIn(JSON.parse(transports) as string[]),
    }))
  }
  const request = (
    use: ChallengeUse,
    userVerification: PasskeyRequest['userVerification'],
    allowCredentials: PasskeyDescriptor[],
  ): PasskeyRequest => ({
    challenge: challenges.make(use),
    rpId,
    timeout: TIMEOUT_MS,
    userVerification,
    allowCredentials,
  })

  /** The person whose passkey signed; undefined: none did. Notes its use. */
  const verified = async (
    text: string,
    use: ChallengeUse,
    isUserVerified: boolean,
    /** Another person's does not even spend the challenge. */
    only?: string,
  ): Promise<{ readonly userId: string; readonly isRight: boolean } | undefined> => {
    const response = parsed(ASSERTION, text)
    if (!response) return undefined
    const row = await records
      .selectFrom('passkey')
      .selectAll()
      .where('credential_id', '=', response.id)
      .executeTakeFirst()
    if (!row) return undefined
    const { user_id: userId } = row
    if (only !== undefined && only !== userId) return { userId, isRight: false }
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    let signed = ''
    const result = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => {
        signed = challenge
        return challenges.isOurs(challenge, use)
      },
      expectedOrigin: origins,
      expectedRPID: rpId,
      requireUserVerification: isUserVerified,
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
        counter: row.sign_count,
        transports: transportsIn(JSON.parse(row.transports) as string[]),
      },
    }).catch(() => undefined)
    const isRight = result?.verified === true && (await challenges.spend(signed))
    if (isRight)
      await records
        .updateTable('passkey')
        .set({
          sign_count: result.authenticationInfo.newCounter,
          is_synced: result.authenticationInfo.credentialBackedUp ? 1 : 0,
          last_used_ms: clock.nowMs(),
        })
        .where('id', '=', row.id)
        .execute()
    return { userId, isRight }
  }

  /** Counted by network; a success takes its own back. */
  const limited = async <Result>(
    address: string | undefined,
    subject: string,
    attempt: () => Promise<Result & { readonly ok: boolean }>,
  ) => {
    const bounds = linkBounds('passkey', subject, address)
    const taken = await limit.take(bounds)
    if ('retryAfterSec' in taken) return tooMany(taken.retryAfterSec)
    const result = await attempt()
    if (result.ok) await limit.succeeded(bounds)
    return result
  }

  const opened = async (
    userId: string,
    { headers, clientAddress }: SignInWith,
    moreCookies: readonly string[],
  ) => {
    try {
      const { setCookies } = await startSession({ userId, headers, clientAddress, reason: 'passkey' })
      return { ok: true, userId, setCookies: [...moreCookies, ...setCookies] } as const
    } catch (error) {
      if (!(error instanceof SondeError) || error.kind !== 'forbidden') throw error
      return { ok: false, reason: 'wrong', message: DISABLED } as const
    }
  }

  return {
    whyNot: whyNot(deps.publicUrl),
    async list({ userId }) {
      const rows = await records
        .selectFrom('passkey')
        .select(['id', 'name', 'is_synced', 'created_ms', 'last_used_ms'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute()
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        isSynced: row.is_synced === 1,
        createdMs: row.created_ms,
        lastUsedMs: row.last_used_ms ?? undefined,
      }))
    },
    async creationOptions({ userId, email, name }) {
      return {
        rp: { id: rpId, name: 'Sonde' },
        user: { id: Buffer.from(userId).toString('base64url'), name: email, displayName: name },
        challenge: challenges.make(`register ${userId}`),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
        timeout: TIMEOUT_MS,
        attestation: 'none',
        excludeCredentials: await descriptors(userId),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      }
    },
    async register({ userId, email, address }, { name, response: text }) {
      const operation = 'add a passkey'
      const refused = () =>
        new SondeError('invalid', 'the browser’s answer was not accepted: reload the page and try again', {
          operation,
          subject: 'passkey',
        })
      const response = parsed(REGISTRATION, text)
      if (!response) throw refused()
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      let signed = ''
      const result = await verifyRegistrationResponse({
        response,
        expectedChallenge: (challenge) => {
          signed = challenge
          return challenges.isOurs(challenge, `register ${userId}`)
        },
        expectedOrigin: origins,
        expectedRPID: rpId,
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => undefined)
      if (!result?.verified || !(await challenges.spend(signed))) throw refused()
      const { credential, credentialBackedUp } = result.registrationInfo
      await writeTransaction(records, async (tx) => {
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('passkey')
          .values({
            user_id: userId,
            name,
            credential_id: credential.id,
            public_key: Buffer.from(credential.publicKey).toString('base64url'),
            sign_count: credential.counter,
            transports: JSON.stringify(transportsIn(response.response.transports)),
            is_synced: credentialBackedUp ? 1 : 0,
            created_ms: clock.nowMs(),
          })
          .onConflict((conflict) => conflict.column('credential_id').doNothing())
          .executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows !== 1n) throw refused()
        const { count } = await tx
          .selectFrom('passkey')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        if (count > MAX_PASSKEYS)
          throw new SondeError('conflict', `an account has at most ${MAX_PASSKEYS} passkeys`, {
            operation,
            subject: 'passkey',
            hint: 'Remove one that you no longer use.',
          })
        await tx.updateTable('user').set({ twoFactorEnabled: 1 }).where('id', '=', userId).execute()
      })
      await events.record({ event: 'passkey_added', userId, email, address, about: name })
    },
    async remove({ userId, email, address }, passkeyId) {
      const name = await writeTransaction(records, async (tx) => {
        const removed = await tx
          .deleteFrom('passkey')
          .where('id', '=', passkeyId)
          .where('user_id', '=', userId)
          .returning('name')
          .executeTakeFirst()
        if (!removed)
          throw new SondeError('not-found', 'you have no such passkey', { operation: 'remove a passkey' })
        await setAskedFor(tx, userId)
        return removed.name
      })
      await events.record({ event: 'passkey_removed', userId, email, address, about: name })
      return { name }
    },
    signInOptions: () => request('sign-in', 'required', []),
    signIn: async (input) => {
      const { clientAddress: address } = input
      return limited(address, `of ${parsed(ASSERTION, input.response)?.id ?? '?'}`, async () => {
        const found = await verified(input.response, 'sign-in', true)
        if (found?.isRight) return opened(found.userId, input, [])
        await events.record({
          event: 'sign_in_failed',
          userId: found?.userId,
          address,
          reason: 'wrong-passkey',
        })
        return WRONG
      })
    },
    async pendingOptions(headers) {
      const userId = await pendingUserId(headers)
      if (userId === undefined) return undefined
      const allowed = await descriptors(userId)
      return allowed.length === 0 ? undefined : request(`second ${userId}`, 'preferred', allowed)
    },
    async secondStep(input) {
      const { clientAddress: address, headers } = input
      const userId = await pendingUserId(headers)
      if (userId === undefined) return EXPIRED
      return limited(address, `second step of ${userId}`, async () => {
        const found = await verified(input.response, `second ${userId}`, false, userId)
        if (found?.isRight) return opened(userId, input, await endFirstStep(headers))
        await events.record({ event: 'second_factor_failed', userId, address, reason: 'wrong-passkey' })
        return WRONG
      })
    },
  }
}

/** Whether something is asked for after the password: an app that was confirmed, or a passkey. */
export async function setAskedFor(tx: Records, userId: string): Promise<void> {
  const app = await tx
    .selectFrom('twoFactor')
    .select('id')
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('verified', 'is', null), eb('verified', '=', 1)]))
    .executeTakeFirst()
  const passkey = await tx.selectFrom('passkey').select('id').where('user_id', '=', userId).executeTakeFirst()
  await tx
    .updateTable('user')
    .set({ twoFactorEnabled: app || passkey ? 1 : 0 })
    .where('id', '=', userId)
    .execute()
}

/** https://www.w3.org/TR/webauthn-3/#rp-id : a name, and a secure context. */
function whyNot(publicUrl: string): string | undefined {
  const { hostname, protocol } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return 'Passkeys need a host name: set SONDE_PUBLIC_URL to one instead of an IP address.'
  if (protocol !== 'https:' && !isLocal)
    return 'Passkeys need https: set SONDE_PUBLIC_URL to an https address.'
  return undefined
}

const transportsIn = (names: readonly string[]): Transport[] =>
  TRANSPORTS.filter((known) => names.includes(known))

function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  if (text.length > MAX_RESPONSE_CHARS) return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
