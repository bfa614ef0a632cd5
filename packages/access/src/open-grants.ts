/**
 * The one permission check (guarantee G7): turns a viewer and what the URL names into a grant, the proof that queries and
 * commands ask for. What a viewer may not see is answered exactly like what does not exist.
 */
import { SondeError } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { type AnyGrant, type Grant, grantOf, operatorGrant, type Proven } from './grant.ts'
import { type Permission, ROLE_PERMISSIONS, SCOPE_PERMISSIONS } from './permission.ts'
import type { Viewer } from './viewer.ts'

type Ref = string | number

/** What one viewer may open. */
export type Grants = {
  /**
   * By slug or numeric id. Throws `SondeError`: `not-found` when the viewer cannot see it (or it does not
   * exist), `forbidden` when it is seen but the permission is missing, or for a token of another organization: the
   * same words whether or not that one exists.
   */
  openOrg<P extends Permission>(org: Ref, permission: P): Promise<Grant<P, 'org'>>
  /** The same for a project of that organization; `forbidden` is said whether or not the project exists. */
  openProject<P extends Permission>(org: Ref, project: Ref, permission: P): Promise<Grant<P, 'project'>>
  /** Every organization in which the viewer has the permission, in slug order. Never throws `not-found`. */
  openOrgs<P extends Permission>(permission: P): Promise<Grant<P, 'org'>[]>
}

export type OpenGrants = {
  /** For one request: each organization and project is read once, however often it is opened. */
  grantsFor(viewer: Viewer): Grants
  /** For a single opening. */
  openOrg<P extends Permission>(viewer: Viewer, org: Ref, permission: P): Promise<Grant<P, 'org'>>
  openProject<P extends Permission>(
    viewer: Viewer,
    org: Ref,
    project: Ref,
    permission: P,
  ): Promise<Grant<P, 'project'>>
  openOrgs<P extends Permission>(viewer: Viewer, permission: P): Promise<Grant<P, 'org'>[]>
}

export function createOpenGrants(records: Records): OpenGrants {
  const grantsFor = (viewer: Viewer): Grants => createGrants(records, viewer)
  return {
    grantsFor,
    openOrg: (viewer, org, permission) => grantsFor(viewer).openOrg(org, permission),
    openProject: (viewer, org, project, permission) =>
      grantsFor(viewer).openProject(org, project, permission),
    openOrgs: (viewer, permission) => grantsFor(viewer).openOrgs(permission),
  }
}

type OrgRow = { readonly id: number; readonly slug: string; readonly name: string }
type ProjectRow = { readonly id: number; readonly slug: string }

function createGrants(records: Records, viewer: Viewer): Grants {
  const orgs = new Map<string, Promise<OrgRow | undefined>>()
  const projects = new Map<string, Promise<ProjectRow | undefined>>()

  const orgRow = (org: Ref): Promise<OrgRow | undefined> =>
    readOnce(orgs, String(org), () =>
      records
        .selectFrom('organization')
        .select(['id', 'slug', 'name'])
        .where(columnOf(org), '=', org)
        .executeTakeFirst(),
    )
  const projectRow = (orgId: number, project: Ref): Promise<ProjectRow | undefined> =>
    readOnce(projects, `${orgId}/${project}`, () =>
      records
        .selectFrom('project')
        .select(['id', 'slug'])
        .where('org_id', '=', orgId)
        .where(columnOf(project), '=', project)
        .executeTakeFirst(),
    )

  const check = async (org: Ref, permission: Permission): Promise<OrgRow> => {
    const row = await orgRow(org)
    if (viewer.kind === 'token' && viewer.orgId !== undefined && row?.id !== viewer.orgId)
      throw await anotherOrg(records, viewer.orgId, org)
    if (!row || !sees(viewer, row.id)) throw notFound('organization', org)
    if (!may(viewer, row.id, permission)) throw forbidden(row.slug, [permission])
    return row
  }

  return {
    async openOrg<P extends Permission>(org: Ref, permission: P) {
      const { id, slug, name } = await check(org, permission)
      return grantOf<P, 'org'>(viewer, { orgId: id, orgSlug: slug, orgName: name })
    },
    async openProject<P extends Permission>(org: Ref, project: Ref, permission: P) {
      const { id: orgId, slug: orgSlug } = await check(org, permission)
      const row = await projectRow(orgId, project)
      if (!row) throw notFound('project', project)
      return grantOf<P, 'project'>(viewer, {
        orgId,
        orgSlug,
        projectId: row.id,
        projectSlug: row.slug,
      })
    },
    async openOrgs<P extends Permission>(permission: P) {
      const rows = await records
        .selectFrom('organization')
        .select(['id', 'slug', 'name'])
        .orderBy('slug')
        .execute()
      return rows
        .filter((row) => sees(viewer, row.id) && may(viewer, row.id, permission))
        .map((row) => grantOf<P, 'org'>(viewer, { orgId: row.id, orgSlug: row.slug, orgName: row.name }))
    },
  }
}

