/** The check behind guarantee G2: what was acknowledged is stored, once, and counted as often as it is stored. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient, CreatedProject } from '../harness/api-client.ts'
import { type Installation, sondeJson } from '../harness/start-sonde.ts'
import { countedIssues, storedEventIds } from '../harness/stored-events.ts'
import type { Sender } from './sender.ts'

const DRAINED_WITHIN_MS = 30_000

export type Doctor = { readonly log: { readonly depthBytes: number }; readonly deadLetters: number }

/** Waits until the pipeline has taken everything out of the log. */
export async function drained(running: Installation): Promise<void> {
  const endMs = Date.now() + DRAINED_WITHIN_MS
  for (;;) {
    const { log } = sondeJson<Doctor>(running.dataDir, ['doctor'], running.env)
    if (log.depthBytes === 0) return
    assert.ok(Date.now() < endMs, `${log.depthBytes} bytes still wait in the log\n${running.log()}`)
    await sleep(200)
  }
}

/** `fetched`: so many are asked for one by one. Returns how many events are stored: at least as many as were acknowledged. */
export async function assertNothingLost(
  api: ApiClient,
  project: CreatedProject,
  sender: Sender,
  { fetched = FETCHED } = {},
): Promise<number> {
  const stored = await storedEventIds(api, project)
  const ids = new Set(stored)
  assert.equal(stored.length, ids.size, 'an event is stored twice')
  const missing = [...sender.acknowledged].filter((id) => !ids.has(id))
  assert.deepEqual(
    missing,
    [],
    `${missing.length} of ${sender.acknowledged.size} acknowledged events are missing`,
  )
  assert.ok(
    stored.every((id) => sender.wasSent(id)),
    'an event is stored that nobody sent',
  )
  const expected = Map.groupBy(stored, (id) => sender.titleOf(id))
  for (const { title, count } of await countedIssues(api, project)) {
    const [type = ''] = title.split(':')
    assert.equal(count, expected.get(type)?.length, `the issue ${title} counts wrong`)
    expected.delete(type)
  }
  assert.deepEqual([...expected.keys()], [], 'events without an issue')
  const acknowledged = [...sender.acknowledged]
  const every = Math.max(1, Math.floor(acknowledged.length / fetched))
  await assertFetchable(
    api,
    project,
    acknowledged.filter((_, at) => at % every === 0),
  )
  return stored.length
}

// The list reads one table and a single event is found through another. A batch reaches both as a whole, and has
// dozens of events under these loads: so many, spread evenly, meet every batch.
const FETCHED = 400
const AT_ONCE = 8

async function assertFetchable(
  api: ApiClient,
  { org, project }: CreatedProject,
  ids: string[],
): Promise<void> {
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        const { status, body } = await api.get<{ eventID: string }>(
          `/api/0/projects/${org}/${project}/events/${id}/`,
        )
        assert.equal(status, 200, `event ${id} answers ${status}`)
        assert.equal(body.eventID, id)
      }
    }),
  )
}
