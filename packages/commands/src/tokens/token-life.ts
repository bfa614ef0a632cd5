/** How long a token works. */
import {
  type Grant,
  type Permission,
  ROLE_PERMISSIONS,
  type Scope,
  SCOPE_PERMISSIONS,
  SCOPES,
  type UserViewer,
} from '@sonde/access'
import { endlessTokensSetting, type Records, type Role, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput } from '../fields.ts'

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

/** Throws `InvalidInput` (`expiresInDays`) when a person asks for what their organization does not allow. */
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

/**
 * Whether people may make tokens of this organization that do not expire; those that exist stay as they are. Idempotent.
 */
export async function allowEndlessTokens(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'org:write', 'org'>,
  isAllowed: boolean,
): Promise<void> {
  const name = endlessTokensSetting(grant.orgId)
  await writeTransaction(records, async (tx) => {
    if (isAllowed)
      await tx
        .insertInto('setting')
        .values({ name, value: 'on' })
        .onConflict((on) => on.column('name').doNothing())
        .execute()
    else await tx.deleteFrom('setting').where('name', '=', name).execute()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: isAllowed ? 'token.endless-on' : 'token.endless-off',
      subject: grant.orgSlug,
      atMs: clock.nowMs(),
    })
  })
}

/** The scopes that a form offers to somebody of this role: those that give nothing beyond it. */
export function scopesOfRole(role: Role): readonly Scope[] {
  const own: readonly Permission[] = ROLE_PERMISSIONS[role]
  return SCOPES.filter((scope) => SCOPE_PERMISSIONS[scope].every((permission) => own.includes(permission)))
}

/** Throws `InvalidInput` (`scopes`). */
export function checkWithinRole(
  operation: string,
  viewer: UserViewer,
  { orgId }: { readonly orgId: number },
  scopes: readonly Scope[],
): void {
  const role = viewer.memberships.find((membership) => membership.orgId === orgId)?.role ?? 'viewer'
  const beyond = scopes.filter((each) => !scopesOfRole(role).includes(each))
  if (beyond.length === 0) return
  throw new InvalidInput(operation, { scopes: [`your role (${role}) does not include ${beyond.join(', ')}`] })
}
