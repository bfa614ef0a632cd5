/** `sonde token …`: API tokens of programs. */
import { openInstallation, operatorViewer } from '@sonde/access'
import { type CommandInput, print, table, UsageError } from '@sonde/cli'
import { createToken, deleteToken } from '@sonde/commands'
import { listAllTokens, type TokenOfOrgRow } from '@sonde/queries'
import { withCommands } from './with-commands.ts'

/** A token that builds upload with says so itself. */
const useOf = (token: string): string =>
  token.startsWith('sntrys_')
    ? 'Builds need nothing else: set it as SENTRY_AUTH_TOKEN.'
    : 'Send it as "Authorization: Bearer …".'

const endOf = (expiresMs: number | undefined): string =>
  expiresMs === undefined
    ? 'does not expire (--expires-days 90 would make it)'
    : `expires on ${new Date(expiresMs).toISOString().slice(0, 10)}`

/** `sonde token create`: an API token for programs, shown once. */
export async function create({ need, text, flag }: CommandInput): Promise<number> {
  const name = text('name') ?? 'command line'
  const scopes = need('scopes')
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '')
  const days = text('expires-days')
  const expiresInDays = days === undefined ? null : Number(days)
  return withCommands(async (deps) => {
    const org = text('org')
    const grant =
      org === undefined
        ? openInstallation(operatorViewer)
        : await deps.access.openOrg(operatorViewer, org, 'token:write')
    const { id, token, expiresMs } = await createToken(deps, grant, { name, scopes, expiresInDays })
    if (flag('json')) print(JSON.stringify({ id, token, expiresMs }))
    else print(`${token}\nIt is shown only now, and ${endOf(expiresMs)}. ${useOf(token)}`)
    return 0
  })
}

/** `sonde token list`: which programs may come in, and with what. */
export async function list({ text, flag }: CommandInput): Promise<number> {
  const org = text('org')
  return withCommands(async (deps) => {
    // An organization that does not exist is said so, not shown as an empty list.
    const only = org && (await deps.access.openOrg(operatorViewer, org, 'member:read')).orgSlug
    const tokens = (await listAllTokens(deps, openInstallation(operatorViewer))).filter(
      ({ orgSlug }) => only === undefined || orgSlug === only,
    )
    if (flag('json')) print(JSON.stringify(tokens))
    else if (tokens.length === 0) print('There is no token. Make one: sonde token create')
    else {
      const heads = ['id', 'name', 'for', 'made by', 'scopes', 'made', 'used', 'expires']
      const nowMs = deps.clock.nowMs()
      print(table([heads, ...tokens.map((token) => tokenCells(token, nowMs))]))
    }
    return 0
  })
}

function tokenCells(token: TokenOfOrgRow, nowMs: number): readonly string[] {
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

/** `sonde token delete`: takes an API token back. */
export async function remove({ positionals: [id = ''], flag }: CommandInput): Promise<number> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new UsageError(`"${id}" is no number: sonde token list shows them`)
  return withCommands(async (deps) => {
    const { name } = await deleteToken(deps, openInstallation(operatorViewer), { tokenId: Number(id) })
    if (flag('json')) print(JSON.stringify({ id: Number(id), name }))
    else print(`Token ${id} (${name}) was deleted: the next request with it is refused.`)
    return 0
  })
}
