import { SondeError } from '@sonde/base'
import type { Records } from '@sonde/stores'

export type FoundPerson = {
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
