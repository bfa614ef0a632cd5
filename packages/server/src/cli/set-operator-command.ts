/** `sonde user set-operator`: who looks after the whole installation. */
import { operatorViewer } from '@sonde/access'
import { setOperator } from '@sonde/commands'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { withCommands } from './with-commands.ts'

export async function run({ need, flag }: CommandInput): Promise<number> {
  const email = need('email')
  const isOperator = !flag('off')
  return withCommands(async (deps) => {
    const { changed } = await setOperator(deps, operatorViewer, { email, isOperator })
    if (flag('json')) print(JSON.stringify({ email, isOperator, changed }))
    else {
      const now = isOperator ? 'an operator' : 'no operator'
      print(changed ? `${email} is ${now} from now on.` : `${email} was ${now} already.`)
    }
    return 0
  })
}
