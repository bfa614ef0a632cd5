/** `sonde user create`: adds a person to an organisation. */
import { operatorViewer } from '@sonde/access'
import { createUser, DEFAULT_ORG_SLUG } from '@sonde/commands'
import { type Role, ROLES } from '@sonde/stores'
import { type CommandInput, UsageError } from './arguments.ts'
import { print } from './print.ts'
import { readPassword } from './read-password.ts'
import { withCommands } from './with-commands.ts'

export async function run(input: CommandInput): Promise<number> {
  const { need, text, flag } = input
  const email = need('email')
  const org = text('org') ?? DEFAULT_ORG_SLUG
  const role = readRole(text('role'))
  const password = await readPassword(input)
  return withCommands(async (deps) => {
    const user = await createUser(deps, await deps.access.openOrg(operatorViewer, org, 'member:write'), {
      email,
      role,
      name: text('name'),
      password,
    })
    if (flag('json'))
      print(
        JSON.stringify({ userId: user.userId, email, isNew: user.isNew, password: user.generatedPassword }),
      )
    else {
      print(`${email} ${user.isNew ? 'was added to' : 'had an account and is now in'} ${org}`)
      if (user.generatedPassword) print(`Password  ${user.generatedPassword}  (shown only now)`)
    }
    return 0
  })
}

function readRole(text: string | undefined): Role | undefined {
  if (text === undefined) return undefined
  const role = ROLES.find((known) => known === text)
  if (!role) throw new UsageError(`--role is one of ${ROLES.join(', ')}`)
  return role
}
