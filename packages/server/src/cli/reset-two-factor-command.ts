/** `sonde user reset-two-factor`: for who lost phone and backup codes. */
import { operatorViewer } from '@sonde/access'
import { resetTwoFactor } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { tokensText } from './tokens-text.ts'
import { withCommands } from './with-commands.ts'

export async function run({ need, flag }: CommandInput): Promise<number> {
  const email = need('email')
  const endTokens = flag('end-tokens')
  return withCommands(async (deps) => {
    const { wasOn, ...tokens } = await resetTwoFactor(deps, operatorViewer, { email, endTokens })
    if (flag('json')) print(JSON.stringify({ email, wasOn, ...tokens }))
    else {
      print(
        wasOn
          ? `Two-factor sign-in of ${email} is off: the password alone signs in now.`
          : `Two-factor sign-in of ${email} was not on.`,
      )
      for (const line of tokensText(tokens)) print(line)
    }
    return 0
  })
}
