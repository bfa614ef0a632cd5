import { type Grant, requireAlso } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type AuditAction, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { nameField, readInput } from '../fields.ts'

const TOKEN = z.object({ tokenId: z.int().positive() })
const RENAME = TOKEN.extend({ name: nameField })

export type TokenInput = { readonly tokenId: number }

/** Of one organization, or of all: the command line alone reaches tokens for all organizations. */
export type TokenGrant = Grant<'token:write', 'org'> | Grant<'operate', 'operator'>

/**
 * Works at once: the next request with it is refused. Also for one that a member made for themselves. Needs
 * `org:write` too for an owner's own. Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`).
 */
export async function deleteToken(
  deps: CommandDeps,
  grant: TokenGrant,
  input: TokenInput,
): Promise<{ readonly name: string }> {
  const operation = 'delete a token'
  const token = await openToken(deps, grant, operation, readInput(operation, TOKEN, input))
  return writeTransaction(deps.records, async (tx) => {
    await tx.deleteFrom('api_token').where('id', '=', token.id).execute()
    await audit(tx, deps, grant, token, 'token.delete', {})
    return { name: token.name }
  })
}

/** What it is called is all that can be changed. As `deleteToken` otherwise. */
export async function renameToken(
  deps: CommandDeps,
  grant: TokenGrant,
  input: TokenInput & { readonly name: string },
): Promise<void> {
  const operation = 'rename a token'
  const { name, tokenId } = readInput(operation, RENAME, input)
  const token = await openToken(deps, grant, operation, { tokenId })
  await writeTransaction(deps.records, async (tx) => {
    await tx.updateTable('api_token').set({ name }).where('id', '=', token.id).execute()
    await audit(tx, deps, grant, token, 'token.rename', { name })
  })
}

/** Throws `SondeError` (`forbidden`) for operators on the screens: tokens of all organizations are the command line's. */
export function checkTokenGrant(grant: TokenGrant, operation: string, verb: 'made' | 'changed'): void {
  if ('orgId' in grant || grant.viewer.kind === 'operator') return
  const text = `a token for all organizations is ${verb} on the command line`
  throw new SondeError('forbidden', text, { operation })
}

type FoundToken = {
  readonly id: number
  readonly name: string
  readonly org_id: number | null
  readonly user_id: string | null
}

async function openToken(
  deps: CommandDeps,
  grant: TokenGrant,
  operation: string,
  { tokenId }: TokenInput,
): Promise<FoundToken> {
  checkTokenGrant(grant, operation, 'changed')
  const org = 'orgId' in grant ? grant : undefined
  const token = await deps.records
    .selectFrom('api_token')
    .leftJoin('member', (join) =>
      join.onRef('member.user_id', '=', 'api_token.user_id').onRef('member.org_id', '=', 'api_token.org_id'),
    )
    .select(['api_token.id', 'api_token.name', 'api_token.org_id', 'api_token.user_id', 'member.role'])
    .where('api_token.id', '=', tokenId)
    .executeTakeFirst()
  if (!token || (org && token.org_id !== org.orgId))
    throw new SondeError('not-found', `no token ${tokenId}`, { operation, subject: String(tokenId) })
  if (org && token.role === 'owner') requireAlso(org, 'org:write')
  return token
}

function audit(
  tx: Records,
  { clock }: CommandDeps,
  { viewer }: TokenGrant,
  token: FoundToken,
  action: AuditAction,
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

/** All that a person made for themselves, in every organization. Returns how many. */
export async function endPersonalTokens(tx: Records, userId: string): Promise<number> {
  const ended = await tx.deleteFrom('api_token').where('user_id', '=', userId).returning('id').execute()
  return ended.length
}
