/**
 * What an application does with a code and with tokens: exchanges, renews and revokes them (RFC 6749, RFC 7009). Each code and
 * refresh token works once; one that comes again ends the connection, because somebody else may have it (RFC 9700, 4.14).
 */
import { createHash } from 'node:crypto'
import type { Clock } from '@sonde/base'
import { type OauthSecretKind, type Records, writeTransaction } from '@sonde/stores'
import { hashApiToken } from '../api-token.ts'
import { resourceOf } from './authorize-request.ts'
import type { OauthRefusal } from './client-id.ts'
import {
  ACCESS_LIFE_MS,
  CONNECTION_LIFE_MS,
  IDLE_LIFE_MS,
  isOauthSecret,
  newOauthSecret,
} from './oauth-secret.ts'

/** As in RFC 6749, 5.1. */
export type IssuedTokens = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly refresh_token: string
  /** What the person gave, which may be less than was asked for. */
  readonly scope: string
}

export type OauthTokens = {
  /** `form`: the body of `POST /token`. */
  exchange(form: URLSearchParams, address: string | undefined): Promise<IssuedTokens | OauthRefusal>
  /** Ends the connection whichever of its tokens is shown. Says nothing: RFC 7009, 2.2. */
  revoke(form: URLSearchParams, address: string | undefined): Promise<void>
}

/**
 * Programs renew side by side, when several requests find at once that their token is over: for so long the same refresh token
 * may come again, a few times, unless what it was exchanged for has been used.
 */
const SIDE_BY_SIDE_MS = 20_000
const MAX_SIDE_BY_SIDE = 5

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

const refused = (error: string, error_description: string): OauthRefusal => ({ error, error_description })
/** One text: what exactly is wrong with a secret is nothing for whoever tries one. */
const INVALID = refused('invalid_grant', 'The code or refresh token is not valid, was used, or is over.')

export type OauthTokensDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly publicUrl: string
}

export function createOauthTokens({ records, clock, publicUrl }: OauthTokensDeps): OauthTokens {
  return {
    async exchange(form, address) {
      const one = (name: string): string => form.get(name) ?? ''
      if ([...new Set(form.keys())].some((name) => name !== 'resource' && form.getAll(name).length > 1))
        return refused('invalid_request', 'a parameter stands there twice')
      const client = hashApiToken(one('client_id'))
      const resource = resourceOf(publicUrl, form.getAll('resource'))
      const asked = { client, address, nowMs: clock.nowMs() }
      switch (one('grant_type')) {
        case 'authorization_code':
          if (!isOauthSecret(one('code'), 'code')) return INVALID
          return writeTransaction(records, (tx) =>
            exchangeCode(tx, asked, { form, resource, verifier: one('code_verifier') }),
          )
        case 'refresh_token':
          if (!isOauthSecret(one('refresh_token'), 'refresh')) return INVALID
          return writeTransaction(records, (tx) =>
            refresh(tx, asked, { form, resource, hash: hashApiToken(one('refresh_token')) }),
          )
        default:
          return refused('unsupported_grant_type', 'grant_type: authorization_code or refresh_token')
      }
    },
    async revoke(form, address) {
      const token = form.get('token') ?? ''
      if (!isOauthSecret(token, 'refresh') && !isOauthSecret(token, 'access')) return
      await writeTransaction(records, async (tx) => {
        const found = await findSecret(tx, hashApiToken(token))
        if (!found || found.client_hash !== hashApiToken(form.get('client_id') ?? '')) return
        await endConnection(tx, found, 'client', { address, nowMs: clock.nowMs() })
      })
    },
  }
}

type Asked = { readonly client: string; readonly address: string | undefined; readonly nowMs: number }
type Exchange = { readonly form: URLSearchParams; readonly resource: string | undefined | null }

