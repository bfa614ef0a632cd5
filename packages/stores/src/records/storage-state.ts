/** What jobs about storage remember between two rounds, on whichever node they run. */
import type { StorageKind } from '../storage/kinds.ts'
import type { Records } from './schema.ts'

/** `disk`: what the watch of the disk saw and did. */
export type DiskWatchState = {
  readonly state: 'ok' | 'warned' | 'deleting'
  readonly sinceMs: number
  /** When operators were told last. */
  readonly toldMs?: number
  /** Until then the engine gives back what was deleted, and nothing more is. */
  readonly waitsUntilMs?: number
  /** What went when the disk was last nearly full: of each kind everything before a day. */
  readonly steps?: readonly { readonly kind: StorageKind; readonly beforeMs: number }[]
}

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
