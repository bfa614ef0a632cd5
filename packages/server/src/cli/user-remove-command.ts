/** `sonde user remove`: takes a person out of an organisation. The account stays. */
import { openInstallation, operatorViewer } from '@sonde/access'
import { removeMember } from '@sonde/commands'
import { listPeople } from '@sonde/queries'
import type { CommandInput } from './arguments.ts'
import { print } from './print.ts'
import { tokensText } from './tokens-text.ts'
import { withCommands } from './with-commands.ts'

export async function run({ need, flag }: CommandInput): Promise<number> {
  const email = need('email')
  const org = need('org')
  const keepTokens = flag('keep-tokens')
  return withCommands(async (deps) => {
    const person = (await listPeople(deps, openInstallation(operatorViewer))).find(
      (each) => each.email === email.toLowerCase(),
    )
    // An address of nobody is no member's id: the command says so.
    const userId = person?.userId ?? email
    const tokens = await removeMember(deps, await deps.access.openOrg(operatorViewer, org, 'member:write'), {
      userId,
      keepTokens,
    })
    if (flag('json')) print(JSON.stringify({ email, org, ...tokens }))
    else {
      print(`${email} is out of ${org}.`)
      for (const line of tokensText(tokens)) print(line)
    }
    return 0
  })
}
