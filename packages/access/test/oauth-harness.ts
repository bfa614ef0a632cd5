/** A client that registered, and connections as the consent page makes them, without the page. */
import { createHash, randomBytes } from 'node:crypto'
import { CODE_LIFE_MS, hashApiToken, newOauthSecret, type OauthRefusal, type Scope } from '@sonde/access'
import type { Harness } from './harness.ts'

export const REDIRECT_URI = 'http://127.0.0.1:7000/callback'
export const MCP = 'http://sonde.test/mcp'

export function register(
  { access }: Pick<Harness, 'access'>,
  fields: Readonly<Record<string, unknown>> = {},
) {
  return access.oauth.register({
    client_name: 'Robot',
    redirect_uris: [REDIRECT_URI],
    ...fields,
  }) as Readonly<Record<string, string>> & Partial<OauthRefusal>
}

export const proof = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export type Connection = {
  readonly clientId: string
  readonly verifier: string
  readonly code: string
  readonly tokenId: number
}

/** What `connectApp` leaves in the records. */
export async function connect(
  { access, db, clock, acme }: Harness,
  userId: string,
  fields: { scopes?: readonly Scope[]; resource?: string; clientId?: string } = {},
): Promise<Connection> {
  const clientId = fields.clientId ?? register({ access })['client_id'] ?? ''
  const { verifier, challenge } = proof()
  const code = newOauthSecret('code')
  const { id: tokenId } = await db
    .insertInto('api_token')
    .values({
      org_id: acme,
      user_id: userId,
      made_by: userId,
      name: 'Robot',
      token_hash: `oauth ${randomBytes(8).toString('hex')}`,
      scopes: JSON.stringify(fields.scopes ?? ['event:read']),
      created_ms: clock.nowMs(),
      last_used_ms: null,
      expires_ms: clock.nowMs() + CODE_LIFE_MS,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('oauth_app')
    .values({
      token_id: tokenId,
      client_hash: hashApiToken(clientId),
      redirect_uri: REDIRECT_URI,
      code_challenge: challenge,
      resource: fields.resource ?? null,
    })
    .execute()
  await db
    .insertInto('oauth_secret')
    .values({
      secret_hash: code.hash,
      token_id: tokenId,
      kind: 'code',
      expires_ms: clock.nowMs() + CODE_LIFE_MS,
      parent_hash: null,
    })
    .execute()
  return { clientId, verifier, code: code.text, tokenId }
}
