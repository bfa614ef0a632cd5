/** `sonde user list`: who has an account here, and what they may. */
import { openInstallation, operatorViewer } from '@sonde/access'
import { listPeople, type PersonRow } from '@sonde/queries'
import type { CommandInput } from './arguments.ts'
import { print, table } from './print.ts'
import { withCommands } from './with-commands.ts'

export async function run({ text, flag }: CommandInput): Promise<number> {
  const org = text('org')
  return withCommands(async (deps) => {
    // An organisation that does not exist is said so, not shown as an empty list.
    const only = org && (await deps.access.openOrg(operatorViewer, org, 'member:read')).orgSlug
    const people = (await listPeople(deps, openInstallation(operatorViewer))).filter(
      ({ memberships }) => only === undefined || memberships.some(({ orgSlug }) => orgSlug === only),
    )
    if (flag('json')) print(JSON.stringify(people))
    else if (people.length === 0) print('Nobody yet. Add somebody: sonde user create --email EMAIL --org ORG')
    else
      print(
        table([['e-mail', 'name', 'roles', 'installation', 'two-factor', 'last seen'], ...people.map(line)]),
      )
    return 0
  })
}

function line(person: PersonRow): readonly string[] {
  const roles = person.memberships.map(({ orgSlug, role }) => `${orgSlug} ${role}`).join(', ')
  return [
    person.email,
    person.name,
    roles || '-',
    person.isDisabled ? 'disabled' : person.isOperator ? 'operator' : '-',
    person.hasTwoFactor ? 'on' : 'off',
    person.lastSeenMs === undefined ? 'never' : new Date(person.lastSeenMs).toISOString().slice(0, 16),
  ]
}
