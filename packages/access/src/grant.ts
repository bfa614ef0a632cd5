/**
 * A grant is the proof of the one permission check (guarantee G7), and its type says what was checked: which permission,
 * and of what. Only `@sonde/access` makes grants; every query and command takes one, so code that forgot the check, or
 * checked for something else, does not compile.
 */
import type { Permission, PermissionsWithin } from './permission.ts'
import type { Standing } from './standing.ts'
import type { Viewer } from './viewer.ts'

declare const proof: unique symbol

/** What a grant is about. Roles and tokens belong to organizations; `operator` is the whole installation. */
type Subjects = {
  readonly operator: unknown
  readonly org: {
    readonly orgId: number
    readonly orgSlug: string
    readonly orgName: string
    /** Only in these; undefined: in all of them, also those to come. */
    readonly projects?: readonly number[]
  }
  readonly project: {
    readonly orgId: number
    readonly orgSlug: string
    readonly projectId: number
    readonly projectSlug: string
  }
}
export type Subject = keyof Subjects

export type Proven<On extends Subject, Names extends string> = Subjects[On] & {
  /** Who was checked: stands in the audit of what is done with the grant. */
  readonly viewer: Viewer
  /** Undefined: teams change nothing for this viewer. */
  readonly standing?: Standing
  readonly [proof]: { readonly on: On; readonly permissions: { readonly [Name in Names]: true } }
}

/**
 * `Grant<'event:write', 'project'>`: the viewer may change events of this project. It is also a
 * `Grant<'event:read', 'project'>`, because nobody may write what they may not read (`PERMISSIONS_WITHIN`). Unions mean
 * "either": `Grant<'event:read', 'org' | 'project'>`.
 */
export type Grant<P extends Permission | 'operate', On extends Subject> = P extends Permission
  ? On extends Subject
    ? Proven<On, P | PermissionsWithin<P>>
    : never
  : Proven<'operator', 'operate'>

/** Whatever was granted: for code that takes only ids and names from it. Not for the signature of a query or command. */
export type AnyGrant = Proven<'org', never> | Proven<'project', never>

/** Made by `open-grants.ts` and by tests; the import check refuses it elsewhere. */
export const grantOf = <P extends Permission, On extends 'org' | 'project'>(
  viewer: Viewer,
  subject: Subjects[On] & { readonly standing?: Standing | undefined },
): Grant<P, On> => ({ ...subject, viewer }) as unknown as Grant<P, On>

export const operatorGrant = (viewer: Viewer): Grant<'operate', 'operator'> =>
  ({ viewer }) as unknown as Grant<'operate', 'operator'>
