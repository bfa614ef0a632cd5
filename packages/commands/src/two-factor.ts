/** Two-factor sign-in of one's own account: a code that changes every 30 seconds (TOTP, RFC 6238). */
import type { ConfirmedTwoFactor, NewTwoFactor, Renewed, UserViewer } from '@sonde/access'
import { accountAudit } from './account-audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { asFieldError } from './wrong-secret.ts'

type Password = { readonly currentPassword: string }

/**
 * Shows the secret and the backup codes once; not in force before `confirmTwoFactor`, and may be repeated until then.
 * Throws `InvalidInput` (`currentPassword`), `SondeError` (`conflict`: it is on).
 */
export function enableTwoFactor(
  deps: CommandDeps,
  viewer: UserViewer,
  { currentPassword }: Password,
  headers: Headers,
): Promise<NewTwoFactor> {
  return asFieldError('set up two-factor sign-in', {}, () =>
    deps.access.enableTwoFactor(viewer, currentPassword, headers),
  )
}

/**
 * With a code of the app: from now on a sign-in asks for one. `setCookies` belong on the answer; the backup codes are
 * shown once. Throws `InvalidInput` (`code`).
 */
export async function confirmTwoFactor(
  deps: CommandDeps,
  viewer: UserViewer,
  { code }: { readonly code: string },
  headers: Headers,
): Promise<ConfirmedTwoFactor> {
  const confirmed = await asFieldError('confirm two-factor sign-in', {}, () =>
    deps.access.confirmTwoFactor(viewer, code, headers),
  )
  await accountAudit(deps, deps.records, viewer, 'account.two-factor-on')
  return confirmed
}

/** `setCookies` belong on the answer. Throws `InvalidInput` (`currentPassword`). */
export async function disableTwoFactor(
  deps: CommandDeps,
  viewer: UserViewer,
  { currentPassword }: Password,
  headers: Headers,
): Promise<Renewed> {
  const renewed = await asFieldError('switch off two-factor sign-in', {}, () =>
    deps.access.disableTwoFactor(viewer, currentPassword, headers),
  )
  await accountAudit(deps, deps.records, viewer, 'account.two-factor-off')
  return renewed
}

/** The old ones stop working. Throws `InvalidInput` (`currentPassword`), `SondeError` (`conflict`: it is off). */
export async function newBackupCodes(
  deps: CommandDeps,
  viewer: UserViewer,
  { currentPassword }: Password,
  headers: Headers,
): Promise<readonly string[]> {
  const codes = await asFieldError('make new backup codes', {}, () =>
    deps.access.newBackupCodes(viewer, currentPassword, headers),
  )
  await accountAudit(deps, deps.records, viewer, 'account.backup-codes')
  return codes
}
