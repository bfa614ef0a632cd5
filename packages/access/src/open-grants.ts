/**
 * The one permission check (guarantee G7): turns a viewer and what the URL names into a grant, the proof that queries and
 * commands ask for. What a viewer may not see is answered exactly like what does not exist.
 */
import { SondeError } from '@sonde/base'
import type { Records, Role } from '@sonde/stores'
import { type AnyGrant, type Grant, grantOf, operatorGrant, type Proven } from './grant.ts'
import { type Permission, ROLE_PERMISSIONS, SCOPE_PERMISSIONS } from './permission.ts'
import {
  projectsByTeam,
  projectsWith,
  readStanding,
  roleIn,
  roleInProject,
  type Standing,
} from './standing.ts'
import type { Viewer } from './viewer.ts'

type Ref = string | number

/** What one viewer may open. */
export type Grants = {
  /**
   * By slug or numeric id. Throws `SondeError`: `not-found` when the viewer cannot see it (or it does not
   * exist), `forbidden` when it is seen but the permission is missing, or for a token of another organization: the
   * same words whether or not that one exists. Teams limit the grant to projects, and widen what may be done with events
   * in theirs (`standing.ts`).
   */
  openOrg<P extends Permission>(org: Ref, permission: P): Promise<Grant<P, 'org'>>
  /**
   * The same for a project of that organization, in which the greater of the organization's role and those of the viewer's
   * teams counts. `forbidden` is said whether or not the project exists.
   */
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

type OrgRow = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly members_see: 'all' | 'teams'
}
type ProjectRow = { readonly id: number; readonly slug: string }

