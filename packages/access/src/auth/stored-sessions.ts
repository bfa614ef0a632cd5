/**
 * What the records know of a session: the hash of its token, never the token, so that nobody signs in with a copied
 * file. The same for the name of a first step that waits for its code. better-auth writes both as they are in the
 * cookie (https://www.better-auth.com/docs/concepts/session-management), so its adapter is wrapped: what goes in is
 * hashed, and who asks by the token gets it back, because it is put into the renewed cookie.
 *
 * 190 bits of chance need no slow hash.
 */
import { createHash } from 'node:crypto'
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/adapters'
import { SESSION_MAX_MS } from '@sonde/stores'

const SECRET_FIELDS: Readonly<Record<string, string>> = { session: 'token', verification: 'identifier' }

export function withStoredSessions(inner: DBAdapter): DBAdapter {
  return { ...inner, ...wrapped(inner), transaction: (work) => inner.transaction((tx) => work(wrapped(tx))) }
}

function wrapped(inner: DBTransactionAdapter): DBTransactionAdapter {
  const adapter: Omit<DBTransactionAdapter, 'create' | 'findOne' | 'findMany' | 'update'> = {
    ...inner,
    count: (query) => inner.count(stored(query)),
    updateMany: (query) => inner.updateMany(storedUpdate(query)),
    delete: (query) => inner.delete(stored(query)),
    deleteMany: (query) => inner.deleteMany(stored(query)),
  }
  return {
    ...adapter,
    async create<T extends Record<string, unknown>, R = T>(query: {
      model: string
      data: Omit<T, 'id'>
      select?: string[] | undefined
      forceAllowId?: boolean | undefined
    }): Promise<R> {
      const field = SECRET_FIELDS[query.model]
      const data = query.data as Record<string, unknown>
      if (field === undefined) return inner.create<T, R>(query)
      const row = await inner.create<Record<string, unknown>, Record<string, unknown>>({
        ...query,
        data: { ...data, [field]: hash(data[field]) },
      })
      return { ...row, [field]: data[field] } as R
    },
    findOne: async <T>(query: { model: string; where: Where[] }) =>
      shown(query, await inner.findOne<T>(stored(query))),
    findMany: async <T>(query: { model: string; where?: Where[] | undefined }) =>
      (await inner.findMany<T>(stored(query))).map((row) => shown(query, row)),
    update: async <T>(query: { model: string; where: Where[]; update: Record<string, unknown> }) =>
      shown(query, await inner.update<T>(storedUpdate(query))),
  }
}

type Query = { readonly model: string; readonly where?: Where[] | undefined }

function stored<Q extends Query>(query: Q): Q {
  const field = SECRET_FIELDS[query.model]
  if (field === undefined || !query.where) return query
  const where = query.where.map((each) =>
    each.field === field
      ? { ...each, value: Array.isArray(each.value) ? each.value.map(hash) : hash(each.value) }
      : each,
  )
  return { ...query, where }
}

function storedUpdate<Q extends Query & { readonly update: Record<string, unknown> }>(query: Q): Q {
  const field = SECRET_FIELDS[query.model]
  const isSet = field !== undefined && query.update[field] !== undefined
  const update = isSet ? { ...query.update, [field]: hash(query.update[field]) } : query.update
  return { ...stored(query), update }
}

/** With the secret when it was asked by it; and a session whose longest time is over as an expired one. */
function shown<Row>({ model, where }: Query, row: Row): Row {
  const field = SECRET_FIELDS[model]
  if (field === undefined || row === null) return row
  const asked = where?.find((each) => each.field === field && typeof each.value === 'string')
  const copy: Row = asked ? { ...row, [field]: asked.value } : row
  if (model !== 'session') return copy
  const { createdAt } = row as { createdAt?: Date }
  const endsMs = (createdAt?.getTime() ?? 0) + SESSION_MAX_MS
  return endsMs > Date.now() ? copy : { ...copy, expiresAt: new Date(endsMs) }
}

function hash(secret: unknown): string {
  if (typeof secret !== 'string') throw new Error('a session without a token')
  return createHash('sha256').update(secret).digest('hex')
}