/** Loads run side by side: they share the read that is under way. What was not found is looked up again. */
function readOnce<Row>(
  rows: Map<string, Promise<Row | undefined>>,
  key: string,
  read: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const known = rows.get(key)
  if (known) return known
  const reading = read()
  rows.set(key, reading)
  reading.then(
    (row) => row ?? rows.delete(key),
    () => rows.delete(key),
  )
  return reading
}

/** Whether whoever has the grant has this permission in the same organization too. Reads nothing. */
export const mayAlso = (grant: AnyGrant, permission: Permission): boolean =>
  may(grant.viewer, grant.orgId, permission)

/**
 * The same organization or project with another permission: any one of those named. Reads nothing. Throws `SondeError`
 * (`forbidden`).
 */
export function requireAlso<P extends Permission, On extends 'org' | 'project'>(
  grant: Proven<On, never>,
  ...permissions: readonly P[]
): Grant<P, On> {
  const { orgId, orgSlug, viewer } = grant as AnyGrant
  if (!permissions.some((permission) => may(viewer, orgId, permission))) throw forbidden(orgSlug, permissions)
  return grant as unknown as Grant<P, On>
}

/** Whether to show what is for operators alone: see `openInstallation`. */
export const mayOperate = (viewer: Viewer | undefined): boolean =>
  viewer?.kind === 'operator' || (viewer?.kind === 'user' && viewer.isOperator)

/**
 * The log, the disk, dead letters, totals over all organizations: for operators and the command line. Not for owners of an
 * organization, whichever it is, because dead letters and totals speak of everybody's projects. Not for tokens, also not
 * an operator's: no scope speaks of the installation. Throws `SondeError` (`forbidden`).
 */
export function openInstallation(viewer: Viewer | undefined): Grant<'operate', 'operator'> {
  if (viewer !== undefined && mayOperate(viewer)) return operatorGrant(viewer)
  throw new SondeError('forbidden', 'this is for operators of this installation', {
    operation: 'look after the installation',
    subject: 'installation',
    hint: 'Whoever runs this Sonde makes one with: sonde user set-operator --email EMAIL',
  })
}

/** Slugs never consist of digits alone, so a reference of digits is an id. */
const columnOf = (ref: Ref): 'id' | 'slug' => (/^\d{1,15}$/.test(String(ref)) ? 'id' : 'slug')

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
async function anotherOrg(records: Records, orgId: number, requested: Ref): Promise<SondeError> {
  const own = await records
    .selectFrom('organization')
    .select('slug')
    .where('id', '=', orgId)
    .executeTakeFirst()
  return new SondeError(
    'forbidden',
    `this token is for the organization "${own?.slug}" and opens no other: "${requested}" was asked for`,
    {
      operation: 'open an organization',
      subject: String(requested),
      hint: 'Use a token of that organization.',
    },
  )
}

const forbidden = (orgSlug: string, permissions: readonly Permission[]): SondeError =>
  new SondeError('forbidden', `this needs the permission ${permissions.join(' or ')}`, {
    operation: 'open an organization',
    subject: orgSlug,
    hint: 'Ask an owner for a role, or make a token with the scopes, that include it.',
  })

const notFound = (what: string, subject: Ref): SondeError =>
  new SondeError('not-found', `no ${what} called "${subject}"`, {
    operation: `open a${what === 'organization' ? 'n' : ''} ${what}`,
    subject: String(subject),
  })
