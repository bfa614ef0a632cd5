/** `sonde user disable`: for an account in the wrong hands, and for who is away for long. */
import { operatorViewer } from '@sonde/access'
import { disableUser } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { withCommands } from './with-commands.ts'

export async function run({ need, flag }: CommandInput): Promise<number> {
  const email = need('email')
  return withCommands(async (deps) => {
    const { changed, orgTokens } = await disableUser(deps, operatorViewer, { email })
    if (flag('json')) print(JSON.stringify({ email, changed, orgTokens }))
    else {
      print(
        changed
          ? `${email} is disabled: every session has ended, sign-in and personal tokens are refused.`
          : `${email} was disabled already.`,
      )
      if (orgTokens > 0)
        print(`${orgTokens} of the tokens they made for organizations still work: sonde token list`)
    }
    return 0
  })
}
