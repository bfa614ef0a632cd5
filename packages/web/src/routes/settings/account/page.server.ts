import { MIN_PASSWORD_CHARS } from '@sonde/access'
import { scopesOfRole } from '@sonde/commands'
import { accountSessions, allowsEndlessTokens, personalTokens } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { changeAccount } from './change-account.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { requireViewer } from '../../../parts/access/page-grant.server.ts'

/** So long a new token is pointed out. */
const RECENT_MS = 7 * 86_400_000

export async function load(args: LoadArgs<AppContext>) {
  const viewer = requireViewer(args)
  const { queries, access, clock } = args.context
  const orgIds = viewer.memberships.map(({ orgId }) => orgId)
  const [sessions, tokens, twoFactor, mayBeEndless] = await Promise.all([
    accountSessions(queries, viewer),
    personalTokens(queries, viewer),
    access.twoFactorState(viewer),
    allowsEndlessTokens(queries, orgIds),
  ])
  const { name, email, memberships } = viewer
  const recentMs = clock.nowMs() - RECENT_MS
  return {
    name,
    email,
    sessions,
    tokens: tokens.map((token) => ({ ...token, isRecent: token.createdMs > recentMs })),
    twoFactor,
    mayBeEndless,
    minPasswordChars: MIN_PASSWORD_CHARS,
    orgs: memberships.map(({ orgSlug, orgName }) => ({ slug: orgSlug, name: orgName })),
    // Of any of the organizations; what is beyond the role in the chosen one is refused beside the field.
    scopes: [...new Set(memberships.flatMap(({ role }) => scopesOfRole(role)))],
  }
}

export const action = (args: ActionArgs<AppContext>) => changeAccount(args)
