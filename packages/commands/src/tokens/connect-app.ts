/** Applications that people connect by OAuth. A connection never does more than its person may at that moment. */
import { randomBytes } from 'node:crypto'
import {
  type AuthorizeRequest,
  CODE_LIFE_MS,
  type Grant,
  hashApiToken,
  newOauthSecret,
  type UserViewer,
} from '@sonde/access'
import { SondeError } from '@sonde/base'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import { askPassword, tokenScopesField } from './create-token.ts'
import { checkWithinRole } from './token-life.ts'

const CONNECT = z.object({ scopes: tokenScopesField, currentPassword: z.string().default('') })

/** Whoever signed in so short a time ago is not asked for the password again. */
const FRESH_SIGN_IN_MS = 15 * 60_000

/**
 * `not-needed`: the sign-in is fresh. `password`: it is asked for, as for a token. `sign-in`: whoever came by a provider has none
 * and signs in there once more.
 */
export async function proofToConnect(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  viewer: UserViewer,
): Promise<'not-needed' | 'password' | 'sign-in'> {
  const session = await records
    .selectFrom('session')
    .select('createdAt')
    .where('id', '=', viewer.sessionId ?? '')
    .executeTakeFirst()
  const isFresh = session !== undefined && Date.parse(session.createdAt) > clock.nowMs() - FRESH_SIGN_IN_MS
  if (isFresh) return 'not-needed'
  return viewer.ssoOrgId === undefined ? 'password' : 'sign-in'
}

export type ConnectAppInput = {
  readonly request: AuthorizeRequest
  /** Of those that were asked for. */
  readonly scopes: readonly string[]
  readonly currentPassword?: string | undefined
}

/**
 * Says yes to what an application asks for, in one organization. Returns the code for it, which works for two minutes; until it
 * is exchanged the connection is nowhere to be seen. Throws `InvalidInput` (`scopes`, `currentPassword`), `SondeError`
 * (`forbidden`).
 */
export async function connectApp(
  deps: CommandDeps,
  grant: Grant<'org:read', 'org'>,
  { request, ...input }: ConnectAppInput,
): Promise<{ readonly code: string }> {
  const operation = 'connect an application'
  const { scopes, currentPassword } = readInput(operation, CONNECT, input)
  const { viewer, orgId } = grant
  if (viewer.kind !== 'user')
    throw new SondeError('forbidden', 'only a person connects applications', { operation })
  const beyond = scopes.filter((scope) => !request.scopes.includes(scope))
  if (beyond.length > 0)
    throw new InvalidInput(operation, { scopes: [`the application did not ask for ${beyond.join(', ')}`] })
  checkWithinRole(operation, viewer, grant, scopes)
  const proof = await proofToConnect(deps, viewer)
  if (proof === 'sign-in')
    throw new InvalidInput(operation, {
      currentPassword: ['your sign-in is too long ago; sign in once more'],
    })
  if (proof === 'password') await askPassword(deps, viewer, operation, currentPassword)
  const { userId, address } = viewer
  const { name } = request.client
  const atMs = deps.clock.nowMs()
  const code = newOauthSecret('code')
  await writeTransaction(deps.records, async (tx) => {
    const { id } = await tx
      .insertInto('api_token')
      .values({
        org_id: orgId,
        user_id: userId,
        made_by: userId,
        name,
        // No text has this hash: what opens anything are the secrets of the connection.
        token_hash: `oauth ${randomBytes(32).toString('hex')}`,
        scopes: JSON.stringify(scopes),
        created_ms: atMs,
        last_used_ms: null,
        expires_ms: atMs + CODE_LIFE_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('oauth_app')
      .values({
        token_id: id,
        client_hash: hashApiToken(request.client.clientId),
        redirect_uri: request.redirectUri,
        code_challenge: request.codeChallenge,
        resource: request.resource ?? null,
      })
      .execute()
    await tx
      .insertInto('oauth_secret')
      .values({
        secret_hash: code.hash,
        token_id: id,
        kind: 'code',
        expires_ms: atMs + CODE_LIFE_MS,
        parent_hash: null,
      })
      .execute()
    const target = new URL(request.redirectUri)
    const detail = { tokenId: id, scopes, target: `${target.protocol}//${target.host}` }
    await writeAudit(tx, { orgId, viewer, action: 'app.connect', subject: name, detail, atMs })
  })
  await deps.access.recordEvent({ event: 'app_connected', userId, address, about: name })
  return { code: code.text }
}

/** One of one's own: all its tokens stop at once. Throws `SondeError` (`not-found`). */
export async function disconnectApp(
  deps: CommandDeps,
  viewer: UserViewer,
  { tokenId }: { readonly tokenId: number },
): Promise<void> {
  await writeTransaction(deps.records, async (tx) => {
    const deleted = await tx
      .deleteFrom('api_token')
      .where('id', '=', tokenId)
      .where('user_id', '=', viewer.userId)
      .where('id', 'in', (eb) => eb.selectFrom('oauth_app').select('token_id'))
      .returning(['name', 'org_id'])
      .executeTakeFirst()
    if (!deleted)
      throw new SondeError('not-found', `you have no connected application ${tokenId}`, {
        operation: 'disconnect an application',
        subject: String(tokenId),
      })
    await writeAudit(tx, {
      orgId: deleted.org_id,
      viewer,
      action: 'app.disconnect',
      subject: deleted.name,
      detail: { tokenId, reason: 'person' },
      atMs: deps.clock.nowMs(),
    })
  })
}
