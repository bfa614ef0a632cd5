/** Adds a person to an organization. */
import { randomBytes } from 'node:crypto'
import { type Grant, requireAlso } from '@sonde/access'
import { type Role, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { emailField, nameField, readInput } from './fields.ts'
import { keepAnOwner, roleField } from './people/members.ts'
import { joinDirectory } from './scim/scim-membership.ts'

const INPUT = z.object({
  email: emailField,
  name: nameField.optional(),
  password: z.string().optional(),
  role: roleField.default('member'),
})

export type CreateUserInput = {
  readonly email: string
  /** What is before the `@` unless told. */
  readonly name?: string | undefined
  /** A random one unless told. */
  readonly password?: string | undefined
  /** `member` unless told. */
  readonly role?: Role | undefined
}

export type CreatedUser = {
  readonly userId: string
  /** False: the person had an account already, and kept its password. */
  readonly isNew: boolean
  /** Only when it was made up here: to be shown once. */
  readonly generatedPassword: string | undefined
}

/**
 * Idempotent; for somebody who is a member already only the role changes. Needs `org:write` too
 * to make an owner or to change what an owner may. Throws `InvalidInput`, `SondeError` (also `conflict`: the last
 * owner stays one).
 */
export async function createUser(
  deps: CommandDeps,
  grant: Grant<'member:write', 'org'>,
  input: CreateUserInput,
): Promise<CreatedUser> {
  const { role, ...person } = readInput('create a user', INPUT, input)
  if (role === 'owner' || (await isOwner(deps, grant.orgId, person.email))) {
    requireAlso(grant, 'org:write')
  }
  const user = await findOrCreate(deps, person)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const member = { orgId: grant.orgId, userId: user.userId }
    if (role !== 'owner') await keepAnOwner(tx, 'create a user', member)
    await tx
      .insertInto('member')
      .values({ org_id: grant.orgId, user_id: user.userId, role, created_ms: atMs })
      .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role }))
      .execute()
    await joinDirectory(tx, grant.orgId, user.userId, atMs)
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: user.isNew ? 'user.create' : 'member.set',
      subject: user.userId,
      detail: { role },
      atMs,
    })
  })
  return user
}

async function findOrCreate(
  { records, access }: CommandDeps,
  person: { email: string; name?: string | undefined; password?: string | undefined },
): Promise<CreatedUser> {
  const email = person.email.toLowerCase()
  const known = await records.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  if (known) return { userId: known.id, isNew: false, generatedPassword: undefined }
  const generatedPassword = person.password === undefined ? randomPassword() : undefined
  const { userId } = await access.createUser({
    email,
    name: person.name ?? email.slice(0, email.indexOf('@')),
    password: person.password ?? generatedPassword ?? '',
  })
  return { userId, isNew: true, generatedPassword }
}

async function isOwner({ records }: CommandDeps, orgId: number, email: string): Promise<boolean> {
  const row = await records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('member.role')
    .where('member.org_id', '=', orgId)
    .where('user.email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row?.role === 'owner'
}

/** 120 bits in 20 characters that can be read aloud and typed. */
export const randomPassword = (): string => randomBytes(15).toString('base64url')
