/**
 * Who may do what, as literal tables. Code asks for a permission; people have it through a role in the
 * organization, API tokens through a scope. Every role × permission and scope × permission is tested.
 */
import type { Role } from '@sonde/stores'

export const PERMISSIONS = [
  'org:read',
  'org:write',
  'member:read',
  'member:write',
  'team:write',
  'team:delete',
  'project:read',
  'project:create',
  'project:write',
  'project:delete',
  'release:write',
  'event:read',
  'event:write',
  'event:delete',
  'token:write',
  'alert:read',
  'alert:write',
  'integration:write',
  'audit:read',
] as const
export type Permission = (typeof PERMISSIONS)[number]

/** The scopes that sentry-cli, bundler plugins and other clients of the public API know; `audit:read` is our own. */
export const SCOPES = [
  'org:read',
  'org:ci',
  'project:read',
  'project:write',
  'project:releases',
  'project:admin',
  'event:read',
  'event:write',
  'event:admin',
  'member:read',
  'member:write',
  'member:admin',
  'team:read',
  'team:write',
  'team:admin',
  'alerts:read',
  'alerts:write',
  'org:integrations',
  'audit:read',
] as const
export type Scope = (typeof SCOPES)[number]

const READ = [
  'org:read',
  'member:read',
  'project:read',
  'event:read',
  'alert:read',
] as const satisfies readonly Permission[]
const WORK = ['event:write', 'release:write', 'alert:write'] as const satisfies readonly Permission[]
const MANAGE = [
  'member:write',
  'team:write',
  'team:delete',
  'project:create',
  'project:write',
  'event:delete',
  'token:write',
  'integration:write',
  'audit:read',
] as const satisfies readonly Permission[]

export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: READ,
  member: [...READ, ...WORK],
  admin: [...READ, ...WORK, ...MANAGE],
  owner: [...READ, ...WORK, ...MANAGE, 'org:write', 'project:delete'],
}

/**
 * Working with projects includes knowing their organization, as the clients of the public API expect. No scope gives
 * `token:write`, and a token gives nobody a role, in an organization or by a team, that includes more than its own scopes
 * (`requireToGive`): a leaked one cannot make itself, or whoever holds it, stronger.
 */
export const SCOPE_PERMISSIONS: Readonly<Record<Scope, readonly Permission[]>> = {
  'org:read': ['org:read'],
  'org:ci': ['org:read', 'project:read', 'release:write'],
  'project:read': ['org:read', 'project:read'],
  'project:write': ['org:read', 'project:read', 'project:create', 'project:write'],
  'project:releases': ['org:read', 'project:read', 'release:write'],
  'project:admin': ['org:read', 'project:read', 'project:create', 'project:write', 'project:delete'],
  'event:read': ['event:read'],
  'event:write': ['event:read', 'event:write'],
  'event:admin': ['event:read', 'event:write', 'event:delete'],
  'member:read': ['member:read'],
  'member:write': ['org:read', 'member:read', 'member:write'],
  'member:admin': ['org:read', 'member:read', 'member:write'],
  'team:read': ['member:read'],
  'team:write': ['org:read', 'member:read', 'team:write'],
  'team:admin': ['org:read', 'member:read', 'team:write', 'team:delete'],
  'alerts:read': ['alert:read'],
  'alerts:write': ['org:read', 'project:read', 'alert:read', 'alert:write'],
  'org:integrations': ['org:read', 'alert:read', 'integration:write'],
  'audit:read': ['org:read', 'member:read', 'audit:read'],
}

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)

/**
 * What else somebody may who has the permission, whichever role or token gave it: a grant of one stands for these too.
 * Every role × permission and scope × permission is tested against it.
 */
export const PERMISSIONS_WITHIN = {
  'org:read': [],
  'org:write': ['org:read'],
  'member:read': [],
  'member:write': ['org:read', 'member:read'],
  'team:write': ['org:read', 'member:read'],
  'team:delete': ['org:read', 'member:read', 'team:write'],
  'project:read': ['org:read'],
  'project:create': ['org:read', 'project:read'],
  'project:write': ['org:read', 'project:read'],
  'project:delete': ['org:read', 'project:read', 'project:write'],
  'release:write': ['org:read', 'project:read'],
  'event:read': [],
  'event:write': ['event:read'],
  'event:delete': ['event:read', 'event:write'],
  'token:write': ['org:read', 'member:read'],
  'alert:read': [],
  'alert:write': ['org:read', 'project:read', 'alert:read'],
  'integration:write': ['org:read', 'alert:read'],
  'audit:read': ['org:read', 'member:read'],
} as const satisfies Readonly<Record<Permission, readonly Permission[]>>
export type PermissionsWithin<P extends Permission> = (typeof PERMISSIONS_WITHIN)[P][number]
