/** `sonde token create`: an API token for programs, shown once. */
import { operatorViewer } from '@sonde/access'
import { createToken } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { withCommands } from './with-commands.ts'

export async function run({ need, text, flag }: CommandInput): Promise<number> {
  const name = need('name')
  const scopes = need('scopes')
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '')
  return withCommands(async (deps) => {
    const { token } = await createToken(deps, operatorViewer, { name, scopes, org: text('org') })
    print(
      flag('json')
        ? JSON.stringify({ token })
        : `${token}\nIt is shown only now. Send it as "Authorization: Bearer …".`,
    )
    return 0
  })
}
