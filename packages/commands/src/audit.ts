/** Who changed what: one row per change, in the same transaction as the change. */
import { actorOf, type Viewer } from '@sonde/access'
import type { Records } from '@sonde/stores'

export type AuditEntry = {
  readonly orgId: number | null
  readonly viewer: Viewer
  /** `project.create`, `issue.resolve`, … */
  readonly action: string
  /** What it was done to: `acme/shop`, an id. */
  readonly subject: string
  /** Small and without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>
  readonly atMs: number
}

export async function writeAudit(records: Records, entry: AuditEntry): Promise<void> {
  await records
    .insertInto('audit_entry')
    .values({
      org_id: entry.orgId,
      actor: actorOf(entry.viewer),
      action: entry.action,
      subject: entry.subject,
      detail: JSON.stringify(entry.detail ?? {}),
      at_ms: entry.atMs,
    })
    .execute()
}
