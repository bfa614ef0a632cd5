/** How much the attachments of an organisation take on the disk; equal bytes of a project count once. */
import type { Records } from './schema.ts'

export type AttachmentUsage = { readonly orgId: number; readonly org: string; readonly bytes: number }

/** Of all organisations, the fullest first. A row for each project. */
export async function attachmentUsages(records: Records): Promise<readonly AttachmentUsage[]> {
  const rows = await records
    .selectFrom('attachment_usage')
    .innerJoin('project', 'project.id', 'attachment_usage.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select(({ fn }) => [
      'organization.id as orgId',
      'organization.slug as org',
      fn.sum<number>('attachment_usage.bytes').as('bytes'),
    ])
    .groupBy(['organization.id', 'organization.slug'])
    .execute()
  return rows.toSorted((a, b) => b.bytes - a.bytes)
}

/** Of the organisation of a project; undefined: it is gone. */
export async function attachmentUsageBeside(
  records: Records,
  projectId: number,
): Promise<{ readonly orgId: number; readonly bytes: number } | undefined> {
  const project = await records
    .selectFrom('project')
    .select('org_id')
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (!project) return undefined
  const { bytes } = await records
    .selectFrom('attachment_usage')
    .innerJoin('project', 'project.id', 'attachment_usage.project_id')
    .select(({ fn }) => fn.sum<number | null>('attachment_usage.bytes').as('bytes'))
    .where('project.org_id', '=', project.org_id)
    .executeTakeFirstOrThrow()
  return { orgId: project.org_id, bytes: bytes ?? 0 }
}
