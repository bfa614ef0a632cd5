/**
 * Tokens of an organization (https://docs.sentry.io/account/auth-tokens/#organization-tokens). No scope lists or makes
 * tokens, so that one that leaked finds no others: only a person who is signed in does, and to make one the password is
 * asked for again.
 */
import type { Grant } from '@sonde/access'
import { createToken, deleteToken, renameToken } from '@sonde/commands'
import { listTokens, type TokenOfOrgRow } from '@sonde/queries'
import { z } from 'zod'
import { type ApiOptions, notFound } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setPage } from '../pages.ts'
import { isoDate, isoDateOrNull, Time } from '../serializers/date.ts'

/** `dateExpires` and `createdBy` are beside what clients know. */
const OrgToken = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    dateCreated: Time,
    dateLastUsed: Time.nullable(),
    dateExpires: Time.nullable(),
    createdBy: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'OrgToken' })

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
const common = { tag: 'Tokens', permission: 'token:write' } as const

export function orgTokenRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  /** Without those that members made for themselves. */
  const tokensOf = async (grant: Grant<'token:write', 'org'>) =>
    (await listTokens(queries, grant)).filter((row) => !row.isPersonal)
  const find = async (grant: Grant<'token:write', 'org'>, id: string) =>
    (await tokensOf(grant)).find((row) => String(row.id) === id)

  api.get(
    LIST,
    {
      ...common,
      id: 'listOrgTokens',
      summary: 'List the tokens of an organization',
      pages: true,
      answer: z.array(OrgToken),
    },
    async ({ c, grant }) => setPage(c, publicUrl, await tokensOf(grant)).map(orgTokenJson),
  )

  api.post(
    LIST,
    {
      ...common,
      id: 'createOrgToken',
      summary: 'Make a token',
      description: 'The answer is the only one that has the token.',
      body: z.object({
        name: z.string().default(''),
        scopes: z.array(z.string(), 'is a list of scopes').default(['org:ci']),
        expiresInDays: z
          .number('is a number of days or null')
          .nullable()
          .optional()
          .meta({ description: '90 unless given; null: it has no end.' }),
        currentPassword: z.string().optional(),
      }),
      answer: OrgToken.extend({ token: z.string() }),
      status: 201,
    },
    async ({ grant, body }) => {
      const made = await createToken(commands, grant, body)
      const row = (await listTokens(queries, grant)).find(({ id }) => id === made.id)
      return row && { ...orgTokenJson(row), token: made.token }
    },
  )

  api.get(
    ONE,
    { ...common, id: 'getOrgToken', summary: 'Read a token', answer: OrgToken },
    async ({ grant, params }) => {
      const token = await find(grant, params.token)
      return token && orgTokenJson(token)
    },
  )

  api.put(
    ONE,
    {
      ...common,
      id: 'renameOrgToken',
      summary: 'Rename a token',
      body: z.object({ name: z.string().default('') }),
    },
    async ({ grant, params, body: { name } }) => {
      const token = await find(grant, params.token)
      if (!token) throw notFound('rename a token')
      await renameToken(commands, grant, { tokenId: token.id, name })
    },
  )

  api.delete(
    ONE,
    { ...common, id: 'deleteOrgToken', summary: 'Delete a token' },
    async ({ grant, params }) => {
      const token = await find(grant, params.token)
      if (!token) throw notFound('delete a token')
      await deleteToken(commands, grant, { tokenId: token.id })
    },
  )
}
