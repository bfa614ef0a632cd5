/** `sonde token create`: an API token for programs, shown once. */
import { openInstallation, operatorViewer } from '@sonde/access'
import { createToken } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
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

export async function run({ need, text, flag }: CommandInput): Promise<number> {
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
