/** API tokens for programs. */
import { newApiToken, newOrgToken, type OrgScope, SCOPES, type Scope, type Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { nameField, refField } from './fields.ts'
import { readInput } from './invalid-input.ts'

export const tokenScopesField = z
  .array(z.enum(SCOPES, { error: `is one of ${SCOPES.join(', ')}` }))
  .min(1, 'at least one is needed')
  .transform((scopes) => [...new Set(scopes)])

const CREATE = z.object({ org: refField.optional(), name: nameField, scopes: tokenScopesField })

export type CreateTokenInput = {
  /** Slug or id. The operator may leave it out: the token then sees every organisation of this installation. */
  readonly org?: string | number | undefined
  readonly name: string
  readonly scopes: readonly Scope[] | readonly string[]
}

/** `token` is shown once; only its hash is stored. */
export type CreatedToken = {
  readonly id: number
  readonly token: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/**
 * One that builds upload with says where to and for whom, as sentry-cli and the bundler plugins expect; others are shorter.
 * Tokens for all organisations have nothing to say.
 */
export function newTokenFor(
  { access, clock }: CommandDeps,
  scope: OrgScope | undefined,
  scopes: readonly Scope[],
): { readonly token: string; readonly tokenHash: string } {
  if (scope === undefined || !scopes.includes('org:ci')) return newApiToken()
  return newOrgToken({ orgSlug: scope.orgSlug, url: access.publicUrl, nowMs: clock.nowMs() })
}

/**
 * Permission `token:write`; no token has it, so none can make another. A person's token ends with the membership.
 * Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`).
 */
export async function createToken(
  deps: CommandDeps,
  viewer: Viewer,
  input: CreateTokenInput,
): Promise<CreatedToken> {
  const operation = 'create a token'
  const { org, name, scopes } = readInput(operation, CREATE, input)
  if (org === undefined && viewer.kind !== 'operator') {
    throw new SondeError('forbidden', 'a token for all organizations is made on the command line', {
      operation,
    })
  }
  const scope = org === undefined ? undefined : await deps.access.openOrg(viewer, org, 'token:write')
  const { token, tokenHash } = newTokenFor(deps, scope, scopes)
  const atMs = deps.clock.nowMs()
  const orgId = scope?.orgId ?? null
  return deps.records.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('api_token')
      .values({
        org_id: orgId,
        user_id: viewer.kind === 'user' ? viewer.userId : null,
        name,
        token_hash: tokenHash,
        scopes: JSON.stringify(scopes),
        created_ms: atMs,
        last_used_ms: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const detail = { tokenId: id, scopes }
    await writeAudit(tx, { orgId, viewer, action: 'token.create', subject: name, detail, atMs })
    return { id, token, name, scopes }
  })
}

const DELETE = z.object({ org: refField, tokenId: z.int().positive() })

/** Works at once: the next request with it is refused. Permission `token:write`. Throws like `createToken`. */
export async function deleteToken(
  deps: CommandDeps,
  viewer: Viewer,
  input: { readonly org: string | number; readonly tokenId: number },
): Promise<void> {
  const { org, tokenId } = readInput('delete a token', DELETE, input)
  const scope = await deps.access.openOrg(viewer, org, 'token:write')
  await deps.records.transaction().execute(async (tx) => {
    const deleted = await tx
      .deleteFrom('api_token')
      .where('id', '=', tokenId)
      .where('org_id', '=', scope.orgId)
      .returning('name')
      .executeTakeFirst()
    if (!deleted) {
      throw new SondeError('not-found', `no token ${tokenId}`, {
        operation: 'delete a token',
        subject: String(tokenId),
      })
    }
    const atMs = deps.clock.nowMs()
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action: 'token.delete',
      subject: deleted.name,
      atMs,
    })
  })
}
