/** API tokens of an organization, for its programs: they stay when the person who made them leaves. */
import { newApiToken, newOrgToken, SCOPES, type Scope, type UserViewer, type Viewer } from '@sonde/access'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { asFieldError, nameField, readInput } from '../fields.ts'
import { checkTokenGrant, type TokenGrant } from './change-token.ts'
import {
  checkEndless,
  checkWithinRole,
  DEFAULT_TOKEN_LIFE_DAYS,
  expiresMsOf,
  tokenLifeField,
} from './token-life.ts'

export const tokenScopesField = z
  .array(z.enum(SCOPES, { error: `is one of ${SCOPES.join(', ')}` }))
  .min(1, 'at least one is needed')
  .transform((scopes) => [...new Set(scopes)])

const CREATE = z.object({
  name: nameField,
  scopes: tokenScopesField,
  expiresInDays: tokenLifeField,
  currentPassword: z.string().default(''),
})

export type NewTokenFields = {
  readonly name: string
  readonly scopes: readonly Scope[] | readonly string[]
  /** Null: it does not expire. Left out: 90 days for people, no end for the command line. */
  readonly expiresInDays?: number | null | undefined
  /** Of the person who makes it; the command line needs none. */
  readonly currentPassword?: string | undefined
}

/** `token` is shown once; only its hash is stored. */
export type CreatedToken = {
  readonly id: number
  readonly token: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Undefined: it does not expire. */
  readonly expiresMs: number | undefined
}

type Organization = { readonly orgId: number; readonly orgSlug: string }

/**
 * One that builds upload with says where to and for whom, as sentry-cli and the bundler plugins expect; others are shorter.
 * Tokens for all organizations have nothing to say.
 */
function newTokenFor(
  { access, clock }: CommandDeps,
  org: Organization | undefined,
  scopes: readonly Scope[],
): { readonly token: string; readonly tokenHash: string } {
  if (org === undefined || !scopes.includes('org:ci')) return newApiToken()
  return newOrgToken({ orgSlug: org.orgSlug, url: access.publicUrl, nowMs: clock.nowMs() })
}

/** A session that was left open, or stolen, must not become an access that lasts. */
export const askPassword = (
  { access }: CommandDeps,
  viewer: UserViewer,
  operation: string,
  currentPassword: string,
): Promise<void> => asFieldError(operation, {}, () => access.checkCurrentPassword(viewer, currentPassword))

/**
 * No token has `token:write`, so none can make another. A person gives no more than their own role and
 * their password. Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`).
 */
export async function createToken(
  deps: CommandDeps,
  grant: TokenGrant,
  input: NewTokenFields,
): Promise<CreatedToken> {
  const operation = 'create a token'
  const { name, scopes, expiresInDays, currentPassword } = readInput(operation, CREATE, input)
  checkTokenGrant(grant, operation, 'made')
  const org = 'orgId' in grant ? grant : undefined
  const { viewer } = grant
  const days =
    expiresInDays === undefined && viewer.kind !== 'operator'
      ? DEFAULT_TOKEN_LIFE_DAYS
      : (expiresInDays ?? null)
  if (viewer.kind === 'user' && org) {
    checkWithinRole(operation, viewer, org, scopes)
    await checkEndless(deps.records, operation, org, { scopes, days })
    await askPassword(deps, viewer, operation, currentPassword)
  }
  const madeBy = viewer.kind === 'user' ? viewer.userId : null
  return storeNewToken(deps, viewer, { org, name, scopes, days, userId: null, madeBy })
}

type NewToken = {
  readonly org: Organization | undefined
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Null: without an end. */
  readonly days: number | null
  /** Whose it is; null: the organization's. */
  readonly userId: string | null
  readonly madeBy: string | null
}

/** Everything was checked before. The token and its audit entry are one transaction. */
export async function storeNewToken(
  deps: CommandDeps,
  viewer: Viewer,
  { org, name, scopes, days, userId, madeBy }: NewToken,
): Promise<CreatedToken> {
  const { token, tokenHash } = newTokenFor(deps, org, scopes)
  const atMs = deps.clock.nowMs()
  const orgId = org?.orgId ?? null
  const expiresMs = expiresMsOf(days, atMs)
  const created = await writeTransaction(deps.records, async (tx) => {
    const { id } = await tx
      .insertInto('api_token')
      .values({
        org_id: orgId,
        user_id: userId,
        made_by: madeBy,
        name,
        token_hash: tokenHash,
        scopes: JSON.stringify(scopes),
        created_ms: atMs,
        last_used_ms: null,
        expires_ms: expiresMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const detail = { tokenId: id, scopes, expiresMs, ...(userId === null ? {} : { personal: true }) }
    await writeAudit(tx, { orgId, viewer, action: 'token.create', subject: name, detail, atMs })
    return { id, token, name, scopes, expiresMs: expiresMs ?? undefined }
  })
  if (viewer.kind === 'user') {
    const { userId: by, address } = viewer
    await deps.access.recordEvent({ event: 'token_created', userId: by, address, about: name })
  }
  return created
}
