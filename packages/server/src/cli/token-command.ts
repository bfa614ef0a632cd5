/** `sonde token create`: an API token for programs, shown once. */
import { operatorViewer } from '@sonde/access'
import { createToken } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { withCommands } from './with-commands.ts'

/** A token that builds upload with says so itself. */
const useOf = (token: string): string =>
  token.startsWith('sntrys_')
    ? 'Builds need nothing else: set it as SENTRY_AUTH_TOKEN.'
    : 'Send it as "Authorization: Bearer …".'

export async function run({ need, text, flag }: CommandInput): Promise<number> {
  const name = text('name') ?? 'command line'
  const scopes = need('scopes')
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '')
  return withCommands(async (deps) => {
    const { token } = await createToken(deps, operatorViewer, { name, scopes, org: text('org') })
    print(flag('json') ? JSON.stringify({ token }) : `${token}\nIt is shown only now. ${useOf(token)}`)
    return 0
  })
}
