/** `sonde user delete`: an account with everything that belongs to it. */
import { operatorViewer } from '@sonde/access'
import { deleteUser } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { tokensText } from './tokens-text.ts'
import { withCommands } from './with-commands.ts'

export async function run({ need, flag }: CommandInput): Promise<number> {
  const email = need('email')
  const keepTokens = flag('keep-tokens')
  return withCommands(async (deps) => {
    const { orgTokens } = await deleteUser(deps, operatorViewer, { email, keepTokens })
    if (flag('json')) print(JSON.stringify({ email, orgTokens }))
    else {
      print(`The account of ${email} was deleted, with its sessions, memberships and tokens.`)
      for (const line of tokensText({ endedTokens: 0, keptTokens: orgTokens })) print(line)
    }
    return 0
  })
}
