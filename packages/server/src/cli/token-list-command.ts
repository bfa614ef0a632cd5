/** `sonde token list`: which programs may come in, and with what. */
import { openInstallation, operatorViewer } from '@sonde/access'
import { listAllTokens, type TokenOfOrgRow } from '@sonde/queries'
import type { CommandInput } from './arguments.ts'
import { print, table } from './print.ts'
import { withCommands } from './with-commands.ts'

export async function run({ text, flag }: CommandInput): Promise<number> {
  const org = text('org')
  return withCommands(async (deps) => {
    // An organisation that does not exist is said so, not shown as an empty list.
    const only = org && (await deps.access.openOrg(operatorViewer, org, 'member:read')).orgSlug
    const tokens = (await listAllTokens(deps, openInstallation(operatorViewer))).filter(
      ({ orgSlug }) => only === undefined || orgSlug === only,
    )
    if (flag('json')) print(JSON.stringify(tokens))
    else if (tokens.length === 0) print('There is no token. Make one: sonde token create')
    else {
      const heads = ['id', 'name', 'for', 'made by', 'scopes', 'made', 'used', 'expires']
      const nowMs = deps.clock.nowMs()
      print(table([heads, ...tokens.map((token) => line(token, nowMs))]))
    }
    return 0
  })
}

function line(token: TokenOfOrgRow, nowMs: number): readonly string[] {
  const { expiresMs } = token
  return [
    String(token.id),
    token.name,
    `${token.orgSlug ?? 'all organizations'}${token.isPersonal ? ' (personal)' : ''}`,
    token.madeBy === undefined ? 'command line' : (token.madeBy.email ?? 'somebody who left'),
    token.scopes.join(','),
    day(token.createdMs),
    token.lastUsedMs === undefined
      ? 'never'
      : `${day(token.lastUsedMs)} ${token.lastUsedAddress ?? ''}`.trim(),
    expiresMs === undefined ? 'never' : `${expiresMs <= nowMs ? 'expired ' : ''}${day(expiresMs)}`,
  ]
}

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
