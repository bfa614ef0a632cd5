/** The end of an account, for a while or for good: only the command line, for an account belongs to no organization. */
import type { OperatorViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { forgetMentions } from '../comments/mentions.ts'
import { emailField, readInput } from '../fields.ts'

/** Who looks after the installation: only the command line decides it. */
const INPUT = z.object({ email: emailField, isOperator: z.boolean() })

/**
 * An operator sees dead letters and totals of all organizations and owns those that are made from now on; the roles in
 * those that exist stay as they are. Works at the person's next request. `changed` false: it was so already. Throws
 * `InvalidInput`, `SondeError` (`not-found`; `conflict`: the last one stays).
 */
export async function setOperator(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  viewer: OperatorViewer,
  input: { readonly email: string; readonly isOperator: boolean },
): Promise<{ readonly changed: boolean }> {
  const operation = 'set an operator'
  const { email, isOperator } = readInput(operation, INPUT, input)
  return writeTransaction(records, async (tx) => {
    const person = await findPerson(tx, operation, email)
    if ((person.isOperator === 1) === isOperator) return { changed: false }
    if (!isOperator) await keepAnOperator(tx, operation, person)
    await tx
      .updateTable('user')
      .set({ isOperator: isOperator ? 1 : 0 })
      .where('id', '=', person.id)
      .execute()
    await writeAudit(tx, {
      orgId: null,
      viewer,
      action: isOperator ? 'operator.add' : 'operator.remove',
      subject: person.id,
      atMs: clock.nowMs(),
    })
    return { changed: true }
  })
}

/** Throws `conflict` when nobody else could look after the installation on its screens. */
async function keepAnOperator(
  tx: Records,
  operation: string,
  person: { readonly id: string; readonly email: string; readonly isOperator: number },
): Promise<void> {
  if (person.isOperator !== 1) return
  const other = await tx
    .selectFrom('user')
    .select('id')
    .where('isOperator', '=', 1)
    .where('disabledMs', 'is', null)
    .where('id', '!=', person.id)
    .executeTakeFirst()
  if (other) return
  throw new SondeError('conflict', `${person.email} is the last operator of this installation`, {
    operation,
    subject: person.email,
    hint: 'Make another one first: sonde user set-operator --email EMAIL',
  })
}

const PERSON = z.object({ email: emailField })
const DELETE = PERSON.extend({ keepTokens: z.boolean().default(false) })

type Deps = Pick<CommandDeps, 'records' | 'clock'>

/** `orgTokens`: those that this person made for organizations. They go on working. */
export type Disabled = { readonly changed: boolean; readonly orgTokens: number }

/**
 * Ends every session; no sign-in and no personal token works until `enableUser`. Nothing is deleted. Also for the last
 * owner of an organization: an account in the wrong hands must be stopped. Throws `InvalidInput`, `SondeError`
 * (`not-found`; `conflict`: the last operator stays).
 */
export async function disableUser(
  { records, clock }: Deps,
  viewer: OperatorViewer,
  input: { readonly email: string },
): Promise<Disabled> {
  const operation = 'disable a user'
  const { email } = readInput(operation, PERSON, input)
  return writeTransaction(records, async (tx) => {
    const person = await findPerson(tx, operation, email)
    const orgTokens = await tokensForOrgs(tx, person.id)
    if (person.disabledMs !== null) return { changed: false, orgTokens }
    await keepAnOperator(tx, operation, person)
    const atMs = clock.nowMs()
    await tx.updateTable('user').set({ disabledMs: atMs }).where('id', '=', person.id).execute()
    await tx.deleteFrom('session').where('userId', '=', person.id).execute()
    await writeAudit(tx, { orgId: null, viewer, action: 'user.disable', subject: person.id, atMs })
    return { changed: true, orgTokens }
  })
}

/** With the password of before. `changed` false: the account was not disabled. Throws like `disableUser`. */
export async function enableUser(
  { records, clock }: Deps,
  viewer: OperatorViewer,
  input: { readonly email: string },
): Promise<{ readonly changed: boolean }> {
  const operation = 'enable a user'
  const { email } = readInput(operation, PERSON, input)
  return writeTransaction(records, async (tx) => {
    const person = await findPerson(tx, operation, email)
    if (person.disabledMs === null) return { changed: false }
    await tx.updateTable('user').set({ disabledMs: null }).where('id', '=', person.id).execute()
    await writeAudit(tx, {
      orgId: null,
      viewer,
      action: 'user.enable',
      subject: person.id,
      atMs: clock.nowMs(),
    })
    return { changed: true }
  })
}

/**
 * The account with its sessions, memberships and tokens. Tokens that this person made for organizations go too, for they
 * may have kept a copy: `keepTokens` leaves those. Throws `InvalidInput`, `SondeError` (`not-found`; `conflict`: the last
 * operator and the last owner of an organization stay).
 */
export async function deleteUser(
  { records, clock }: Deps,
  viewer: OperatorViewer,
  input: { readonly email: string; readonly keepTokens?: boolean },
): Promise<{ readonly orgTokens: number }> {
  const operation = 'delete a user'
  const { email, keepTokens } = readInput(operation, DELETE, input)
  return writeTransaction(records, async (tx) => {
    const person = await findPerson(tx, operation, email)
    await keepAnOperator(tx, operation, person)
    await keepOwners(tx, operation, person)
    const atMs = clock.nowMs()
    const memberships = await tx
      .deleteFrom('member')
      .where('user_id', '=', person.id)
      .returning(['org_id', 'role'])
      .execute()
    for (const { org_id: orgId, role: before } of memberships) {
      const detail = { before }
      await writeAudit(tx, { orgId, viewer, action: 'member.remove', subject: person.id, detail, atMs })
    }
    if (!keepTokens) await tx.deleteFrom('api_token').where('made_by', '=', person.id).execute()
    await forgetMentions(tx, person.id)
    await tx.deleteFrom('status_subscriber').where('address', '=', email.toLowerCase()).execute()
    // Sessions, password, second factor and personal tokens go along (ON DELETE CASCADE).
    await tx.deleteFrom('user').where('id', '=', person.id).execute()
    await writeAudit(tx, { orgId: null, viewer, action: 'user.delete', subject: person.id, atMs })
    return { orgTokens: await tokensForOrgs(tx, person.id) }
  })
}

/** All at once: who owns several organizations alone wants to know of each. */
async function keepOwners(
  tx: Records,
  operation: string,
  person: { readonly id: string; readonly email: string },
): Promise<void> {
  const alone = await tx
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.org_id')
    .select('organization.slug')
    .where('member.user_id', '=', person.id)
    .where('member.role', '=', 'owner')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('member as other')
            .innerJoin('user', 'user.id', 'other.user_id')
            .select('other.user_id')
            .whereRef('other.org_id', '=', 'member.org_id')
            .where('other.role', '=', 'owner')
            .where('other.user_id', '!=', person.id)
            .where('user.disabledMs', 'is', null),
        ),
      ),
    )
    .orderBy('organization.slug')
    .execute()
  if (alone.length === 0) return
  const names = alone.map(({ slug }) => `"${slug}"`).join(', ')
  throw new SondeError('conflict', `${person.email} is the last owner of ${names}`, {
    operation,
    subject: person.email,
    hint: 'Make somebody else an owner first: sonde user create --email EMAIL --org ORG --role owner',
  })
}

async function tokensForOrgs(tx: Records, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('api_token')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('made_by', '=', userId)
    .where('user_id', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

type FoundPerson = {
  readonly id: string
  readonly email: string
  readonly isOperator: number
  readonly disabledMs: number | null
}

/** By address, in whatever case it was typed. Throws `SondeError` (`not-found`). */
export async function findPerson(records: Records, operation: string, typed: string): Promise<FoundPerson> {
  const email = typed.toLowerCase()
  const person = await records
    .selectFrom('user')
    .select(['id', 'email', 'isOperator', 'disabledMs'])
    .where('email', '=', email)
    .executeTakeFirst()
  if (person) return person
  throw new SondeError('not-found', `nobody has the address ${email}`, { operation, subject: email })
}
