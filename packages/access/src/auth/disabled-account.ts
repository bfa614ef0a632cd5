/** Who is locked out: no session is made for them, by whichever door they come. */
import type { Records } from '@sonde/stores'

export const ACCOUNT_DISABLED = { code: 'ACCOUNT_DISABLED', message: 'this account is disabled' } as const
/** Only whoever knows the password reads it. */
export const DISABLED = 'This account is disabled. Ask whoever runs this Sonde.'

export async function isDisabled(records: Records, userId: string): Promise<boolean> {
  const user = await records
    .selectFrom('user')
    .select('disabledMs')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user === undefined || user.disabledMs !== null
}

/** Leaves the body to be read. */
export async function saysDisabled(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: unknown } | undefined
  return body?.code === ACCOUNT_DISABLED.code
}
