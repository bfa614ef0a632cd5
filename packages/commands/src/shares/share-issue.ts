/** Public links to issues: whoever has one sees what `queries.sharedIssue` gives, without a sign-in, until it ends. */
import { createHash, randomBytes } from 'node:crypto'
import { actorOf, type Grant } from '@sonde/access'
import { noteIssueChanges, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import { createPostLimit } from '../post-limit.ts'

type WriteGrant = Grant<'event:write', 'org' | 'project'>
type SharedOf = { readonly id: number; readonly projectId: number }

export const SHARE_DAYS = [1, 7, 30, 90] as const
const DAY_MS = 86_400_000
// 256 bits: nobody finds one by trying.
const TOKEN_BYTES = 32

const INPUT = z.object({
  days: z.int().min(1, 'at least 1').max(90, 'at most 90').default(7),
})

export type SharedLink = { readonly token: string; readonly expiresMs: number }

/**
 * `issue` comes from `findIssue` within the grant. The link of before ends. Throws `InvalidInput`, also where the
 * organization allows none.
 */
export async function shareIssue(
  deps: CommandDeps,
  grant: WriteGrant,
  issue: SharedOf,
  input: { readonly days?: number | undefined } = {},
): Promise<SharedLink> {
  const operation = 'share an issue'
  const { days } = readInput(operation, INPUT, input)
  const atMs = deps.clock.nowMs()
  const expiresMs = atMs + days * DAY_MS
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await writeTransaction(deps.records, async (tx) => {
    const org = await tx
      .selectFrom('organization')
      .select('allows_public_links')
      .where('id', '=', grant.orgId)
      .executeTakeFirst()
    if (org?.allows_public_links !== 1)
      throw new InvalidInput(operation, { isPublic: ['the organization allows no public links'] })
    await revoke(tx, issue.id, atMs)
    await tx
      .insertInto('issue_share')
      .values({
        issue_id: issue.id,
        token_hash: hashOf(token),
        created_by: actorOf(grant.viewer),
        created_ms: atMs,
        expires_ms: expiresMs,
        revoked_ms: null,
      })
      .execute()
    await note(tx, grant, issue, 'shared', { days }, atMs)
  })
  return { token, expiresMs }
}

/** Its link ends at once. Idempotent: false when there was none. */
export async function unshareIssue(deps: CommandDeps, grant: WriteGrant, issue: SharedOf): Promise<boolean> {
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    if ((await revoke(tx, issue.id, atMs)) === 0) return false
    await note(tx, grant, issue, 'unshared', {}, atMs)
    return true
  })
}

/** How many were open. */
async function revoke(tx: Records, issueId: number, atMs: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('issue_share')
    .set({ revoked_ms: atMs })
    .where('issue_id', '=', issueId)
    .where('revoked_ms', 'is', null)
    .where('expires_ms', '>', atMs)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

async function note(
  tx: Records,
  grant: WriteGrant,
  { id: issueId, projectId }: SharedOf,
  kind: 'shared' | 'unshared',
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> {
  await noteIssueChanges(tx, [{ projectId, issueId, kind, actor: actorOf(grant.viewer), detail }], atMs)
  await writeAudit(tx, {
    orgId: grant.orgId,
    viewer: grant.viewer,
    action: kind === 'shared' ? 'issue.share' : 'issue.unshare',
    subject: nameOf(grant),
    detail: { issueId, ...detail },
    atMs,
  })
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Of one address in a minute: a person opens a few, a program that tries tokens many. */
const OPENED_A_MINUTE = 60
const limits = new WeakMap<Records, ReturnType<typeof createPostLimit>>()

export type OpenedShare = { readonly issueId: number; readonly expiresMs: number }

/**
 * The issue that a link leads to. Views are not counted: chat programs and mail scanners open links as people do. As of a token,
 * the audit log has the first use from each network within an hour. One text for every link that leads nowhere: undefined for unknown, expired
 * and revoked ones, for issues that are part of another, and where the organization allows none. `waitSec`: too many.
 */
export async function openShare(
  { records, clock, access }: Pick<CommandDeps, 'records' | 'clock' | 'access'>,
  token: string,
  address: string | undefined,
): Promise<OpenedShare | { readonly waitSec: number } | undefined> {
  let waitFor = limits.get(records)
  if (!waitFor)
    limits.set(
      records,
      (waitFor = createPostLimit({ postsAMinute: OPENED_A_MINUTE, nowMs: () => clock.nowMs() })),
    )
  const waitSec = waitFor(address ?? '')
  if (waitSec > 0) return { waitSec }
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const nowMs = clock.nowMs()
  const row = await records
    .selectFrom('issue_share')
    .innerJoin('issue', 'issue.id', 'issue_share.issue_id')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select(['issue_share.id', 'issue_share.issue_id', 'issue_share.expires_ms', 'project.org_id'])
    .select(['organization.slug as orgSlug', 'project.slug'])
    .where('issue_share.token_hash', '=', hashOf(token))
    .where('issue_share.revoked_ms', 'is', null)
    .where('issue_share.expires_ms', '>', nowMs)
    .where('issue.event_count', '>', 0)
    .where('organization.allows_public_links', '=', 1)
    .executeTakeFirst()
  if (!row) return undefined
  await access.noteUse({
    orgId: row.org_id,
    actor: 'stranger',
    action: 'issue.share-open',
    subject: `${row.orgSlug}/${row.slug}`,
    detail: { issueId: row.issue_id },
    secretId: row.id,
    address,
  })
  return { issueId: row.issue_id, expiresMs: row.expires_ms }
}

/** Off: links that were made lead nowhere while it is off. */
export async function setPublicLinks(
  deps: CommandDeps,
  grant: Grant<'org:write', 'org'>,
  { areAllowed }: { readonly areAllowed: boolean },
): Promise<void> {
  await writeTransaction(deps.records, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('organization')
      .set({ allows_public_links: areAllowed ? 1 : 0 })
      .where('id', '=', grant.orgId)
      .where('allows_public_links', '=', areAllowed ? 0 : 1)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) return
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'organization.public_links',
      subject: nameOf(grant),
      detail: { areAllowed },
      atMs: deps.clock.nowMs(),
    })
  })
}
