/**
 * What an organization's directory makes of its people. It takes no grant: the check of the directory's token stands in its
 * place. Membership is all that it changes of somebody who has an account; name, address and password are the person's.
 */
import { randomBytes } from 'node:crypto'
import { domainOf, type ScimCaller } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAuditOf } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { readInput, textField } from '../fields.ts'
import { endMembership } from '../people/members.ts'
import { activate, deactivate } from './scim-membership.ts'

type Deps = Pick<CommandDeps, 'records' | 'access' | 'clock'>

const text = textField(300)
const given = text.min(1, 'is needed')
const EMAIL = z.object({ value: given, type: text.optional(), primary: z.boolean().optional() })
const NAME = z.object({
  formatted: text.optional(),
  familyName: text.optional(),
  givenName: text.optional(),
})
const USER = z.object({
  userName: given,
  externalId: text.optional(),
  active: z.boolean().default(true),
  displayName: text.optional(),
  name: NAME.optional(),
  emails: z.array(EMAIL).max(20, 'are at most 20').default([]),
})
export type ScimUserInput = z.input<typeof USER>
type ScimUser = z.output<typeof USER>

/** Of one organization: people of the directory who have no account yet cost rows like those who have. */
const MAX_PEOPLE = 100_000

/**
 * Somebody who is no member yet. They become one if their address is of a domain that the organization has proved, and has no
 * account that opens anything else; otherwise they are known, and come in by an invitation. Throws `InvalidInput`, `SondeError`
 * (`conflict`: the user name).
 */
export async function createScimUser(
  deps: Deps,
  caller: ScimCaller,
  input: ScimUserInput,
): Promise<{ readonly id: string }> {
  const operation = 'create a person of the directory'
  const user = readInput(operation, USER, input)
  const { orgId } = caller
  await freeUserName(deps.records, operation, orgId, user.userName, undefined)
  const { count } = await deps.records
    .selectFrom('scim_user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_PEOPLE)
    throw new SondeError('forbidden', `an organization has at most ${MAX_PEOPLE} people by SCIM`, {
      operation,
    })
  const account = user.active ? await accountFor(deps, orgId, user) : undefined
  const atMs = deps.clock.nowMs()
  const id = randomBytes(16).toString('hex')
  await writeTransaction(deps.records, async (tx) => {
    await freeUserName(tx, operation, orgId, user.userName, undefined)
    await tx
      .insertInto('scim_user')
      .values({
        id,
        org_id: orgId,
        user_id: account?.userId ?? null,
        ...columnsOf(user),
        kept_role: null,
        kept_teams: '[]',
        created_ms: atMs,
        updated_ms: atMs,
      })
      .execute()
    const state = account ? 'joined' : user.active ? 'waiting' : 'inactive'
    await audit(tx, caller, 'scim.user-create', id, { userName: user.userName, state }, atMs)
    if (account) await activate(tx, caller, { id, userId: account.userId }, account, atMs)
  })
  return { id }
}

/**
 * All of it: what is left out is unassigned. `active: false` takes the membership and all that it gave, at once; `true` gives
 * it back, with the role and the teams of before. Throws as `createScimUser`, and `not-found`, `conflict` (the last owner).
 */
export async function replaceScimUser(
  deps: Deps,
  caller: ScimCaller,
  id: string,
  input: ScimUserInput,
): Promise<void> {
  const operation = 'change a person of the directory'
  const user = readInput(operation, USER, input)
  const { orgId } = caller
  const now = await personOf(deps.records, operation, orgId, id)
  const isWaiting = now.userId === null
  const account = isWaiting && user.active ? await accountFor(deps, orgId, user) : undefined
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const before = await personOf(tx, operation, orgId, id)
    await freeUserName(tx, operation, orgId, user.userName, before)
    const userId = before.userId ?? account?.userId ?? null
    const columns = { ...columnsOf(user), user_id: userId, updated_ms: atMs }
    if (before.hasRow) await tx.updateTable('scim_user').set(columns).where('id', '=', id).execute()
    else
      await tx
        .insertInto('scim_user')
        .values({ id, org_id: orgId, ...columns, kept_role: null, kept_teams: '[]', created_ms: atMs })
        .execute()
    const isChanged =
      before.userName !== user.userName || before.attributes !== columns.attributes || !before.hasRow
    const renamed = before.userName !== user.userName && { before: before.userName }
    if (isChanged)
      await audit(tx, caller, 'scim.user-update', id, { userName: user.userName, ...renamed }, atMs)
    if (userId === null) return
    const person = { id, userId }
    if (user.active && before.role === null)
      await activate(tx, caller, person, account ?? { isNew: false }, atMs)
    if (!user.active && before.role !== null)
      await deactivate(tx, operation, caller, person, before.role, atMs)
  })
}

/** Removes the member, as on the members screen. The account stays, for it is its person's. Throws like `replaceScimUser`. */
export async function deleteScimUser(deps: Deps, caller: ScimCaller, id: string): Promise<void> {
  const operation = 'delete a person of the directory'
  const { orgId, actor, address } = caller
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { userId, role, userName } = await personOf(tx, operation, orgId, id)
    if (userId !== null && role !== null) {
      const end = { orgId, userId, keepTokens: false, actor, atMs }
      const { tokens, issues } = await endMembership(tx, operation, end)
      const detail = { before: role, ...tokens, ...issues, by: 'SCIM' }
      const entry = { orgId, actor, address, action: 'member.remove', subject: userId, detail, atMs } as const
      await writeAuditOf(tx, entry)
    }
    await tx.deleteFrom('scim_user').where('id', '=', id).where('org_id', '=', orgId).execute()
    await audit(tx, caller, 'scim.user-delete', id, { userName }, atMs)
  })
}

