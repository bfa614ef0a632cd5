/** For people who are locked out: only the operator, at the command line, does these. */
import type { OperatorViewer } from '@sonde/access'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { randomPassword } from './create-user.ts'
import { emailField } from './fields.ts'
import { findPerson } from './find-person.ts'
import { readInput } from './invalid-input.ts'
import { asFieldError } from './wrong-secret.ts'

const PERSON = z.object({ email: emailField })
const NEW_PASSWORD = PERSON.extend({ password: z.string().optional() })

/**
 * From now on the password alone signs in; sessions go on. `wasOn` false: there was nothing to do. Throws
 * `InvalidInput`, `SondeError` (`not-found`).
 */
export async function resetTwoFactor(
  deps: CommandDeps,
  viewer: OperatorViewer,
  input: { readonly email: string },
): Promise<{ readonly wasOn: boolean }> {
  const operation = 'reset two-factor sign-in'
  const { email } = readInput(operation, PERSON, input)
  const { id: userId } = await findPerson(deps.records, operation, email)
  const wasOn = await deps.access.resetTwoFactor(userId)
  if (wasOn) await audit(deps, viewer, 'account.two-factor-reset', userId)
  return { wasOn }
}

/**
 * Ends every session of that person. Returns the password that was made up when none was given. Throws
 * `InvalidInput` (`email`, `password`), `SondeError` (`not-found`).
 */
export async function resetPassword(
  deps: CommandDeps,
  viewer: OperatorViewer,
  input: { readonly email: string; readonly password?: string | undefined },
): Promise<{ readonly generatedPassword: string | undefined }> {
  const operation = 'set a password'
  const { email, password } = readInput(operation, NEW_PASSWORD, input)
  const { id: userId } = await findPerson(deps.records, operation, email)
  const generatedPassword = password === undefined ? randomPassword() : undefined
  await asFieldError(operation, {}, () =>
    deps.access.setPassword(userId, password ?? generatedPassword ?? ''),
  )
  await audit(deps, viewer, 'account.password-reset', userId)
  return { generatedPassword }
}

function audit(deps: CommandDeps, viewer: OperatorViewer, action: string, subject: string): Promise<void> {
  const entry = { orgId: null, viewer, action, subject, detail: {}, atMs: deps.clock.nowMs() }
  return writeAudit(deps.records, entry)
}
