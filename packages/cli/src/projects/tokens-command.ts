/** `sonde tokens`: those of an organization. No token may see or make tokens, so a password is asked for. */
import { type CommandInput, UsageError } from '../arguments.ts'
import { withPasswordSession } from '../auth/password-session.ts'
import { type Connection, connectWithoutToken } from '../client/connection.ts'
import { agoText } from '../client/time-text.ts'
import { note, print } from '../print.ts'
import { fittedTable } from '../text-width.ts'

type TokenJson = {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly dateCreated: string
  readonly dateLastUsed: string | null
  readonly dateExpires: string | null
  readonly createdBy: { readonly id: string; readonly name: string | null } | null
  readonly token?: string
}

/** More no organization has. */
const PAGES = 100
const PAGE_ROWS = 100

const tokensPath = (connection: Pick<Connection, 'org'>, id?: string): string =>
  `/api/0/organizations/${encodeURIComponent(connection.org())}/org-auth-tokens/${id === undefined ? '' : `${id}/`}`

const tokenAnswer = ({ id, name, scopes, dateCreated, dateLastUsed, dateExpires, createdBy }: TokenJson) => ({
  id,
  name,
  scopes,
  created: dateCreated,
  lastUsed: dateLastUsed,
  expires: dateExpires,
  createdBy: createdBy && { id: createdBy.id, name: createdBy.name },
})

export async function list(input: CommandInput): Promise<number> {
  const connection = connectWithoutToken(input)
  const path = tokensPath(connection)
  const tokens = await withPasswordSession(connection.url, input, async ({ call }) => {
    const rows: TokenJson[] = []
    for (let page = 0; page < PAGES; page++) {
      const more = await call<readonly TokenJson[]>('GET', `${path}?cursor=0:${page * PAGE_ROWS}:0`)
      rows.push(...more)
      if (more.length < PAGE_ROWS) break
    }
    return rows.map(tokenAnswer)
  })
  if (input.flag('json')) print(JSON.stringify(tokens))
  else if (tokens.length === 0) note(`${connection.org()} has no tokens.`)
  else
    print(
      fittedTable(
        [
          { head: 'id', isNumber: true },
          { head: 'name', isFlexible: true },
          { head: 'scopes', isFlexible: true },
          { head: 'made by' },
          { head: 'last used' },
          { head: 'expires' },
        ],
        tokens.map(({ id, name, scopes, createdBy, lastUsed, expires }) => [
          id,
          name,
          scopes.join(', '),
          createdBy?.name ?? '-',
          lastUsed === null ? 'never' : agoText(lastUsed),
          expires === null ? 'never' : agoText(expires),
        ]),
      ),
    )
  return 0
}

export async function create(input: CommandInput): Promise<number> {
  const connection = connectWithoutToken(input)
  const days = daysOf(input.text('expires-days'))
  const name = input.need('name')
  const scopes = (input.text('scopes') ?? 'org:ci').split(',').filter((scope) => scope !== '')
  const made = await withPasswordSession(connection.url, input, ({ call, password }) =>
    call<TokenJson>('POST', tokensPath(connection), {
      name,
      scopes,
      ...(days !== undefined && { expiresInDays: days }),
      currentPassword: password,
    }),
  )
  if (input.flag('json')) print(JSON.stringify({ ...tokenAnswer(made), token: made.token }))
  else {
    print(made.token ?? '')
    note(
      `${made.name} may ${made.scopes.join(', ')}. It is shown once: keep it where your builds keep secrets.`,
    )
  }
  return 0
}

function daysOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined
  if (text === 'never') return null
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1) return days
  throw new UsageError('--expires-days is a whole number, or never')
}

export async function revoke(input: CommandInput): Promise<number> {
  const [id = ''] = input.positionals
  if (!/^\d{1,15}$/.test(id)) throw new UsageError('name the token by its id: sonde tokens list')
  const connection = connectWithoutToken(input)
  await withPasswordSession(connection.url, input, ({ call }) => call('DELETE', tokensPath(connection, id)))
  if (input.flag('json')) print(JSON.stringify({ id }))
  else print(`Token ${id} is revoked: the next request with it is refused.`)
  return 0
}
