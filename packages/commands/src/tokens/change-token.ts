import type { Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { nameField, refField } from '../fields.ts'
import { readInput } from '../invalid-input.ts'

const TOKEN = z.object({ org: refField.optional(), tokenId: z.int().positive() })
const RENAME = TOKEN.extend({ name: nameField })

export type TokenInput = {
  /** The command line may leave it out, and reaches tokens for all organisations only so. */
  readonly org?: string | number | undefined
  readonly tokenId: number
}

/**
 * Works at once: the next request with it is refused. Also for one that a member made for themselves. Permission
 * `token:write`, and `org:write` for an owner's own. Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`).
 */
export async function deleteToken(
  deps: CommandDeps,
  viewer: Viewer,
  input: TokenInput,
): Promise<{ readonly name: string }> {
  const operation = 'delete a token'
  const token = await openToken(deps, viewer, operation, readInput(operation, TOKEN, input))
  return writeTransaction(deps.records, async (tx) => {
    await tx.deleteFrom('api_token').where('id', '=', token.id).execute()
    await audit(tx, deps, viewer, token, 'token.delete', {})
    return { name: token.name }
  })
}

/** What it is called is all that can be changed. As `deleteToken` otherwise. */
export async function renameToken(
  deps: CommandDeps,
  viewer: Viewer,
  input: TokenInput & { readonly name: string },
): Promise<void> {
  const operation = 'rename a token'
  const { name, ...which } = readInput(operation, RENAME, input)
  const token = await openToken(deps, viewer, operation, which)
  await writeTransaction(deps.records, async (tx) => {
    await tx.updateTable('api_token').set({ name }).where('id', '=', token.id).execute()
    await audit(tx, deps, viewer, token, 'token.rename', { name })
  })
}

type FoundToken = {
  readonly id: number
  readonly name: string
  readonly org_id: number | null
  readonly user_id: string | null
}

async function openToken(
  deps: CommandDeps,
  viewer: Viewer,
  operation: string,
  { org, tokenId }: TokenInput,
): Promise<FoundToken> {
  if (org === undefined && viewer.kind !== 'operator')
    throw new SondeError('forbidden', 'a token of all organizations is changed on the command line', {
      operation,
    })
  const scope = org === undefined ? undefined : await deps.access.openOrg(viewer, org, 'token:write')
  const token = await deps.records
    .selectFrom('api_token')
    .leftJoin('member', (join) =>
      join.onRef('member.user_id', '=', 'api_token.user_id').onRef('member.org_id', '=', 'api_token.org_id'),
    )
    .select(['api_token.id', 'api_token.name', 'api_token.org_id', 'api_token.user_id', 'member.role'])
    .where('api_token.id', '=', tokenId)
    .executeTakeFirst()
  if (!token || (scope && token.org_id !== scope.orgId))
    throw new SondeError('not-found', `no token ${tokenId}`, { operation, subject: String(tokenId) })
  if (scope && token.role === 'owner') await deps.access.openOrg(viewer, scope.orgId, 'org:write')
  return token
}

function audit(
  tx: Records,
  { clock }: CommandDeps,
  viewer: Viewer,
  token: FoundToken,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  return writeAudit(tx, {
    orgId: token.org_id,
    viewer,
    action,
    subject: token.name,
    detail: { tokenId: token.id, ...(token.user_id === null ? {} : { of: token.user_id }), ...detail },
    atMs: clock.nowMs(),
  })
}
