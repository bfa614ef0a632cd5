/** What people call who did something: `user:…`, `token:…` and `operator:…` as `actorOf` writes them. */
import type { Records } from '@sonde/stores'

/** By actor. Who or what was deleted since is named by its kind. */
export async function actorNames(
  records: Records,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (kind: string): string[] =>
    actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => actor.slice(kind.length + 1))
  const [users, tokens] = await Promise.all([
    usersOf(records, [...new Set(idsOf('user'))]),
    tokensOf(records, [...new Set(idsOf('token'))].map(Number)),
  ])
  return new Map(
    [...new Set(actors)].map((actor) => {
      const [kind = '', ...rest] = actor.split(':')
      const id = rest.join(':')
      if (kind === 'user') return [actor, users.get(id) ?? 'a former member']
      if (kind === 'token') return [actor, `token ${tokens.get(Number(id)) ?? 'that is gone'}`]
      return [actor, 'the operator']
    }),
  )
}

async function usersOf(records: Records, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('user')
    .select(['id', 'name', 'email'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name, email }) => [id, name === '' ? email : name]))
}

async function tokensOf(records: Records, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records.selectFrom('api_token').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
