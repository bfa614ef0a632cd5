/** Who looks after the installation: only the command line decides it. */
import type { OperatorViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { emailField } from '../fields.ts'
import { findPerson } from './find-person.ts'
import { readInput } from '../invalid-input.ts'

const INPUT = z.object({ email: emailField, isOperator: z.boolean() })

/**
 * An operator sees dead letters and totals of all organisations and owns those that are made from now on; the roles in
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
export async function keepAnOperator(
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
