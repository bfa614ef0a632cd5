/**
 * Proof that somebody may read or change what belongs to an organisation or a project (guarantee G7).
 * Only `@sonde/access` makes these (after its one permission check); every query and command asks for one,
 * so code that forgot the check does not compile.
 */
declare const checked: unique symbol

export type OrgScope = {
  readonly orgId: number
  readonly orgSlug: string
  readonly orgName: string
  readonly [checked]: 'org'
}

export type ProjectScope = {
  readonly orgId: number
  readonly orgSlug: string
  readonly projectId: number
  readonly projectSlug: string
  readonly [checked]: 'project'
}

/** For `@sonde/access` alone; the import check refuses it elsewhere. */
export const grantOrg = (fields: Omit<OrgScope, typeof checked>): OrgScope => fields as OrgScope
export const grantProject = (fields: Omit<ProjectScope, typeof checked>): ProjectScope =>
  fields as ProjectScope
