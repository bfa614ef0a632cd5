/** Whether an organization's directory keeps its people, for its owners. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'

export type ScimSettings = {
  /** Under which the directory asks. */
  readonly url: string
  readonly isOn: boolean
  readonly madeMs: number | undefined
  readonly lastUsedMs: number | undefined
  /** `PATCH /Users`: the first of the minute in which it was used last. */
  readonly lastRequest: string | undefined
  readonly people: number
  /** Whom the directory wants in and who have no account that could be taken for them. */
  readonly waiting: number
  /** Some of them. */
  readonly waitingNames: readonly string[]
}

const NAMES_SHOWN = 10

export async function scimSettings(
  { records, publicUrl }: Pick<QueryDeps, 'records' | 'publicUrl'>,
  { orgId, orgSlug }: Grant<'org:write', 'org'>,
): Promise<ScimSettings> {
  const connection = await records
    .selectFrom('scim_connection')
    .select(['token_hash', 'made_ms', 'last_used_ms', 'last_request'])
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  const waiting = records
    .selectFrom('scim_user')
    .where('org_id', '=', orgId)
    .where('user_id', 'is', null)
    .where('is_active', '=', 1)
  const [all, waits, names] = await Promise.all([
    records
      .selectFrom('scim_user')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow(),
    waiting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    waiting.select('user_name').orderBy('scim_user.user_name_key').limit(NAMES_SHOWN).execute(),
  ])
  return {
    url: `${publicUrl}/api/0/organizations/${encodeURIComponent(orgSlug)}/scim/v2`,
    isOn: connection !== undefined && connection.token_hash !== null,
    madeMs: connection?.made_ms,
    lastUsedMs: connection?.last_used_ms ?? undefined,
    lastRequest: connection?.last_request ?? undefined,
    people: all.count,
    waiting: waits.count,
    waitingNames: names.map((row) => row.user_name),
  }
}
