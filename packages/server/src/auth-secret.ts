/** The secret that signs session cookies: made once per installation, kept with the records. */
import { randomBytes } from 'node:crypto'
import type { Records } from '@sonde/stores'

const NAME = 'auth_secret'

/** Safe when several processes ask for the first time at once: the first one's secret stays. */
export async function authSecret(records: Records): Promise<string> {
  await records
    .insertInto('setting')
    .values({ name: NAME, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { value } = await records
    .selectFrom('setting')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
  return value
}
