/** What jobs about storage remember between two rounds, on whichever node they run. */
import type { Records } from './schema.ts'

export async function readStorageState<Value>(records: Records, name: string): Promise<Value | undefined> {
  const row = await records
    .selectFrom('storage_state')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row && (JSON.parse(row.value) as Value)
}

export async function writeStorageState(
  records: Records,
  name: string,
  value: unknown,
  atMs: number,
): Promise<void> {
  const row = { value: JSON.stringify(value), at_ms: atMs }
  await records
    .insertInto('storage_state')
    .values({ name, ...row })
    .onConflict((on) => on.column('name').doUpdateSet(row))
    .execute()
}
