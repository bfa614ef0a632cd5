/** Who changed what: one row per change, in the same transaction as the change. */
import { actorOf, type AnyGrant, type Grant, type UserViewer, type Viewer } from '@sonde/access'
import type { AuditAction, Records } from '@sonde/stores'
import type { CommandDeps } from './command-deps.ts'
import { ROWS_AT_ONCE, sweepById } from './deletion/sweep-by-id.ts'

export type AuditEntry = AuditedChange & { readonly viewer: Viewer }

export type AuditedChange = {
  readonly orgId: number | null
  /** `project.create`, `issue.resolve`, … */
  readonly action: AuditAction
  /** What it was done to: `acme/shop`, an id. */
  readonly subject: string
  /** Small and without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>
  readonly atMs: number
  /** From where; of `writeAudit` the viewer's. */
  readonly address?: string | undefined
}

export async function writeAudit(records: Records, { viewer, ...change }: AuditEntry): Promise<void> {
  await writeAuditOf(records, { address: addressOf(viewer), ...change, actor: actorOf(viewer) })
}

/** The subject of an entry about what was granted: `acme/shop`. */
export const nameOf = (grant: AnyGrant): string =>
  'projectId' in grant ? `${grant.orgSlug}/${grant.projectSlug}` : grant.orgSlug

const addressOf = (viewer: Viewer): string | undefined =>
  viewer.kind === 'user' ? viewer.address : undefined

/** For what is done after the request of whoever asked for it. */
export async function writeAuditOf(
  records: Records,
  change: AuditedChange & { readonly actor: string },
): Promise<void> {
  await records
    .insertInto('audit_entry')
    .values({
      org_id: change.orgId,
      actor: change.actor,
      action: change.action,
      subject: change.subject,
      detail: JSON.stringify(change.detail ?? {}),
      at_ms: change.atMs,
      address: change.address ?? null,
    })
    .execute()
}

/** An account belongs to no organization, so neither does its entry: only the operator reads it. */
export function accountAudit(
  { clock }: Pick<CommandDeps, 'clock'>,
  records: Records,
  viewer: UserViewer,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return writeAudit(records, {
    orgId: null,
    viewer,
    action,
    subject: viewer.userId,
    detail,
    atMs: clock.nowMs(),
  })
}

/** Who takes the log along, and which part of it, is an entry of it too. Of the installation's log with its operator's grant. */
export const noteAuditExport = (
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'audit:read', 'org'> | Grant<'operate', 'operator'>,
  detail: Readonly<Record<string, string>>,
): Promise<void> =>
  writeAudit(records, {
    orgId: 'orgId' in grant ? grant.orgId : null,
    viewer: grant.viewer,
    action: 'audit.export',
    subject: 'orgSlug' in grant ? grant.orgSlug : 'installation',
    detail: Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== '')),
    atMs: clock.nowMs(),
  })

const DAY_MS = 86_400_000

/** Removes entries that are older than they are kept for. */
export async function sweepAuditLog(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  const before = clock.nowMs() - retentionDays * DAY_MS
  await sweepById(signal, before, {
    read: (afterId) =>
      records
        .selectFrom('audit_entry')
        .select(['id', 'at_ms as madeMs'])
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .execute(),
    isOver: ({ madeMs }) => madeMs < before,
    remove: (ids) => records.deleteFrom('audit_entry').where('id', 'in', ids).execute(),
  })
}
