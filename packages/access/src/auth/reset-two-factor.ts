import type { Auth } from './create-auth.ts'

/** Removes secret and backup codes, also those that were never confirmed. Sessions go on: who has one is in already. */
export async function resetTwoFactor(auth: () => Promise<Auth>, userId: string): Promise<boolean> {
  const { internalAdapter, adapter } = await (await auth()).$context
  const user = (await internalAdapter.findUserById(userId)) as { twoFactorEnabled?: unknown } | null
  await internalAdapter.updateUser(userId, { twoFactorEnabled: false })
  await adapter.deleteMany({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] })
  return Boolean(user?.twoFactorEnabled)
}
