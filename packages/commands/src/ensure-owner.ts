/** The first start: somebody must be able to sign in. */
import { operatorViewer } from '@sonde/access'
import { withHidden, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { createOrganization } from './create-organization.ts'
import { randomPassword } from './create-user.ts'
import { emailField, orgSlugField, readInput } from './fields.ts'

export const DEFAULT_ORG_SLUG = 'default'
const INPUT = z.object({
  email: emailField,
  password: z.string().optional(),
  orgSlug: orgSlugField.default(DEFAULT_ORG_SLUG),
})

export type EnsureOwnerInput = {
  readonly email: string
  /** A random one unless told. */
  readonly password?: string | undefined
  /** Made if there is no organization yet; `default` unless told. */
  readonly orgSlug?: string | undefined
}

export type EnsuredOwner =
  | { readonly isNew: false }
  | {
      readonly isNew: true
      readonly email: string
      /** Only when it was made up here: to be printed once. */
      readonly generatedPassword: string | undefined
    }

/**
 * Makes the first owner if no organization has one: the first operator, who gets every organization that exists (the
 * command line may have made some before). Does nothing otherwise: a changed setting never changes an account. Repeats
 * safely after a crash in between. Throws `InvalidInput`, `SondeError`.
 */
export async function ensureOwner(deps: CommandDeps, input: EnsureOwnerInput): Promise<EnsuredOwner> {
  const { access, clock } = deps
  // An organization that was deleted and can be restored has its owner.
  const records = withHidden(deps.records)
  const owner = await records
    .selectFrom('member')
    .select('user_id')
    .where('role', '=', 'owner')
    .executeTakeFirst()
  if (owner) return { isNew: false }
  const { email: typed, password: given, orgSlug } = readInput('create the first owner', INPUT, input)
  const email = typed.toLowerCase()
  const generatedPassword = given === undefined ? randomPassword() : undefined
  const password = given ?? generatedPassword ?? ''
  const known = await records.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  // Nobody ever saw the password of an account that a start left behind before it was printed.
  if (known) await access.setPassword(known.id, password)
  const userId =
    known?.id ??
    (await access.createUser({ email, name: email.slice(0, email.indexOf('@')), password })).userId

  const anyOrg = await records.selectFrom('organization').select('id').executeTakeFirst()
  if (!anyOrg) await createOrganization(deps, operatorViewer, { slug: orgSlug })
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const orgs = await tx.selectFrom('organization').select('id').execute()
    await tx
      .insertInto('member')
      .values(orgs.map(({ id }) => ({ org_id: id, user_id: userId, role: 'owner', created_ms: atMs })))
      .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role: 'owner' }))
      .execute()
    await tx.updateTable('user').set({ isOperator: 1 }).where('id', '=', userId).execute()
    await writeAudit(tx, {
      orgId: null,
      viewer: { kind: 'operator', name: 'server' },
      action: 'user.create',
      subject: userId,
      detail: { role: 'owner', isOperator: true },
      atMs,
    })
  })
  return { isNew: true, email, generatedPassword }
}
