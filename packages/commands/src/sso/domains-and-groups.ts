/** Which mail domains are the organization's, and where groups of its provider lead. */
import { randomBytes } from 'node:crypto'
import { resolveTxt as systemResolveTxt } from 'node:dns/promises'
import { SondeError } from '@sonde/base'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import { auditSso, connectionRow, type SsoGrant, ssoRoleField } from './change-connection.ts'

const MAX_DOMAINS = 100
const MAX_GROUPS = 500

const DOMAIN = z.object({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253, 'has at most 253 characters')
    .regex(/^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/, 'is a domain such as example.com'),
})
type DomainInput = z.input<typeof DOMAIN>

/** Where the proof lies, and what stands there. */
export const domainProof = (domain: string, token: string) => ({
  name: `_sonde-challenge.${domain}`,
  value: `sonde-domain=${token}`,
})

/**
 * Nothing follows from it before it is verified, which it is at once for an operator of the installation. Idempotent. Throws
 * `InvalidInput`.
 */
export async function addSsoDomain(deps: CommandDeps, grant: SsoGrant, input: DomainInput): Promise<void> {
  const operation = 'add a domain'
  const { domain } = readInput(operation, DOMAIN, input)
  const isOperator = grant.viewer.kind === 'user' && grant.viewer.isOperator
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { count } = await tx
      .selectFrom('sso_domain')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('org_id', '=', grant.orgId)
      .executeTakeFirstOrThrow()
    if (count >= MAX_DOMAINS)
      throw new InvalidInput(operation, { domain: [`there are ${MAX_DOMAINS}, which is the limit`] })
    const proved = isOperator ? { verified_ms: atMs, verified_by: 'operator' } : {}
    await tx
      .insertInto('sso_domain')
      .values({
        org_id: grant.orgId,
        domain,
        token: randomBytes(16).toString('hex'),
        created_ms: atMs,
        ...proved,
      })
      .onConflict((conflict) =>
        isOperator
          ? conflict.columns(['org_id', 'domain']).doUpdateSet(proved)
          : conflict.columns(['org_id', 'domain']).doNothing(),
      )
      .execute()
    await auditSso(tx, grant, 'sso.domain-add', atMs, { domain, isVerified: isOperator })
  })
}

type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>

/** Reads the TXT record. Throws `InvalidInput` with what was found, `SondeError` (`not-found`). */
export async function verifySsoDomain(
  deps: CommandDeps & { readonly resolveTxt?: ResolveTxt },
  grant: SsoGrant,
  input: DomainInput,
): Promise<void> {
  const operation = 'verify a domain'
  const { domain } = readInput(operation, DOMAIN, input)
  const row = await deps.records
    .selectFrom('sso_domain')
    .select('token')
    .where('org_id', '=', grant.orgId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  if (!row) throw new SondeError('not-found', `no domain ${domain}`, { operation, subject: domain })
  const { name, value } = domainProof(domain, row.token)
  const found = await (deps.resolveTxt ?? systemResolveTxt)(name).catch(() => [])
  // A long record comes in pieces.
  if (!found.some((pieces) => pieces.join('').trim() === value)) {
    const what = found.length === 0 ? 'there is no TXT record' : 'there is another TXT record'
    throw new InvalidInput(operation, {
      domain: [`${what} at ${name}; a new one may take an hour until everybody sees it`],
    })
  }
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await tx
      .updateTable('sso_domain')
      .set({ verified_ms: atMs, verified_by: 'dns' })
      .where('org_id', '=', grant.orgId)
      .where('domain', '=', domain)
      .execute()
    await auditSso(tx, grant, 'sso.domain-verify', atMs, { domain })
  })
}

/** Who has an account keeps it. Idempotent. */
export async function removeSsoDomain(deps: CommandDeps, grant: SsoGrant, input: DomainInput): Promise<void> {
  const { domain } = readInput('remove a domain', DOMAIN, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('sso_domain')
      .where('org_id', '=', grant.orgId)
      .where('domain', '=', domain)
      .executeTakeFirst()
    if (numDeletedRows > 0n) await auditSso(tx, grant, 'sso.domain-remove', atMs, { domain })
  })
}

const GROUP = z.object({
  group: z.string().trim().min(1, 'is needed').max(500, 'has at most 500 characters'),
  role: ssoRoleField.nullable().default(null),
  teamId: z.int().positive().nullable().default(null),
})
type GroupInput = z.input<typeof GROUP>

/** Holds from each person's next sign-in. Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function addSsoGroup(deps: CommandDeps, grant: SsoGrant, input: GroupInput): Promise<void> {
  const operation = 'map a group'
  const { group, role, teamId } = readInput(operation, GROUP, input)
  if (role === null && teamId === null)
    throw new InvalidInput(operation, { group: ['leads to a team, to a role, or to both'] })
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { id } = await connectionRow(tx, grant, operation)
    const rows = await tx.selectFrom('sso_group').selectAll().where('connection_id', '=', id).execute()
    if (rows.length >= MAX_GROUPS)
      throw new InvalidInput(operation, { group: [`there are ${MAX_GROUPS}, which is the limit`] })
    if (rows.some((row) => row.group_name === group && row.role === role && row.team_id === teamId)) return
    const team = await tx
      .selectFrom('team')
      .select('slug')
      .where('id', '=', teamId ?? 0)
      .where('org_id', '=', grant.orgId)
      .executeTakeFirst()
    if (teamId !== null && !team) throw new InvalidInput(operation, { teamId: ['there is no such team'] })
    await tx
      .insertInto('sso_group')
      .values({ connection_id: id, group_name: group, role, team_id: teamId })
      .execute()
    await auditSso(tx, grant, 'sso.groups', atMs, { added: group, role, team: team?.slug })
  })
}

/** Who is in the team stays until their next sign-in changes it. Idempotent. Throws `SondeError` (`not-found`). */
export async function removeSsoGroup(
  deps: CommandDeps,
  grant: SsoGrant,
  input: { readonly id: number },
): Promise<void> {
  const operation = 'remove a group'
  const { id } = readInput(operation, z.object({ id: z.int().positive() }), input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const connection = await connectionRow(tx, grant, operation)
    const [row] = await tx
      .deleteFrom('sso_group')
      .where('id', '=', id)
      .where('connection_id', '=', connection.id)
      .returning('group_name')
      .execute()
    if (row) await auditSso(tx, grant, 'sso.groups', atMs, { removed: row.group_name })
  })
}
