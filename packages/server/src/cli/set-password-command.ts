/** `sonde user set-password`: for who forgot it. */
import { operatorViewer } from '@sonde/access'
import { resetPassword } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { withCommands } from './with-commands.ts'

export async function run({ need, text, flag }: CommandInput): Promise<number> {
  const email = need('email')
  return withCommands(async (deps) => {
    const input = { email, password: text('password') }
    const { generatedPassword } = await resetPassword(deps, operatorViewer, input)
    if (flag('json')) print(JSON.stringify({ email, password: generatedPassword }))
    else {
      print(`The password of ${email} was set; every session of theirs has ended.`)
      if (generatedPassword) print(`Password  ${generatedPassword}  (shown only now)`)
    }
    return 0
  })
}
