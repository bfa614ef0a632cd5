/** API tokens that people make for themselves. A token never does more than its person may at that moment. */
import type { Grant, UserViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { nameField, readInput } from '../fields.ts'
import {
  askPassword,
  type CreatedToken,
  type NewTokenFields,
  storeNewToken,
  tokenScopesField,
} from './create-token.ts'
import { checkEndless, checkWithinRole, DEFAULT_TOKEN_LIFE_DAYS, tokenLifeField } from './token-life.ts'

const CREATE = z.object({
  name: nameField,
  scopes: tokenScopesField,
  expiresInDays: tokenLifeField.default(DEFAULT_TOKEN_LIFE_DAYS),
  currentPassword: z.string().default(''),
})

/**
 * Every member may, with their password. Throws `InvalidInput` (also for a scope beyond the role, a life that the
 * organization does not allow, a wrong `currentPassword`), `SondeError` (`forbidden`).
 */
export async function createPersonalToken(
  deps: CommandDeps,
  grant: Grant<'org:read', 'org'>,
  input: NewTokenFields,
): Promise<CreatedToken> {
  const operation = 'create a personal token'
  const { name, scopes, expiresInDays: days, currentPassword } = readInput(operation, CREATE, input)
  const { viewer } = grant
  if (viewer.kind !== 'user')
    throw new SondeError('forbidden', 'only a person makes personal tokens', { operation })
  checkWithinRole(operation, viewer, grant, scopes)
  await checkEndless(deps.records, operation, grant, { scopes, days })
  await askPassword(deps, viewer, operation, currentPassword)
  const { userId } = viewer
  return storeNewToken(deps, viewer, { org: grant, name, scopes, days, userId, madeBy: userId })
}

/** One of one's own, whichever organization it is for. Throws `SondeError` (`not-found`). */
export async function deletePersonalToken(
  deps: CommandDeps,
  viewer: UserViewer,
  { tokenId }: { readonly tokenId: number },
): Promise<void> {
  await writeTransaction(deps.records, async (tx) => {
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
