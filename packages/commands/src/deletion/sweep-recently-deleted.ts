/** Removes for good what was deleted a day ago, or what nobody wants back: from the records here, the rest follows. */
import { operatorViewer } from '@sonde/access'
import type { Clock } from '@sonde/base'
import { purgeIssues, type Records, writeTransaction } from '@sonde/stores'
import { writeAudit } from '../audit.ts'
import { purgeProject } from './purge-project.ts'

type SweepOptions = { readonly records: Records; readonly clock: Clock; readonly signal: AbortSignal }

// Each is a transaction of its own; what is left comes with the next look.
const LINES_AT_ONCE = 100
const SERVER = { ...operatorViewer, name: 'server' as const }

/** `records`: with all rows. May be interrupted anywhere and called again: a line goes with the last that it names. */
export async function sweepRecentlyDeleted(options: SweepOptions): Promise<void> {
  const { records, clock, signal } = options
  const due = await records
    .selectFrom('recently_deleted')
    .select(['id', 'kind', 'org_id', 'project_id', 'count'])
    .where('purge_ms', '<=', clock.nowMs())
    .orderBy('purge_ms')
    .orderBy('id')
    .limit(LINES_AT_ONCE)
    .execute()
  for (const { id, kind, org_id: orgId, project_id: projectId, count } of due) {
    if (signal.aborted) return
    const atMs = clock.nowMs()
    if ((kind === 'issues' || kind === 'events') && projectId !== null)
      await writeTransaction(records, async (tx) => {
        const subject = await projectName(tx, projectId)
        if (kind === 'issues') await purgeIssues(tx, id, atMs)
        // Without its line nobody has them back: their rows follow, with the moves of issues.
        else await tx.deleteFrom('recently_deleted').where('id', '=', id).execute()
        await writeAudit(tx, {
          orgId,
          viewer: SERVER,
          atMs,
          action: kind === 'issues' ? 'issue.purge' : 'event.purge',
          subject,
          detail: { count },
        })
      })
    if (kind === 'project' && projectId !== null)
      await purgeProject(records, { projectId, viewer: SERVER, atMs })
    if (kind === 'organization') await purgeOrganization(options, orgId)
  }
}

async function projectName(tx: Records, projectId: number): Promise<string> {
  const row = await tx
    .selectFrom('project')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select(['organization.slug as org', 'project.slug'])
    .where('project.id', '=', projectId)
    .executeTakeFirst()
  return row ? `${row.org}/${row.slug}` : String(projectId)
}

/** Its projects one by one, and what is left of it in one transaction. */
async function purgeOrganization({ records, clock, signal }: SweepOptions, orgId: number): Promise<void> {
  const projects = await records.selectFrom('project').select('id').where('org_id', '=', orgId).execute()
  for (const { id } of projects) {
    if (signal.aborted) return
    await purgeProject(records, { projectId: id, viewer: SERVER, atMs: clock.nowMs() })
  }
  await writeTransaction(records, async (tx) => {
    const atMs = clock.nowMs()
    const org = await tx.selectFrom('organization').select('slug').where('id', '=', orgId).executeTakeFirst()
    if (!org) return
    await tx.deleteFrom('organization').where('id', '=', orgId).execute()
    const entry = { orgId, viewer: SERVER, atMs, action: 'organization.purge', subject: org.slug } as const
    await writeAudit(tx, entry)
  })
}