function columnsOf(user: ScimUser) {
  const { userName, externalId, displayName, name, emails, active } = user
  const nameOf = name?.formatted ?? [name?.givenName, name?.familyName].filter(Boolean).join(' ')
  return {
    user_name: userName,
    user_name_key: userName.toLowerCase(),
    external_id: externalId || null,
    email: addressOf(user),
    display_name: displayName || nameOf || userName,
    attributes: JSON.stringify({ displayName, name, emails }),
    is_active: Number(active),
  }
}

/** The primary one, or the one of work; Okta and Entra tell it as the user name too. */
function addressOf({ userName, emails }: ScimUser): string {
  const told =
    emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type === 'work') ?? emails[0]
  const address = (told?.value ?? userName).toLowerCase()
  return address.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(address) ? address : ''
}

export type ScimAccount = { readonly userId: string; readonly isNew: boolean }

/** By the rules of single sign-on (`admit-person.ts`). Undefined: nobody may be taken for this person. */
async function accountFor(deps: Deps, orgId: number, user: ScimUser): Promise<ScimAccount | undefined> {
  const email = addressOf(user)
  if (email === '') return undefined
  const { records } = deps
  const domain = await records
    .selectFrom('sso_domain')
    .select('domain')
    .where('org_id', '=', orgId)
    .where('domain', '=', domainOf(email))
    .where('verified_ms', 'is not', null)
    .executeTakeFirst()
  if (!domain) return undefined
  const rows = await records
    .selectFrom('user')
    .leftJoin('member', 'member.user_id', 'user.id')
    .leftJoin('scim_user', (on) =>
      on.onRef('scim_user.user_id', '=', 'user.id').on('scim_user.org_id', '=', orgId),
    )
    .select(['user.id', 'user.disabledMs', 'user.isOperator', 'user.emailVerified', 'member.org_id'])
    .select('scim_user.id as scimId')
    .where('user.email', '=', email)
    .execute()
  const [account] = rows
  if (!account) {
    const name = columnsOf(user).display_name.slice(0, 100)
    return { ...(await deps.access.createUserWithoutPassword({ email, name })), isNew: true }
  }
  const isElsewhere = rows.some(({ org_id }) => org_id !== null && org_id !== orgId)
  const isMember = rows.some(({ org_id }) => org_id === orgId)
  const isOurs = account.isOperator !== 1 && account.emailVerified === 1 && account.disabledMs === null
  // Who is a member, or another person of the directory, has a resource of their own.
  return isOurs && !isElsewhere && !isMember && account.scimId === null
    ? { userId: account.id, isNew: false }
    : undefined
}

/** A member has a resource whether the directory told of them or not: then it has the account's id. */
async function personOf(records: Records, operation: string, orgId: number, id: string) {
  const row = await records
    .selectFrom('scim_user')
    .leftJoin('member', (on) =>
      on.onRef('member.user_id', '=', 'scim_user.user_id').on('member.org_id', '=', orgId),
    )
    .select(['scim_user.user_id as userId', 'user_name as userName', 'attributes', 'member.role'])
    .where('scim_user.id', '=', id)
    .where('scim_user.org_id', '=', orgId)
    .executeTakeFirst()
  if (row) return { ...row, hasRow: true }
  const member = await records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .leftJoin('scim_user', (on) =>
      on.onRef('scim_user.user_id', '=', 'member.user_id').on('scim_user.org_id', '=', orgId),
    )
    .select(['user.id as userId', 'user.email as userName', 'member.role'])
    .where('member.org_id', '=', orgId)
    .where('member.user_id', '=', id)
    .where('scim_user.id', 'is', null)
    .executeTakeFirst()
  if (member) return { ...member, attributes: '', hasRow: false }
  throw new SondeError('not-found', `no person ${id.slice(0, 100)}`, { operation, subject: id.slice(0, 100) })
}

/** Throws `SondeError` (`conflict`, subject `userName`). */
async function freeUserName(
  records: Records,
  operation: string,
  orgId: number,
  userName: string,
  self: { readonly userId: string | null; readonly userName: string } | undefined,
): Promise<void> {
  const key = userName.toLowerCase()
  if (self?.userName.toLowerCase() === key) return
  const taken = await records
    .selectFrom('scim_user')
    .select('id')
    .where('org_id', '=', orgId)
    .where('user_name_key', '=', key)
    .executeTakeFirst()
  const member = await records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .leftJoin('scim_user', (on) =>
      on.onRef('scim_user.user_id', '=', 'member.user_id').on('scim_user.org_id', '=', orgId),
    )
    .select('user.id')
    .where('member.org_id', '=', orgId)
    .where('user.email', '=', key)
    .where('scim_user.id', 'is', null)
    .executeTakeFirst()
  if (!taken && (!member || member.id === self?.userId)) return
  throw new SondeError('conflict', `the user name ${userName} is somebody else's`, {
    operation,
    subject: 'userName',
  })
}

const audit = (
  tx: Records,
  { orgId, actor, address }: ScimCaller,
  action: 'scim.user-create' | 'scim.user-delete' | 'scim.user-update',
  subject: string,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> => writeAuditOf(tx, { orgId, actor, address, action, subject, detail, atMs })
