/**
 * The one permission check (guarantee G7): turns a viewer and what the URL names into a scope, the proof that
 * queries and commands ask for. What a viewer may not see is answered exactly like what does not exist.
 */
import { SondeError } from '@sonde/base'
import type { OrgScope, ProjectScope, Records } from '@sonde/stores'
import { grantOrg, grantProject } from '@sonde/stores/scope'
import { type Permission, ROLE_PERMISSIONS, SCOPE_PERMISSIONS } from './permission.ts'
import type { Viewer } from './viewer.ts'

export type OpenScope = {
  /**
   * By slug or numeric id. Throws `SondeError`: `not-found` when the viewer cannot see it (or it does not
   * exist), `forbidden` when it is seen but the permission is missing, or for a token of another organisation: the
   * same words whether or not that one exists.
   */
  openOrg(viewer: Viewer, org: string | number, permission: Permission): Promise<OrgScope>
  /** The same for a project of that organisation; `forbidden` is said whether or not the project exists. */
  openProject(
    viewer: Viewer,
    org: string | number,
    project: string | number,
    permission: Permission,
  ): Promise<ProjectScope>
  /** Every organisation in which the viewer has the permission, in slug order. Never throws `not-found`. */
  openOrgs(viewer: Viewer, permission: Permission): Promise<OrgScope[]>
}

export function createOpenScope(records: Records): OpenScope {
  const openOrg = async (viewer: Viewer, org: string | number, permission: Permission): Promise<OrgScope> => {
    const row = await records
      .selectFrom('organization')
      .select(['id', 'slug', 'name'])
      .where(columnOf(org), '=', org)
      .executeTakeFirst()
    if (viewer.kind === 'token' && viewer.orgId !== undefined && row?.id !== viewer.orgId)
      throw await anotherOrg(records, viewer.orgId, org)
    if (!row || !sees(viewer, row.id)) throw notFound('organization', org)
    if (!may(viewer, row.id, permission)) {
      throw new SondeError('forbidden', `this needs the permission ${permission}`, {
        operation: 'open an organization',
        subject: row.slug,
        hint: 'Ask an owner for a role, or make a token with the scopes, that include it.',
      })
    }
    return grantOrg({ orgId: row.id, orgSlug: row.slug, orgName: row.name })
  }

  return {
    openOrg,
    async openProject(viewer, org, project, permission) {
      const scope = await openOrg(viewer, org, permission)
      const row = await records
        .selectFrom('project')
        .select(['id', 'slug'])
        .where('org_id', '=', scope.orgId)
        .where(columnOf(project), '=', project)
        .executeTakeFirst()
      if (!row) throw notFound('project', project)
      return grantProject({
        orgId: scope.orgId,
        orgSlug: scope.orgSlug,
        projectId: row.id,
        projectSlug: row.slug,
      })
    },
    async openOrgs(viewer, permission) {
      const rows = await records
        .selectFrom('organization')
        .select(['id', 'slug', 'name'])
        .orderBy('slug')
        .execute()
      return rows
        .filter((row) => sees(viewer, row.id) && may(viewer, row.id, permission))
        .map((row) => grantOrg({ orgId: row.id, orgSlug: row.slug, orgName: row.name }))
    },
  }
}

/** Slugs never consist of digits alone, so a reference of digits is an id. */
const columnOf = (ref: string | number): 'id' | 'slug' => (/^\d{1,15}$/.test(String(ref)) ? 'id' : 'slug')

function sees(viewer: Viewer, orgId: number): boolean {
  if (viewer.kind === 'operator') return true
  if (viewer.kind === 'token') return viewer.orgId === undefined || viewer.orgId === orgId
  return viewer.memberships.some((membership) => membership.orgId === orgId)
}

function may(viewer: Viewer, orgId: number, permission: Permission): boolean {
  if (viewer.kind === 'operator') return true
  if (viewer.kind === 'token') {
    // Who was made a viewer yesterday keeps the tokens of an admin, but not what they could do.
    if (viewer.role !== undefined && !ROLE_PERMISSIONS[viewer.role].includes(permission)) return false
    return viewer.scopes.some((scope) => SCOPE_PERMISSIONS[scope].includes(permission))
  }
  return viewer.memberships.some(
    ({ orgId: memberOf, role }) => memberOf === orgId && ROLE_PERMISSIONS[role].includes(permission),
  )
}

/** A build with a wrong `--org` has to be told so; what it may not see is still not told from what is not there. */
async function anotherOrg(records: Records, orgId: number, asked: string | number): Promise<SondeError> {
  const own = await records
    .selectFrom('organization')
    .select('slug')
    .where('id', '=', orgId)
    .executeTakeFirst()
  return new SondeError(
    'forbidden',
    `this token is for the organization "${own?.slug}" and opens no other: "${asked}" was asked for`,
    { operation: 'open an organization', subject: String(asked), hint: 'Use a token of that organization.' },
  )
}

const notFound = (what: string, subject: string | number): SondeError =>
  new SondeError('not-found', `no ${what} called "${subject}"`, {
    operation: `open a${what === 'organization' ? 'n' : ''} ${what}`,
    subject: String(subject),
  })
