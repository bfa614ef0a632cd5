/** Who asks. Made by `viewerFromCookies` or `viewerFromToken`, and turned into a grant by `openOrg`/`openProject`. */
import type { Role } from '@sonde/stores'
import type { Scope } from './permission.ts'

export type Viewer = UserViewer | TokenViewer | OperatorViewer

export type Membership = {
  readonly orgId: number
  readonly orgSlug: string
  readonly orgName: string
  readonly role: Role
}

/** `sso`: the session began elsewhere. `second-factor`: the organization asks for one, and the person has none. */
export type ClosedMembership = Membership & { readonly closedBy: 'sso' | 'second-factor' }

/** A person who is signed in. */
export type UserViewer = {
  readonly kind: 'user'
  readonly userId: string
  readonly email: string
  readonly name: string
  /** IANA name, in which times are told. Empty or left out: of the browser. */
  readonly timeZone?: string
  /** The session whose cookie was sent: one of `accountSessions`. */
  readonly sessionId?: string
  /** Where the request came from, for the audit. */
  readonly address?: string
  /** Looks after the whole installation, whatever the roles: `mayOperate`. */
  readonly isOperator: boolean
  /** In slug order. */
  readonly memberships: readonly Membership[]
  /** Of a session that began with an organization's provider: it opens that one alone. */
  readonly ssoOrgId?: number
  /** Organizations that this session does not open. In slug order. */
  readonly closedMemberships?: readonly ClosedMembership[]
}

/** A program with an API token. */
export type TokenViewer = {
  readonly kind: 'token'
  readonly tokenId: number
  readonly tokenName: string
  /** The one organization that it sees; undefined: all of this installation (made on the command line). */
  readonly orgId: number | undefined
  /** The person who made it, if any. */
  readonly userId: string | undefined
  /** What that person is in the organization now: the token never does more. Undefined without a person. */
  readonly role?: Role
  readonly scopes: readonly Scope[]
}

/** Whoever can run commands on this machine: the command line. May do everything, and is named in the audit. */
export type OperatorViewer = { readonly kind: 'operator'; readonly name: 'cli' | 'server' }

/** Handed to commands by the composition root alone; no request ever becomes one. */
export const operatorViewer: OperatorViewer = { kind: 'operator', name: 'cli' }

/** For the audit: `user:ID`, `token:ID`, `operator:cli`. */
export function actorOf(viewer: Viewer): string {
  if (viewer.kind === 'user') return `user:${viewer.userId}`
  return viewer.kind === 'token' ? `token:${viewer.tokenId}` : `operator:${viewer.name}`
}
