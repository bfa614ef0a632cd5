/**
 * The rows of events that were deleted, or are had back: copied by the engine's own text, then the others are deleted. May be
 * interrupted anywhere and called again: an insert has a token that names the deletion, and nothing is deleted before it is there.
 */
import type { Clock } from '@sonde/base'
import { type EventDeletionState, type Records, ROW_COLUMNS, type Telemetry } from '@sonde/stores'
import { deleteRows, indexRow } from '../reprocess/stored-chunk.ts'
import { deleteAttachments } from './delete-events.ts'
import { chunkOf, type DeletedItem } from './deleted-events.ts'

export type OpenEventDeletion = {
  readonly id: number
  readonly projectId: number
  /** `purges`: nobody has them back any more. */
  readonly state: Exclude<EventDeletionState, 'hidden'> | 'purges'
  readonly isCopied: boolean
  readonly items: readonly DeletedItem[]
}

/** With something to do now: those that are hidden once the sweep took their line away. */
export async function openEventDeletions(records: Records): Promise<readonly OpenEventDeletion[]> {
  const rows = await records
    .selectFrom('event_deletion')
    .select(['id', 'project_id', 'state', 'items', 'is_copied'])
    .where((eb) =>
      eb.or([
        eb('state', '<>', 'hidden'),
        eb('id', 'not in', eb.selectFrom('recently_deleted').select('recently_deleted.id')),
      ]),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id, project_id: projectId, state, items, is_copied: copied }) => ({
    id,
    projectId,
    isCopied: copied === 1,
    state: state === 'hidden' ? 'purges' : state,
    items: JSON.parse(items) as DeletedItem[],
  }))
}

/** Where it may be interrupted; each may be the last one before a crash. */
export type HideStep = 'copied' | 'noted' | 'event_index' | 'index_deleted' | 'events_deleted'

type Needs = {
  readonly afterStep: (step: HideStep) => void | Promise<void>
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

export async function workOffEventDeletion(needs: Needs, deletion: OpenEventDeletion): Promise<void> {
  await STATES[deletion.state](needs, deletion)
}

const STATES: Readonly<
  Record<OpenEventDeletion['state'], (needs: Needs, deletion: OpenEventDeletion) => Promise<void>>
> = {
  async hides(needs, deletion) {
    await copyRows(needs, deletion, 'events', 'deleted_events')
    await deleteIndex(needs, deletion)
    await needs.afterStep('index_deleted')
    await deleteFrom(needs, deletion, 'events')
    await needs.records
      .updateTable('event_deletion')
      .set({ state: 'hidden', trouble: '' })
      .where('id', '=', deletion.id)
      .where('state', '=', 'hides')
      .execute()
  },
  async restores(needs, deletion) {
    const { telemetry, records } = needs
    const { projectId, id } = deletion
    const items = deletion.items.filter(({ to }) => to !== 0)
    await copyRows(needs, { ...deletion, items }, 'deleted_events', 'events')
    await telemetry.insert(
      'event_index',
      items.map((item) => indexRow(projectId, { ...item, revision: item.revision - 1 })),
      `restore:${id}:index`,
    )
    await needs.afterStep('event_index')
    await deleteAttachments(
      needs,
      projectId,
      deletion.items.filter(({ to }) => to === 0).map(({ eventId }) => eventId),
    )
    await deleteFrom(needs, deletion, 'deleted_events')
    await records.deleteFrom('event_deletion').where('id', '=', id).execute()
  },
  async purges(needs, deletion) {
    const { records } = needs
    const { projectId, items, id } = deletion
    await deleteAttachments(
      needs,
      projectId,
      items.map(({ eventId }) => eventId),
    )
    await deleteFrom(needs, deletion, 'deleted_events')
    await records.deleteFrom('event_deletion').where('id', '=', id).execute()
  },
}

// Payloads have up to a megabyte: of so many bytes the rows are in memory.
const MAX_BYTES = 8 * 1024 * 1024

async function copyRows(
  { telemetry, records, afterStep }: Needs,
  { id, projectId, items, isCopied }: OpenEventDeletion,
  from: 'events' | 'deleted_events',
  to: 'events' | 'deleted_events',
): Promise<void> {
  if (isCopied) return
  const { where, params } = chunkOf(projectId, items)
  const sizes = await telemetry.query<{ eventId: string; bytes: number }>(
    `SELECT toString(event_id) AS eventId, max(length(payload)) AS bytes FROM ${from} WHERE ${where}
     GROUP BY event_id ORDER BY event_id`,
    params,
  )
  // The same groups whenever it is done again: nothing is deleted yet.
  const groups: DeletedItem[][] = []
  let bytes = MAX_BYTES
  const sizeOf = new Map(sizes.map((row) => [row.eventId, row.bytes]))
  for (const item of items) {
    if (bytes >= MAX_BYTES) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(item)
    bytes += sizeOf.get(item.eventId) ?? 0
  }
  for (const [target, own] of Map.groupBy(
    groups.entries().flatMap(([at, group]) => group.map((item) => ({ at, item }))),
    ({ at, item }) => `${at}:${item.to}`,
  )) {
    const [first] = own
    if (!first) continue
    const chunk = chunkOf(
      projectId,
      own.map(({ item }) => item),
    )
    const columns = ROW_COLUMNS.events.map((name) => (name === 'issue_id' ? '{to:UInt64}' : name))
    const rows = await telemetry.query<{ row: string }>(
      `SELECT formatRowNoNewline('TabSeparated', ${columns.join(', ')}) AS row FROM ${from}
       WHERE ${chunk.where} ORDER BY event_id, log_position, item_index, revision`,
      { ...chunk.params, to: first.item.to },
    )
    if (rows.length > 0)
      await telemetry.insert(
        to,
        rows.map(({ row }) => row),
        `${to}:${id}:${target}`,
      )
  }
  await afterStep('copied')
  await records.updateTable('event_deletion').set({ is_copied: 1 }).where('id', '=', id).execute()
  await afterStep('noted')
}

async function deleteFrom(
  needs: Needs,
  { projectId, items }: OpenEventDeletion,
  table: 'events' | 'deleted_events',
): Promise<void> {
  const { where, params } = chunkOf(projectId, items)
  await deleteRows(needs, table, where, params)
  await needs.afterStep('events_deleted')
}

const deleteIndex = (needs: Needs, { projectId, items }: OpenEventDeletion): Promise<void> =>
  deleteRows(
    needs,
    'event_index',
    'project_id = {project:UInt32} AND event_id IN {events:Array(FixedString(32))}',
    { project: projectId, events: items.map(({ eventId }) => eventId) },
  )
