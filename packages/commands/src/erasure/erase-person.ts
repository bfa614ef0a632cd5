/** Asks for everything that is stored of a person to be erased: `startErasures` does it. */
import { actorOf, type Grant } from '@sonde/access'
import { inProjects, type Person, personHash, readPerson, writeTransaction, withHidden } from '@sonde/stores'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput } from '../fields.ts'

export type PersonInput = {
  readonly id?: string | undefined
  readonly email?: string | undefined
  readonly ip?: string | undefined
}

export type RequestedErasure = { readonly id: number; readonly isNew: boolean }

/** Of a form or a request. Throws `InvalidInput`. */
export function personOfInput(operation: string, { id, email, ip }: PersonInput): Person {
  const read = readPerson({ id, email, ip })
  if ('person' in read) return read.person
  throw new InvalidInput(operation, { [read.field]: [read.problem] })
}

/**
 * Cannot be undone. It goes on in the background, also over restarts; asked again while it runs, it is the same one. Who it was
 * stands in no entry of the audit log. Throws `InvalidInput`.
 */
export async function erasePerson(
  deps: CommandDeps,
  grant: Grant<'event:delete', 'org' | 'project'>,
  input: PersonInput,
): Promise<RequestedErasure> {
  const person = personOfInput('erase a person', input)
  const hash = personHash(person)
  const atMs = deps.clock.nowMs()
  const scope = nameOf(grant)
  const requested = await writeTransaction(deps.records, async (tx) => {
    // Also those that were deleted and can still be restored.
    const rows = await withHidden(tx)
      .selectFrom('project')
      .select('id')
      .where(inProjects(grant))
      .orderBy('id')
      .execute()
    const projects = JSON.stringify(rows.map((row) => row.id))
    const open = await tx
      .selectFrom('erasure')
      .select('id')
      .where('org_id', '=', grant.orgId)
      .where('person_hash', '=', hash)
      .where('projects', '=', projects)
      // What arrives while it deletes may be left: another one takes that.
      .where('state', '=', 'waits')
      .executeTakeFirst()
    if (open) return { id: open.id, isNew: false }
    const { id } = await tx
      .insertInto('erasure')
      .values({
        org_id: grant.orgId,
        projects,
        scope,
        person: JSON.stringify(person),
        person_hash: hash,
        actor: actorOf(grant.viewer),
        requested_ms: atMs,
        finished_ms: null,
        log_from: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'person.erase',
      subject: scope,
      detail: { erasure: id, by: Object.keys(person), personHash: hash },
      atMs,
    })
    return { id, isNew: true }
  })
  deps.onErasure?.()
  return requested
}

/** Whoever takes the data of a person along is in the audit log; who the person is, is not. */
export const notePersonExport = (
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'event:delete', 'org' | 'project'>,
  person: Person,
): Promise<void> =>
  writeAudit(records, {
    orgId: grant.orgId,
    viewer: grant.viewer,
    action: 'person.export',
    subject: nameOf(grant),
    detail: { by: Object.keys(person), personHash: personHash(person) },
    atMs: clock.nowMs(),
  })
