/** `sonde user enable`: takes `sonde user disable` back. */
import { operatorViewer } from '@sonde/access'
import { enableUser } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { withCommands } from './with-commands.ts'

export async function run({ need, flag }: CommandInput): Promise<number> {
  const email = need('email')
  return withCommands(async (deps) => {
    const { changed } = await enableUser(deps, operatorViewer, { email })
    if (flag('json')) print(JSON.stringify({ email, changed }))
    else print(changed ? `${email} may sign in again.` : `${email} was not disabled.`)
    return 0
  })
}
