import type { Records } from '@sonde/stores'

/** All that a person made for themselves, in every organisation. Returns how many. */
export async function endPersonalTokens(tx: Records, userId: string): Promise<number> {
  const ended = await tx.deleteFrom('api_token').where('user_id', '=', userId).returning('id').execute()
  return ended.length
}
