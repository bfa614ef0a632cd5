/**
 * Events that wait for others like them, so that an issue of a few events a second has a row each half minute and not one for
 * every batch. They lie in the records and are counted when they are stored: `store-held.ts`.
 */
import type { Records } from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'
import type { LeftOut } from './leave-out.ts'

/** As it lies in the records, beside its row. `partition`: of the log. */
export type HeldEvent = ProcessedEvent & { readonly partition: number }

/** Runs in the transaction that moves the position. `usersOf`: of the events of a group. */
export async function holdEvents(
  tx: Records,
  partition: number,
  { held, waiting }: Pick<LeftOut, 'held' | 'waiting'>,
  usersOf: (alike: string, events: readonly ProcessedEvent[]) => readonly number[],
): Promise<void> {
  for (const [alike, events] of held) {
    const first = events.find((event) => waiting.has(event)) ?? events[0]
    if (!first) continue
    if (!waiting.has(first) && (await joinOpen(tx, alike, events, usersOf(alike, events)))) continue
    const others = events.filter((event) => event !== first)
    await tx
      .insertInto('held_event')
      .values({
        project_id: first.projectId,
        alike,
        event: JSON.stringify({ ...first, row: '', partition } satisfies HeldEvent),
        encoded: typeof first.row === 'string' ? first.row : new TextDecoder().decode(first.row),
        others: others.length,
        users: JSON.stringify(usersOf(alike, others)),
        first_ms: first.receivedMs,
        last_ms: lastOf(events),
      })
      .execute()
  }
}

/** False: none waits any more. */
async function joinOpen(
  tx: Records,
  alike: string,
  events: readonly ProcessedEvent[],
  users: readonly number[],
): Promise<boolean> {
  const open = await tx
    .selectFrom('held_event')
    .select(['id', 'users', 'last_ms'])
    .where('alike', '=', alike)
    .where('is_closed', '=', 0)
    .orderBy('held_event.id')
    .executeTakeFirst()
  if (!open) return false
  const all = new Set([...(JSON.parse(open.users) as number[]), ...users])
  const { numUpdatedRows } = await tx
    .updateTable('held_event')
    .set((eb) => ({
      others: eb('others', '+', events.length),
      users: JSON.stringify([...all]),
      last_ms: Math.max(open.last_ms, lastOf(events)),
    }))
    .where('id', '=', open.id)
    // Closed meanwhile: whoever stores it has read it.
    .where('is_closed', '=', 0)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const lastOf = (events: readonly ProcessedEvent[]): number =>
  events.reduce((most, { issue }) => Math.max(most, issue.timestampMs), 0)
