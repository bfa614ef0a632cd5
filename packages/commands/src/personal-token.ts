/** API tokens that people make for themselves. A token never does more than its person may at that moment. */
import {
  type Permission,
  ROLE_PERMISSIONS,
  type Scope,
  SCOPE_PERMISSIONS,
  SCOPES,
  type UserViewer,
} from '@sonde/access'
import { SondeError } from '@sonde/base'
import type { Role } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { type CreatedToken, newTokenFor, tokenScopesField } from './create-token.ts'
import { nameField, refField } from './fields.ts'
import { InvalidInput, readInput } from './invalid-input.ts'

const CREATE = z.object({ org: refField, name: nameField, scopes: tokenScopesField })

export type PersonalTokenInput = {
  readonly org: string | number
  readonly name: string
  readonly scopes: readonly Scope[] | readonly string[]
}

/** The scopes that a form offers to somebody of this role: those that give nothing beyond it. */
export function scopesOfRole(role: Role): readonly Scope[] {
  const own: readonly Permission[] = ROLE_PERMISSIONS[role]
  return SCOPES.filter((scope) => SCOPE_PERMISSIONS[scope].every((permission) => own.includes(permission)))
}

/** Every member may. Throws `InvalidInput` (also for a scope beyond the role), `SondeError` (`not-found`). */
export async function createPersonalToken(
  deps: CommandDeps,
  viewer: UserViewer,
  input: PersonalTokenInput,
): Promise<CreatedToken> {
  const operation = 'create a personal token'
  const { org, name, scopes } = readInput(operation, CREATE, input)
  const scope = await deps.access.openOrg(viewer, org, 'org:read')
  const role = viewer.memberships.find(({ orgId }) => orgId === scope.orgId)?.role ?? 'viewer'
  const beyond = scopes.filter((each) => !scopesOfRole(role).includes(each))
  if (beyond.length > 0) {
    throw new InvalidInput(operation, {
      scopes: [`your role (${role}) does not include ${beyond.join(', ')}`],
    })
  }
  const { token, tokenHash } = newTokenFor(deps, scope, scopes)
  const atMs = deps.clock.nowMs()
  return deps.records.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('api_token')
      .values({
        org_id: scope.orgId,
        user_id: viewer.userId,
        name,
        token_hash: tokenHash,
        scopes: JSON.stringify(scopes),
        created_ms: atMs,
        last_used_ms: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const detail = { tokenId: id, scopes, personal: true }
    await writeAudit(tx, { orgId: scope.orgId, viewer, action: 'token.create', subject: name, detail, atMs })
    return { id, token, name, scopes }
  })
}

/** One of one's own, whichever organisation it is for. Throws `SondeError` (`not-found`). */
export async function deletePersonalToken(
  deps: CommandDeps,
  viewer: UserViewer,
  { tokenId }: { readonly tokenId: number },
): Promise<void> {
  await deps.records.transaction().execute(async (tx) => {
    const deleted = await tx
      .deleteFrom('api_token')
      .where('id', '=', tokenId)
      .where('user_id', '=', viewer.userId)
      .returning(['name', 'org_id'])
      .executeTakeFirst()
    if (!deleted) {
      throw new SondeError('not-found', `you have no token ${tokenId}`, {
        operation: 'delete a personal token',
        subject: String(tokenId),
      })
    }
    await writeAudit(tx, {
      orgId: deleted.org_id,
      viewer,
      action: 'token.delete',
      subject: deleted.name,
      detail: { tokenId, personal: true },
      atMs: deps.clock.nowMs(),
    })
  })
}
