/** `sonde user …`: people, for who has the machine. */
import { openInstallation, operatorViewer } from '@sonde/access'
import { type CommandInput, print, table, UsageError } from '@sonde/cli'
import {
  createUser,
  DEFAULT_ORG_SLUG,
  deleteUser,
  disableUser,
  enableUser,
  removeMember,
  resetPassword,
  resetTwoFactor,
  setOperator,
  type TokensAfter,
} from '@sonde/commands'
import { listPeople, type PersonRow } from '@sonde/queries'
import { ROLES, type Role } from '@sonde/stores'
import { readPassword } from './read-password.ts'
import { withCommands } from './with-commands.ts'

/** `sonde user create`: adds a person to an organization. */
export async function create(input: CommandInput): Promise<number> {
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

/** `sonde user list`: who has an account here, and what they may. */
export async function list({ text, flag }: CommandInput): Promise<number> {
  const org = text('org')
  return withCommands(async (deps) => {
    // An organization that does not exist is said so, not shown as an empty list.
    const only = org && (await deps.access.openOrg(operatorViewer, org, 'member:read')).orgSlug
    const people = (await listPeople(deps, openInstallation(operatorViewer))).filter(
      ({ memberships }) => only === undefined || memberships.some(({ orgSlug }) => orgSlug === only),
    )
    if (flag('json')) print(JSON.stringify(people))
    else if (people.length === 0) print('Nobody yet. Add somebody: sonde user create --email EMAIL --org ORG')
    else
      print(
        table([
          ['e-mail', 'name', 'roles', 'installation', 'two-factor', 'last seen'],
          ...people.map(personCells),
        ]),
      )
    return 0
  })
}

function personCells(person: PersonRow): readonly string[] {
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

/** `sonde user remove`: takes a person out of an organization. The account stays. */
export async function remove({ need, flag }: CommandInput): Promise<number> {
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

/** `sonde user delete`: an account with everything that belongs to it. */
export async function deleteAccount({ need, flag }: CommandInput): Promise<number> {
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

/** `sonde user disable`: for an account in the wrong hands, and for who is away for long. */
export async function disable({ need, flag }: CommandInput): Promise<number> {
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

/** `sonde user enable`: takes `sonde user disable` back. */
export async function enable({ need, flag }: CommandInput): Promise<number> {
  const email = need('email')
  return withCommands(async (deps) => {
    const { changed } = await enableUser(deps, operatorViewer, { email })
    if (flag('json')) print(JSON.stringify({ email, changed }))
    else print(changed ? `${email} may sign in again.` : `${email} was not disabled.`)
    return 0
  })
}

/** `sonde user set-operator`: who looks after the whole installation. */
export async function makeOperator({ need, flag }: CommandInput): Promise<number> {
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

/** `sonde user set-password`: for who forgot it. */
export async function setPassword(given: CommandInput): Promise<number> {
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

/** `sonde user reset-two-factor`: for who lost phone and backup codes. */
export async function turnTwoFactorOff({ need, flag }: CommandInput): Promise<number> {
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

const count = (tokens: number): string => (tokens === 1 ? '1 token' : `${tokens} tokens`)

/** What became of a person's own tokens. Nothing when there are none. */
function tokensText({ endedTokens, keptTokens }: TokensAfter): readonly string[] {
  return [
    ...(endedTokens > 0 ? [`${count(endedTokens)} of theirs ended.`] : []),
    ...(keptTokens > 0
      ? [`${count(keptTokens)} of theirs still work: sonde token list, sonde token delete ID`]
      : []),
  ]
}
