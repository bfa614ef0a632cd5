/**
 * Organizations that were deleted and can still be restored: nobody opens them, so no grant of `openOrg` reaches them. Their
 * owners, and who looks after the installation, may have them back or let them go.
 */
import { SondeError } from '@sonde/base'
import { type Records, withHidden } from '@sonde/stores'
import { type Grant, grantOf } from './grant.ts'
import { mayOperate } from './open-grants.ts'
import type { Viewer } from './viewer.ts'

export type DeletedOrganizationRef = { readonly orgId: number }

/** Ids of those that the viewer may restore. A session of a provider opens the organization of that one alone. */
export async function deletedOrganizationsOf(records: Records, viewer: Viewer): Promise<readonly number[]> {
  const rows = await withHidden(records)
    .selectFrom('hidden_organization')
    .select('org_id')
    .$if(!mayOperate(viewer), (query) =>
      query.where('org_id', 'in', (eb) =>
        eb
          .selectFrom('member')
          .select('member.org_id')
          .where('user_id', '=', viewer.kind === 'user' ? viewer.userId : '')
          .where('role', '=', 'owner'),
      ),
    )
    .execute()
  const only = viewer.kind === 'user' ? viewer.ssoOrgId : undefined
  return rows.map((row) => row.org_id).filter((id) => only === undefined || id === only)
}

/** Throws `SondeError` (`not-found`), also for one that the viewer may not restore. */
export async function openDeletedOrganization(
  records: Records,
  viewer: Viewer,
  { orgId }: DeletedOrganizationRef,
): Promise<Grant<'org:write', 'org'>> {
  const org = (await deletedOrganizationsOf(records, viewer)).includes(orgId)
    ? await withHidden(records)
        .selectFrom('organization')
        .select(['id', 'slug', 'name'])
        .where('id', '=', orgId)
        .executeTakeFirst()
    : undefined
  if (!org)
    throw new SondeError('not-found', 'no such deleted organization', {
      operation: 'open a deleted organization',
      subject: String(orgId),
    })
  return grantOf<'org:write', 'org'>(viewer, { orgId: org.id, orgSlug: org.slug, orgName: org.name })
}
