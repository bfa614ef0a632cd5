/**
 * API tokens: `sonde_` + 32 random bytes in base64url, or the form of `org-token.ts`. The prefix lets secret scanners
 * find a leaked one; 256 bits of chance need no slow hash, so SHA-256 is stored and looked up directly.
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { hashApiToken } from './api-token-hash.ts'
import { ORG_TOKEN_FORM } from './org-token.ts'
import { isScope } from './permission.ts'
import type { TokenViewer } from './viewer.ts'

const FORM = /^sonde_[A-Za-z0-9_-]{43}$/
/** `last_used_ms` is for people; a write per request would be waste. */
const LAST_USED_STEP_MS = 60_000

/** The text is shown once; only the hash is stored. */
export function newApiToken(): { readonly token: string; readonly tokenHash: string } {
  const token = `sonde_${randomBytes(32).toString('base64url')}`
  return { token, tokenHash: hashApiToken(token) }
}

/**
 * Undefined for anything that is not a living token. A token made by a person dies with that person's
 * membership. Costs one indexed read, and one write a minute.
 */
export async function viewerFromToken(
  records: Records,
  clock: Clock,
  token: string,
): Promise<TokenViewer | undefined> {
  if (!FORM.test(token) && !ORG_TOKEN_FORM.test(token)) return undefined
  const row = await records
    .selectFrom('api_token')
    .leftJoin('member', (join) =>
      join.onRef('member.user_id', '=', 'api_token.user_id').onRef('member.org_id', '=', 'api_token.org_id'),
    )
    .select([
      'api_token.id',
      'api_token.name',
      'api_token.org_id',
      'api_token.user_id',
      'api_token.scopes',
      'api_token.last_used_ms',
      'member.role',
    ])
    .where('token_hash', '=', hashApiToken(token))
    .executeTakeFirst()
  if (!row || (row.user_id !== null && row.role === null)) return undefined
  const nowMs = clock.nowMs()
  if (row.last_used_ms === null || row.last_used_ms < nowMs - LAST_USED_STEP_MS) {
    await records.updateTable('api_token').set({ last_used_ms: nowMs }).where('id', '=', row.id).execute()
  }
  return {
    kind: 'token',
    tokenId: row.id,
    tokenName: row.name,
    orgId: row.org_id ?? undefined,
    userId: row.user_id ?? undefined,
    ...(row.role === null ? {} : { role: row.role }),
    scopes: (JSON.parse(row.scopes) as string[]).filter(isScope),
  }
}
