/** The clicks of a recording, each with the number of its element in it. */
import type { Grant } from '@sonde/access'
import type { Blobs } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { readRecordingPage } from './open-replay.ts'

export type ReplayClick = { readonly nodeId: number; readonly atMs: number }
export type ClicksPage = {
  readonly clicks: readonly ReplayClick[]
  /** The first segment of the next page; undefined: there is no more. */
  readonly next: number | undefined
}

const CUSTOM = 5
const CATEGORIES: ReadonlySet<unknown> = new Set(['ui.click', 'ui.slowClickDetected', 'ui.multiClick'])
type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (raw: unknown): Fields => (typeof raw === 'object' && raw !== null ? (raw as Fields) : {})

/** Of one page of the recording (4 MiB of JSON): a click and what became of it are one. Times are the page's. */
export async function replayClicks(
  deps: Pick<QueryDeps, 'records'> & { readonly blobs: Pick<Blobs, 'get' | 'note'> },
  grant: Grant<'event:read', 'project'>,
  input: { readonly replayId: string; readonly from?: number },
): Promise<ClicksPage> {
  const page = await readRecordingPage(deps, grant, input)
  const seen = new Set<string>()
  const clicks: ReplayClick[] = []
  for (const { events } of page.segments) {
    for (const event of JSON.parse(events) as readonly unknown[]) {
      const click = clickOf(fieldsOf(event))
      const key = `${click?.nodeId} ${click?.atMs}`
      if (!click || seen.has(key)) continue
      seen.add(key)
      clicks.push(click)
    }
  }
  return { clicks, next: page.next }
}

function clickOf({ type, data }: Fields): ReplayClick | undefined {
  const { tag, payload } = fieldsOf(data)
  const { category, timestamp, data: told } = fieldsOf(payload)
  if (type !== CUSTOM || tag !== 'breadcrumb' || !CATEGORIES.has(category)) return undefined
  const { nodeId, node } = fieldsOf(told)
  const id = nodeId ?? fieldsOf(node)['id']
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || typeof timestamp !== 'number') return undefined
  const atMs = timestamp < 100_000_000_000 ? timestamp * 1000 : timestamp
  return Math.abs(atMs) < 8e15 ? { nodeId: id, atMs } : undefined
}
