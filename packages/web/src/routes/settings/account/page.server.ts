import { MIN_PASSWORD_CHARS } from '@sonde/access'
import { scopesOfRole } from '@sonde/commands'
import { accountSessions, personalTokens } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { changeAccount } from '../../../account/change-account.server.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { requireViewer } from '../../../server/page-scope.ts'

export async function load(args: LoadArgs<AppContext>) {
  const viewer = requireViewer(args)
  const { queries, access } = args.context
  const [sessions, tokens, twoFactor] = await Promise.all([
    accountSessions(queries, viewer),
    personalTokens(queries, viewer),
    access.twoFactorState(viewer),
  ])
  const { name, email, memberships } = viewer
  return {
    name,
    email,
    sessions,
    tokens,
    twoFactor,
    minPasswordChars: MIN_PASSWORD_CHARS,
    orgs: memberships.map(({ orgSlug, orgName }) => ({ slug: orgSlug, name: orgName })),
    // Of any of the organisations; what is beyond the role in the chosen one is refused beside the field.
    scopes: [...new Set(memberships.flatMap(({ role }) => scopesOfRole(role)))],
  }
}

export const action = (args: ActionArgs<AppContext>) => changeAccount(args)
