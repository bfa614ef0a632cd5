/** What is encrypted with the installation's key: secrets of authenticator apps, backup codes, secrets of channels, of trackers, of sign-in providers and of language models. */
import { createHash } from 'node:crypto'
import type { Records } from '@sonde/stores'

// With which key the records were written, without telling the key: a start with another one would lock people out.

/** The name in `setting`. */
export const SECRET_CHECK = 'auth_secret_check'

/** The key is random and long: nobody finds it by trying what leads to this text. */
export const secretCheck = (secret: string): string =>
  createHash('sha256').update(`sonde secret check ${secret}`).digest('base64url')

type Keys = { readonly from: string; readonly to: string }

/** Encrypts secrets of others, which only this installation reads again: those of channels and of trackers. */
export type Seal = {
  seal(text: string): Promise<string>
  /** Throws for what was sealed with another key, or changed. */
  open(sealed: string): Promise<string>
}

export function createSeal(key: string): Seal {
  const crypto = () => import('better-auth/crypto')
  return {
    seal: async (data) => (await crypto()).symmetricEncrypt({ key, data }),
    open: async (data) => (await crypto()).symmetricDecrypt({ key, data }),
  }
}

/** Where secrets of others lie: whoever adds such a table adds it here. */
const SEALED = [
  'notification_channel',
  'tracker_connection',
  'sso_connection',
  'uptime_monitor',
  'language_model',
] as const

/** Within the caller's transaction; returns of how many channels and trackers. What was lost before stays so. */
export async function reencryptChannels(tx: Records, { from, to }: Keys): Promise<number> {
  const [old, next] = [createSeal(from), createSeal(to)]
  let count = 0
  for (const table of SEALED) {
    const rows = await tx.selectFrom(table).select(['id', 'secret']).where('secret', '<>', '').execute()
    for (const { id, secret } of rows) {
      const sealed = await next.seal(await old.open(secret))
      await tx.updateTable(table).set({ secret: sealed }).where('id', '=', id).execute()
    }
    count += rows.length
  }
  return count
}

/** For a key that is lost: they do nothing until somebody enters their secrets again. */
export async function dropChannelSecrets(tx: Records): Promise<number> {
  let count = 0
  for (const table of SEALED) {
    const { numUpdatedRows } = await tx.updateTable(table).set({ secret: '' }).executeTakeFirstOrThrow()
    count += Number(numUpdatedRows)
  }
  return count
}

/** The name in `setting` of the key of push messages, sealed. */
export const VAPID_KEY = 'vapid_key'

/** Within the caller's transaction. Subscriptions are bound to the key, so it stays the same. */
export async function reencryptVapidKey(tx: Records, { from, to }: Keys): Promise<void> {
  const row = await tx.selectFrom('setting').select('value').where('name', '=', VAPID_KEY).executeTakeFirst()
  if (!row) return
  const value = await createSeal(to).seal(await createSeal(from).open(row.value))
  await tx.updateTable('setting').set({ value }).where('name', '=', VAPID_KEY).execute()
}

/** For a key that is lost: the next one is another, and nobody is subscribed to it. */
export async function dropVapidKey(tx: Records): Promise<void> {
  await tx.deleteFrom('setting').where('name', '=', VAPID_KEY).execute()
  await tx.deleteFrom('push_subscription').execute()
}

/** Within the caller's transaction; returns of how many people. Throws when `from` is not the key they were written with. */
export async function reencryptSecondFactors(tx: Records, { from, to }: Keys): Promise<number> {
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
  const again = async (data: string): Promise<string> =>
    symmetricEncrypt({ key: to, data: await symmetricDecrypt({ key: from, data }) })
  const rows = await tx.selectFrom('twoFactor').select(['id', 'secret', 'backupCodes']).execute()
  for (const { id, secret, backupCodes } of rows)
    await tx
      .updateTable('twoFactor')
      .set({ secret: await again(secret), backupCodes: await again(backupCodes) })
      .where('id', '=', id)
      .execute()
  return rows.length
}

/** For a key that is lost: nobody can read these any more, so a passkey or the password alone signs in. */
export async function dropSecondFactors(tx: Records): Promise<number> {
  const rows = await tx.deleteFrom('twoFactor').returning('id').execute()
  await tx
    .updateTable('user')
    .set({ twoFactorEnabled: 0 })
    .where('twoFactorEnabled', '=', 1)
    .where('id', 'not in', (eb) => eb.selectFrom('passkey').select('user_id'))
    .execute()
  return rows.length
}
