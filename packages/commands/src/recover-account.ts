/** For people who are locked out: only the operator, at the command line, does these. */
import type { OperatorViewer } from '@sonde/access'
import type { AuditAction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { randomPassword } from './create-user.ts'
import { asFieldError, emailField, readInput } from './fields.ts'
import { findPerson } from './people/accounts.ts'
import { endPersonalTokens } from './tokens/change-token.ts'

const PERSON = z.object({ email: emailField })
const RESET_TWO_FACTOR = PERSON.extend({ endTokens: z.boolean().default(false) })
const NEW_PASSWORD = PERSON.extend({
  password: z.string().optional(),
  keepTokens: z.boolean().default(false),
})

/** Of the person's own tokens: how many ended, and how many go on working. */
export type TokensAfter = { readonly endedTokens: number; readonly keptTokens: number }

/**
 * From now on the password alone signs in; sessions go on, and tokens unless `endTokens`. `wasOn` false: it was off.
 * Throws `InvalidInput`, `SondeError` (`not-found`).
 */
export async function resetTwoFactor(
  deps: CommandDeps,
  viewer: OperatorViewer,
  input: { readonly email: string; readonly endTokens?: boolean },
): Promise<TokensAfter & { readonly wasOn: boolean }> {
  const operation = 'reset two-factor sign-in'
  const { email, endTokens } = readInput(operation, RESET_TWO_FACTOR, input)
  const { id: userId } = await findPerson(deps.records, operation, email)
  const wasOn = await deps.access.resetTwoFactor(userId)
  const tokens = await tokensAfter(deps, userId, endTokens)
  if (wasOn || tokens.endedTokens > 0) await audit(deps, viewer, 'account.two-factor-reset', userId, tokens)
  return { wasOn, ...tokens }
}

/**
 * Ends every session of that person, and their own tokens unless `keepTokens`: whoever had the password may have made
 * some. Returns the password that was made up when none was given. Throws `InvalidInput` (`email`, `password`),
 * `SondeError` (`not-found`).
 */
export async function resetPassword(
  deps: CommandDeps,
  viewer: OperatorViewer,
  input: {
    readonly email: string
    readonly password?: string | undefined
    readonly keepTokens?: boolean
  },
): Promise<TokensAfter & { readonly generatedPassword: string | undefined }> {
  const operation = 'set a password'
  const { email, password, keepTokens } = readInput(operation, NEW_PASSWORD, input)
  const { id: userId } = await findPerson(deps.records, operation, email)
  const generatedPassword = password === undefined ? randomPassword() : undefined
  await asFieldError(operation, {}, () =>
    deps.access.setPassword(userId, password ?? generatedPassword ?? ''),
  )
  const tokens = await tokensAfter(deps, userId, !keepTokens)
  await audit(deps, viewer, 'account.password-reset', userId, tokens)
  return { generatedPassword, ...tokens }
}

async function tokensAfter({ records }: CommandDeps, userId: string, end: boolean): Promise<TokensAfter> {
  if (end) return { endedTokens: await endPersonalTokens(records, userId), keptTokens: 0 }
  const kept = await records.selectFrom('api_token').select('id').where('user_id', '=', userId).execute()
  return { endedTokens: 0, keptTokens: kept.length }
}

function audit(
  deps: CommandDeps,
  viewer: OperatorViewer,
  action: AuditAction,
  subject: string,
  detail: TokensAfter,
): Promise<void> {
  return writeAudit(deps.records, { orgId: null, viewer, action, subject, detail, atMs: deps.clock.nowMs() })
}
