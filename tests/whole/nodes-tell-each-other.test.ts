/** What one node did holds on the others within a second. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageEvent, sendEvent } from '../e2e/screens-events.ts'
import { createProject } from '../harness/api-client.ts'
import type { ClusterMember } from '../harness/cluster/start-cluster.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { useWhole } from './whole-sonde.ts'

const whole = useWhole()

/** Besides the way of an event through the pipeline, and what a busy machine takes. */
const WITHIN_MS = 10_000

async function until(isSo: () => Promise<boolean> | boolean, what: string): Promise<number> {
  const beganMs = performance.now()
  while (!(await isSo())) {
    assert.ok(performance.now() - beganMs < WITHIN_MS, `waited in vain until ${what}`)
    await sleep(10)
  }
  return performance.now() - beganMs
}

/** What a browser with its connection to this node hears. */
async function listen(
  context: TestContext,
  { url }: ClusterMember,
  authorization: string,
): Promise<() => string> {
  const ending = new AbortController()
  context.after(() => ending.abort())
  const { signal } = ending
  const answer = await fetch(`${url}/api/0/organizations/acme/live/`, {
    headers: { authorization },
    signal,
  })
  assert.equal(answer.status, 200)
  let heard = ''
  const read = async (): Promise<void> => {
    for await (const chunk of answer.body ?? []) heard += Buffer.from(chunk).toString()
  }
  void read().catch(() => undefined)
  await until(() => heard !== '', 'the stream begins')
  return () => heard
}

void test('browsers at every node hear of an event, and every door of a key that was switched off', async (context) => {
  const { cluster, api } = whole()
  const scopes = 'project:read,project:write,event:read,org:read'
  const { token } = sondeJson<{ token: string }>(
    cluster.dataDir,
    ['token', 'create', '--name', 'nodes', '--scopes', scopes],
    cluster.env,
  )
  const authorization = `Bearer ${token}`
  const project = createProject(cluster, 'acme/told')
  const ears = await Promise.all(cluster.members.web.map((member) => listen(context, member, authorization)))
  const id = await sendEvent(project.dsn, messageEvent(Date.now(), 'who hears of it'))
  const stored = api.until(`/api/0/projects/acme/told/events/${id}/`, () => true)
  const names = new RegExp(`"project":${project.id},"issues":\\[\\d`)
  await Promise.all(ears.map((heard) => until(() => names.test(heard()), 'it is heard')))
  await stored

  const { body: keys } = await api.get<readonly { id: string }[]>('/api/0/projects/acme/told/keys/')
  const [web] = cluster.members.web
  const switched = await fetch(`${web?.url}/api/0/projects/acme/told/keys/${keys[0]?.id}/`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ isActive: false }),
  })
  assert.equal(switched.status, 200)
  const statusAt = async ({ url }: ClusterMember): Promise<number> => {
    const path = `/api/${project.id}/store/?sentry_key=${project.publicKey}`
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: '{"message":"late"}' })
    await answer.arrayBuffer()
    return answer.status
  }
  const tookMs = await Promise.all(
    cluster.members.ingest.map((member) =>
      until(async () => (await statusAt(member)) === 403, 'it is refused'),
    ),
  )
  context.diagnostic(`refused after ${tookMs.map((ms) => Math.round(ms)).join(' and ')} ms`)
})
