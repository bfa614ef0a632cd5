/**
 * The token by which an organization's directory keeps its people: `sonde_scim_` + 32 random bytes. It stands in a table of its
 * own, so it opens nothing else, and no other token opens this.
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { hashApiToken } from './api-token.ts'
import type { SecretUses } from './secret-use.ts'

/** The proof that a request is of an organization's directory. Only the check of the token makes one. */
export type ScimCaller = {
  readonly orgId: number
  readonly orgSlug: string
  readonly orgName: string
  /** For the audit. */
  readonly actor: `scim:${number}`
  readonly address: string | undefined
}

const FORM = /^sonde_scim_[A-Za-z0-9_-]{43}$/
/** `last_used_ms` is for people; a write per request would be waste. */
const LAST_USED_STEP_MS = 60_000

/** The text is shown once; only the hash is stored. */
export function newScimToken(): { readonly token: string; readonly tokenHash: string } {
  const token = `sonde_scim_${randomBytes(32).toString('base64url')}`
  return { token, tokenHash: hashApiToken(token) }
}

/** Costs one indexed read, and one write a minute. */
export async function scimCaller(
  records: Records,
  clock: Clock,
  uses: SecretUses,
  token: string,
  asked: { readonly orgSlug: string; readonly request: string; readonly address: string | undefined },
): Promise<ScimCaller | undefined> {
  if (!FORM.test(token)) return undefined
  const tokenHash = hashApiToken(token)
  const row = await records
    .selectFrom('scim_connection')
    .innerJoin('organization', 'organization.id', 'scim_connection.org_id')
    .select(['organization.id', 'organization.slug', 'organization.name'])
    .select(['scim_connection.made_ms', 'scim_connection.last_used_ms'])
    .where('scim_connection.token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!row) return undefined
  const isOwn = row.slug === asked.orgSlug
  const { address } = asked
  const actor = `scim:${row.id}` as const
  await uses.note({
    orgId: row.id,
    actor: isOwn ? actor : 'stranger',
    action: isOwn ? 'scim.use' : 'scim.refuse',
    subject: row.slug,
    detail: isOwn ? {} : { reason: 'other-organization' },
    // One after the other has the same row.
    secretId: `${row.id} of ${row.made_ms}`,
    address,
  })
  if (!isOwn) return undefined
  const nowMs = clock.nowMs()
  if (row.last_used_ms === null || row.last_used_ms < nowMs - LAST_USED_STEP_MS) {
    const used = { last_used_ms: nowMs, last_request: asked.request }
    await records.updateTable('scim_connection').set(used).where('token_hash', '=', tokenHash).execute()
  }
  return { orgId: row.id, orgSlug: row.slug, orgName: row.name, actor, address }
}
