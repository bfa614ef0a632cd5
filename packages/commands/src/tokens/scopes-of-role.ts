import {
  type Permission,
  ROLE_PERMISSIONS,
  type Scope,
  SCOPE_PERMISSIONS,
  SCOPES,
  type UserViewer,
} from '@sonde/access'
import type { Role } from '@sonde/stores'
import { InvalidInput } from '../invalid-input.ts'

/** The scopes that a form offers to somebody of this role: those that give nothing beyond it. */
export function scopesOfRole(role: Role): readonly Scope[] {
  const own: readonly Permission[] = ROLE_PERMISSIONS[role]
  return SCOPES.filter((scope) => SCOPE_PERMISSIONS[scope].every((permission) => own.includes(permission)))
}

/** Throws `InvalidInput` (`scopes`). */
export function checkWithinRole(
  operation: string,
  viewer: UserViewer,
  { orgId }: { readonly orgId: number },
  scopes: readonly Scope[],
): void {
  const role = viewer.memberships.find((membership) => membership.orgId === orgId)?.role ?? 'viewer'
  const beyond = scopes.filter((each) => !scopesOfRole(role).includes(each))
  if (beyond.length === 0) return
  throw new InvalidInput(operation, { scopes: [`your role (${role}) does not include ${beyond.join(', ')}`] })
}