function createGrants(records: Records, viewer: Viewer): Grants {
  const orgs = new Map<string, Promise<OrgRow | undefined>>()
  const projects = new Map<string, Promise<ProjectRow | undefined>>()
  const standings = new Map<number, Promise<Standing | undefined>>()

  const orgRow = (org: Ref): Promise<OrgRow | undefined> =>
    readOnce(orgs, String(org), () =>
      records
        .selectFrom('organization')
        .select(['id', 'slug', 'name', 'members_see'])
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
  const standingIn = (org: OrgRow): Promise<Standing | undefined> =>
    readOnce(standings, org.id, () => readStanding(records, viewer, org))

  const look = async (org: Ref): Promise<OrgRow> => {
    const row = await orgRow(org)
    if (viewer.kind === 'token' && viewer.orgId !== undefined && row?.id !== viewer.orgId)
      throw await anotherOrg(records, viewer.orgId, org)
    if (row && needsSecondFactor(viewer, row.id)) throw new SecondFactorNeeded(row.slug)
    if (!row || !sees(viewer, row.id)) throw notFound('organization', org)
    return row
  }
  /** Undefined: not with this permission. */
  const grantOrg = async <P extends Permission>(
    org: OrgRow,
    permission: P,
  ): Promise<Grant<P, 'org'> | undefined> => {
    const standing = await standingIn(org)
    const projectsOf = projectsHeld(viewer, org.id, standing, permission)
    if (projectsOf === undefined) return undefined
    return grantOf<P, 'org'>(viewer, {
      orgId: org.id,
      orgSlug: org.slug,
      orgName: org.name,
      ...(projectsOf !== 'all' && { projects: projectsOf }),
      ...(standing && { standing }),
    })
  }

  return {
    async openOrg<P extends Permission>(org: Ref, permission: P) {
      const row = await look(org)
      const grant = await grantOrg(row, permission)
      if (!grant) throw forbidden(row.slug, [permission])
      return grant
    },
    async openProject<P extends Permission>(org: Ref, project: Ref, permission: P) {
      const row = await look(org)
      const standing = await standingIn(row)
      const found = await projectRow(row.id, project)
      const role = standing && found ? roleInProject(standing, found.id) : roleIn(viewer, row.id)
      // What somebody may not do anywhere, or only where their teams are, is refused before it is told what is there.
      if (!holds(viewer, row.id, role ?? roleIn(viewer, row.id), permission))
        throw forbidden(row.slug, [permission])
      if (!found || (standing && role === undefined)) throw notFound('project', project)
      return grantOf<P, 'project'>(viewer, {
        orgId: row.id,
        orgSlug: row.slug,
        projectId: found.id,
        projectSlug: found.slug,
        ...(standing && { standing }),
      })
    },
    async openOrgs<P extends Permission>(permission: P) {
      const rows = await records
        .selectFrom('organization')
        .select(['id', 'slug', 'name', 'members_see'])
        .orderBy('slug')
        .execute()
      const seen = rows.filter((row) => sees(viewer, row.id))
      const grants = await Promise.all(seen.map((row) => grantOrg(row, permission)))
      return grants.filter((grant) => grant !== undefined)
    },
  }
}

/** Loads run side by side: they share the read that is under way. What was not found is looked up again. */
function readOnce<Key, Row>(
  rows: Map<Key, Promise<Row | undefined>>,
  key: Key,
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

/** Whether whoever has the grant has this permission in the same organization or project too. Reads nothing. */
export const mayAlso = (grant: AnyGrant, permission: Permission): boolean =>
  withPermission(grant, permission) !== undefined

/**
 * The same organization or project with another permission: the first of those named that the viewer has. Of an organization
 * the projects of the grant may be fewer than before. Reads nothing. Throws `SondeError` (`forbidden`).
 */
export function requireAlso<P extends Permission, On extends 'org' | 'project'>(
  grant: Proven<On, never>,
  ...permissions: readonly P[]
): Grant<P, On> {
  const before = grant as AnyGrant
  for (const permission of permissions) {
    const found = withPermission(before, permission)
    if (found) return found as unknown as Grant<P, On>
  }
  throw forbidden(before.orgSlug, permissions)
}

/**
 * Other projects of the organization in which whoever has the grant may do the same: for what is asked of one project and
 * names others. Undefined: all. Reads nothing.
 */
export function projectsToName(grant: AnyGrant, permission: Permission): readonly number[] | undefined {
  if (!('projectId' in grant)) return grant.projects
  const { standing } = grant
  if (!standing) return undefined
  const found = projectsWith(standing, permission) ?? projectsByTeam(standing, permission)
  return found === 'all' ? undefined : found
}

/**
 * Nobody gives a role that includes more than they may there themselves; of a token, more than its scopes. Throws `SondeError`
 * (`forbidden`). What everybody is, the weakest, may be given by whoever may give anything.
 */
export function requireToGive(grant: AnyGrant, role: Role): void {
  if (role === 'viewer') return
  const beyond = ROLE_PERMISSIONS[role].find((permission) => withPermission(grant, permission) === undefined)
  if (beyond === undefined) return
  throw new SondeError('forbidden', `the role ${role} includes ${beyond}, which you cannot give`, {
    operation: 'give a role',
    subject: grant.orgSlug,
    hint: 'Ask an owner, or use a token whose scopes include it.',
  })
}

function withPermission(grant: AnyGrant, permission: Permission): AnyGrant | undefined {
  const { viewer, orgId, standing } = grant
  if ('projectId' in grant) {
    const role = standing ? roleInProject(standing, grant.projectId) : roleIn(viewer, orgId)
    return holds(viewer, orgId, role, permission) ? grant : undefined
  }
  const found = projectsHeld(viewer, orgId, standing, permission)
  if (found === undefined || (found === 'all' && grant.projects === undefined)) return found && grant
  const { projects: _, ...whole } = grant
  return found === 'all' ? whole : { ...whole, projects: found }
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

/** Of a member who has to set up a second factor before this organization opens. */
export class SecondFactorNeeded extends SondeError {
  readonly orgSlug: string

  constructor(orgSlug: string) {
    super('forbidden', `"${orgSlug}" opens only with a second factor, and your account has none`, {
      operation: 'open an organization',
      subject: orgSlug,
      hint: 'Set up two-factor sign-in or a passkey in your account settings.',
    })
    this.name = 'SecondFactorNeeded'
    this.orgSlug = orgSlug
  }
}

const needsSecondFactor = (viewer: Viewer, orgId: number): boolean =>
  viewer.kind === 'user' &&
  (viewer.closedMemberships ?? []).some(
    (membership) => membership.orgId === orgId && membership.closedBy === 'second-factor',
  )

/** Slugs never consist of digits alone, so a reference of digits is an id. */
const columnOf = (ref: Ref): 'id' | 'slug' => (/^\d{1,15}$/.test(String(ref)) ? 'id' : 'slug')

function sees(viewer: Viewer, orgId: number): boolean {
  if (viewer.kind === 'operator') return true
  if (viewer.kind === 'token') return viewer.orgId === undefined || viewer.orgId === orgId
  return viewer.memberships.some((membership) => membership.orgId === orgId)
}

/** Whether a viewer who is `role` there has a permission: of a token, its scopes have to include it too. */
function holds(viewer: Viewer, orgId: number, role: Role | undefined, permission: Permission): boolean {
  if (viewer.kind === 'operator') return true
  if (viewer.kind === 'user') return role !== undefined && ROLE_PERMISSIONS[role].includes(permission)
  // Who was made a viewer yesterday keeps the tokens of an admin, but not what they could do.
  if (role !== undefined && !ROLE_PERMISSIONS[role].includes(permission)) return false
  return sees(viewer, orgId) && viewer.scopes.some((scope) => SCOPE_PERMISSIONS[scope].includes(permission))
}

/** Projects in which a viewer has a permission, when the organization is asked for. Undefined: refused. */
function projectsHeld(
  viewer: Viewer,
  orgId: number,
  standing: Standing | undefined,
  permission: Permission,
): readonly number[] | 'all' | undefined {
  if (!standing) return holds(viewer, orgId, roleIn(viewer, orgId), permission) ? 'all' : undefined
  if (!holds(viewer, orgId, undefined, permission) && viewer.kind === 'token') return undefined
  return projectsWith(standing, permission)
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
