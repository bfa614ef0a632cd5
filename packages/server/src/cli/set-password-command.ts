/** `sonde user set-password`: for who forgot it. */
import { operatorViewer } from '@sonde/access'
import { resetPassword } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { readPassword } from './read-password.ts'
import { tokensText } from './tokens-text.ts'
import { withCommands } from './with-commands.ts'

export async function run(given: CommandInput): Promise<number> {
  const { need, flag } = given
  const email = need('email')
  const password = await readPassword(given)
  return withCommands(async (deps) => {
    const input = { email, password, keepTokens: flag('keep-tokens') }
    const { generatedPassword, ...tokens } = await resetPassword(deps, operatorViewer, input)
    if (flag('json')) print(JSON.stringify({ email, password: generatedPassword, ...tokens }))
    else {
      print(`The password of ${email} was set; every session of theirs has ended.`)
      for (const line of tokensText(tokens)) print(line)
      if (generatedPassword) print(`Password  ${generatedPassword}  (shown only now)`)
    }
    return 0
  })
}