async function exchangeCode(
  tx: Records,
  asked: Asked,
  { form, resource, verifier }: Exchange & { readonly verifier: string },
): Promise<IssuedTokens | OauthRefusal> {
  const hash = hashApiToken(form.get('code') ?? '')
  const found = await findSecret(tx, hash)
  if (!found || found.kind !== 'code' || found.client_hash !== asked.client) return INVALID
  const redirectUri = form.get('redirect_uri')
  const isProven =
    VERIFIER.test(verifier) &&
    createHash('sha256').update(verifier).digest('base64url') === found.code_challenge &&
    // OAuth 2.1 leaves it out; who sends it must send the same.
    (redirectUri === null || redirectUri === found.redirect_uri)
  // Whoever has a code without what proves it stole it, or saw it used.
  if (found.used_ms !== null || !isProven) {
    await endConnection(tx, found, 'reuse', asked)
    return INVALID
  }
  if (found.expires_ms <= asked.nowMs || !isLiving(found, asked.nowMs)) return INVALID
  if (!isSameResource(found, resource)) return refused('invalid_target', 'not what the person agreed to')
  await tx.updateTable('oauth_secret').set({ used_ms: asked.nowMs }).where('secret_hash', '=', hash).execute()
  await tx
    .updateTable('oauth_app')
    .set({ redeemed_ms: asked.nowMs })
    .where('token_id', '=', found.token_id)
    .execute()
  await endOlder(tx, found, asked)
  return issue(tx, found, null, asked.nowMs)
}

async function refresh(
  tx: Records,
  asked: Asked,
  { form, resource, hash }: Exchange & { readonly hash: string },
): Promise<IssuedTokens | OauthRefusal> {
  const { nowMs } = asked
  const found = await findSecret(tx, hash)
  if (!found || found.kind !== 'refresh' || found.client_hash !== asked.client) return INVALID
  if (found.used_ms !== null && !(await mayComeAgain(tx, hash, found.used_ms, nowMs))) {
    await endConnection(tx, found, 'reuse', asked)
    return INVALID
  }
  if (found.expires_ms <= nowMs || !isLiving(found, nowMs)) return INVALID
  if (!isSameResource(found, resource)) return refused('invalid_target', 'not what the person agreed to')
  const scopes = JSON.parse(found.scopes) as string[]
  const wanted = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  if (wanted.some((scope) => !scopes.includes(scope)))
    return refused('invalid_scope', 'more than the person agreed to')
  if (found.used_ms === null) {
    await tx.updateTable('oauth_secret').set({ used_ms: nowMs }).where('secret_hash', '=', hash).execute()
    // Of those that were given for the same one, the first that is used counts.
    if (found.parent_hash !== null)
      await tx
        .updateTable('oauth_secret')
        .set({ used_ms: nowMs - SIDE_BY_SIDE_MS - 1 })
        .where('parent_hash', '=', found.parent_hash)
        .where('kind', '=', 'refresh')
        .where('used_ms', 'is', null)
        .execute()
  }
  return issue(tx, found, hash, nowMs)
}

async function mayComeAgain(tx: Records, hash: string, usedMs: number, nowMs: number): Promise<boolean> {
  if (nowMs - usedMs > SIDE_BY_SIDE_MS) return false
  const given = await tx
    .selectFrom('oauth_secret')
    .select('used_ms')
    .where('parent_hash', '=', hash)
    .execute()
  return given.length < MAX_SIDE_BY_SIDE && given.every(({ used_ms }) => used_ms === null)
}

type FoundSecret = NonNullable<Awaited<ReturnType<typeof findSecret>>>

