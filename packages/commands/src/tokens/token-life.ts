/** How long a token works. */
import type { Scope } from '@sonde/access'
import { endlessTokensSetting, type Records } from '@sonde/stores'
import { z } from 'zod'
import { InvalidInput } from '../invalid-input.ts'

const DAY_MS = 86_400_000
export const DEFAULT_TOKEN_LIFE_DAYS = 90
const MAX_USUAL_DAYS = 365
const MAX_LIFE_DAYS = 3650

/** Days from now; null: it does not expire. Left out: what is usual for who makes it. */
export const tokenLifeField = z
  .int('is a number of days')
  .min(1, 'is at least 1 day')
  .max(MAX_LIFE_DAYS, `is at most ${MAX_LIFE_DAYS} days`)
  .nullable()
  .optional()

export const expiresMsOf = (days: number | null, nowMs: number): number | null =>
  days === null ? null : nowMs + days * DAY_MS

/** A build that stops half a year later stops a release: these may live for ever, and can do nothing but upload. */
const isForBuilds = (scopes: readonly Scope[]): boolean => scopes.length === 1 && scopes[0] === 'org:ci'

async function mayBeEndless(records: Records, orgId: number): Promise<boolean> {
  const row = await records
    .selectFrom('setting')
    .select('value')
    .where('name', '=', endlessTokensSetting(orgId))
    .executeTakeFirst()
  return row !== undefined
}

/** Throws `InvalidInput` (`expiresInDays`) when a person asks for what their organisation does not allow. */
export async function checkEndless(
  records: Records,
  operation: string,
  org: { readonly orgId: number; readonly orgSlug: string },
  { scopes, days }: { readonly scopes: readonly Scope[]; readonly days: number | null },
): Promise<void> {
  const isLong = days === null || days > MAX_USUAL_DAYS
  if (!isLong || isForBuilds(scopes) || (await mayBeEndless(records, org.orgId))) return
  throw new InvalidInput(operation, {
    expiresInDays: [
      `tokens of ${org.orgSlug} expire within a year; an owner can allow others, and tokens for builds (org:ci alone) may do without`,
    ],
  })
}
