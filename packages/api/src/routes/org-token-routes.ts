/**
 * Tokens of an organization (https://docs.sentry.io/account/auth-tokens/#organization-tokens). No scope lists or makes
 * tokens, so that one that leaked finds no others: only a person who is signed in does, and to make one the password is
 * asked for again.
 */
import { createToken, deleteToken, InvalidInput, renameToken } from '@sonde/commands'
import { listTokens, type TokenOfOrgRow } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, orgGrant, pathParam } from '../api-context.ts'
import { jsonBody, type JsonBody } from '../json-body.ts'
import { setPage } from '../request-params.ts'
import { isoDate, isoDateOrNull } from '../serializers/date.ts'

/** `dateExpires` and `createdBy` are beside what clients know. */
const orgTokenJson = (row: TokenOfOrgRow) => ({
  id: String(row.id),
  name: row.name,
  scopes: row.scopes,
  dateCreated: isoDate(row.createdMs),
  dateLastUsed: isoDateOrNull(row.lastUsedMs),
  dateExpires: isoDateOrNull(row.expiresMs),
  createdBy: row.madeBy === undefined ? null : { id: row.madeBy.userId, name: row.madeBy.name ?? null },
})

const LIST = '/organizations/:org/org-auth-tokens'
const ONE = '/organizations/:org/org-auth-tokens/:token'
const DEFAULT_SCOPES: readonly string[] = ['org:ci']

export function orgTokenRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  /** Without those that members made for themselves. */
  const open = async (c: ApiContext) => {
    const grant = await orgGrant(c, 'token:write')
    const tokens = (await listTokens(queries, grant)).filter((row) => !row.isPersonal)
    return { grant, tokens }
  }
  const find = async (c: ApiContext) => {
    const { grant, tokens } = await open(c)
    const token = tokens.find((row) => String(row.id) === pathParam(c, 'token'))
    return { grant, token, tokenId: token?.id ?? 0 }
  }

  api.get(LIST, async (c) => {
    const { tokens } = await open(c)
    return c.json(setPage(c, publicUrl, tokens).map((row) => orgTokenJson(row)))
  })

  api.post(LIST, async (c) => {
    const grant = await orgGrant(c, 'token:write')
    const body = await jsonBody(c)
    const made = await createToken(commands, grant, {
      name: body.text('name') ?? '',
      scopes: scopesOf(body),
      expiresInDays: lifeOf(body),
      currentPassword: body.text('currentPassword'),
    })
    const row = (await listTokens(queries, grant)).find(({ id }) => id === made.id)
    return row ? c.json({ ...orgTokenJson(row), token: made.token }, 201) : c.notFound()
  })

  api.get(ONE, async (c) => {
    const { token } = await find(c)
    return token ? c.json(orgTokenJson(token)) : c.notFound()
  })

  api.put(ONE, async (c) => {
    const { grant, token, tokenId } = await find(c)
    if (!token) return c.notFound()
    await renameToken(commands, grant, { tokenId, name: (await jsonBody(c)).text('name') ?? '' })
    return c.body(null, 204)
  })

  api.delete(ONE, async (c) => {
    const { grant, token, tokenId } = await find(c)
    if (!token) return c.notFound()
    await deleteToken(commands, grant, { tokenId })
    return c.body(null, 204)
  })
}

function scopesOf(body: JsonBody): readonly string[] {
  const value = body.value('scopes')
  if (value === undefined) return DEFAULT_SCOPES
  if (Array.isArray(value) && value.every((scope) => typeof scope === 'string')) return value
  throw new InvalidInput('create a token', { scopes: ['is a list of scopes'] })
}

/** `expiresInDays`: days, null for no end; left out: 90 days. */
function lifeOf(body: JsonBody): number | null | undefined {
  const value = body.value('expiresInDays')
  if (value === undefined || value === null || typeof value === 'number') return value
  throw new InvalidInput('create a token', { expiresInDays: ['is a number of days or null'] })
}