const findSecret = (tx: Records, hash: string) =>
  tx
    .selectFrom('oauth_secret')
    .innerJoin('oauth_app', 'oauth_app.token_id', 'oauth_secret.token_id')
    .innerJoin('api_token', 'api_token.id', 'oauth_secret.token_id')
    .innerJoin('user', 'user.id', 'api_token.user_id')
    .leftJoin('member', (join) =>
      join.onRef('member.user_id', '=', 'api_token.user_id').onRef('member.org_id', '=', 'api_token.org_id'),
    )
    .select(['oauth_secret.token_id', 'oauth_secret.kind', 'oauth_secret.expires_ms', 'oauth_secret.used_ms'])
    .select(['oauth_secret.parent_hash', 'oauth_app.client_hash', 'oauth_app.redirect_uri'])
    .select(['oauth_app.code_challenge', 'oauth_app.resource', 'api_token.org_id', 'api_token.user_id'])
    .select(['api_token.name', 'api_token.scopes', 'api_token.created_ms', 'api_token.expires_ms as endsMs'])
    .select(['user.disabledMs', 'member.role'])
    .where('oauth_secret.secret_hash', '=', hash)
    .executeTakeFirst()

const isLiving = ({ disabledMs, role, endsMs }: FoundSecret, nowMs: number): boolean =>
  disabledMs === null && role !== null && (endsMs === null || endsMs > nowMs)

/** Left out, it is what was agreed to. */
const isSameResource = (found: FoundSecret, resource: string | undefined | null): boolean =>
  resource === undefined || resource === found.resource

async function issue(
  tx: Records,
  { token_id, created_ms, scopes }: FoundSecret,
  parentHash: string | null,
  nowMs: number,
): Promise<IssuedTokens> {
  // With the last use the connection ends later, but never later than a year after it was made.
  const endsMs = Math.min(nowMs + IDLE_LIFE_MS, created_ms + CONNECTION_LIFE_MS)
  const accessEndsMs = Math.min(nowMs + ACCESS_LIFE_MS, endsMs)
  const put = async (kind: OauthSecretKind, expires_ms: number): Promise<string> => {
    const { text, hash } = newOauthSecret(kind)
    const parent_hash = kind === 'refresh' ? parentHash : null
    await tx
      .insertInto('oauth_secret')
      .values({ secret_hash: hash, token_id, kind, expires_ms, parent_hash })
      .execute()
    return text
  }
  await tx.updateTable('api_token').set({ expires_ms: endsMs }).where('id', '=', token_id).execute()
  return {
    access_token: await put('access', accessEndsMs),
    token_type: 'Bearer',
    expires_in: Math.floor((accessEndsMs - nowMs) / 1000),
    refresh_token: await put('refresh', endsMs),
    scope: (JSON.parse(scopes) as string[]).join(' '),
  }
}

/** The same application of the same person, connected once more: nobody wants two of it. */
async function endOlder(tx: Records, found: FoundSecret, asked: Asked): Promise<void> {
  const older = await tx
    .selectFrom('oauth_app')
    .innerJoin('api_token', 'api_token.id', 'oauth_app.token_id')
    .select(['oauth_app.token_id', 'api_token.org_id', 'api_token.user_id', 'api_token.name'])
    .where('oauth_app.client_hash', '=', found.client_hash)
    .where('oauth_app.token_id', '!=', found.token_id)
    .where('api_token.user_id', '=', found.user_id)
    .where('api_token.org_id', '=', found.org_id)
    .execute()
  for (const each of older) await endConnection(tx, each, 'replaced', asked)
}

type Ended = Pick<FoundSecret, 'token_id' | 'org_id' | 'user_id' | 'name'>

/** All its secrets go with it. */
async function endConnection(
  tx: Records,
  { token_id, org_id, user_id, name }: Ended,
  reason: 'client' | 'reuse' | 'replaced',
  { address, nowMs }: { readonly address: string | undefined; readonly nowMs: number },
): Promise<void> {
  await tx.deleteFrom('api_token').where('id', '=', token_id).execute()
  await tx
    .insertInto('audit_entry')
    .values({
      org_id,
      // Who showed a secret for the second time is nobody.
      actor: reason === 'reuse' ? 'stranger' : `token:${token_id}`,
      action: 'app.disconnect',
      subject: name,
      detail: JSON.stringify({ tokenId: token_id, of: user_id, reason }),
      at_ms: nowMs,
      address: address ?? null,
    })
    .execute()
}
