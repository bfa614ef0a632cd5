/** Guarantee G4 on a full disk: SDKs are told to wait, probes tell the operator, and freed space heals it all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventId, fillTemplate, createTemplate, idPrefix } from '../../bench/load/template.ts'
import { pythonLikeEnvelopes } from '../../bench/payloads/python-like.ts'
import { apiClient, type CreatedProject, createProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde, WITHOUT_SPIKE_LIMITS } from '../harness/start-sonde.ts'
import { storeAll } from '../harness/store-all.ts'
import { mountSmallDisk } from './small-disk.ts'

// Both engines together need about 5 MB when they are empty; the rest is room for the log.
const DISK_MB = 64
const HEALED_WITHIN_MS = 30_000

function poster(running: RunningSonde, project: CreatedProject) {
  const prefix = idPrefix()
  const envelope = pythonLikeEnvelopes()[0] ?? ''
  const path = `/api/${project.id}/envelope/`
  const { publicKey } = project
  const template = createTemplate(Buffer.from(envelope), {
    host: '127.0.0.1',
    port: running.port,
    path,
    publicKey,
  })
  let counter = 0
  return async (): Promise<{ id: string; status: number; headers: Headers; text: string }> => {
    const id = eventId(prefix, counter++)
    const request = Buffer.alloc(template.bytes.length)
    fillTemplate(template, request, { id, nowMs: Date.now(), kind: 0 })
    const answer = await fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${publicKey}` },
      body: request.subarray(request.indexOf('\r\n\r\n') + 4),
    })
    return { id, status: answer.status, headers: answer.headers, text: await answer.text() }
  }
}

void test('a full disk answers 503 with a time, says so on /readyz, and heals when space comes back', async (context) => {
  const disk = mountSmallDisk(DISK_MB)
  if (typeof disk === 'string') return context.skip(disk)
  const running = await startSonde({ dataDir: disk.dir, env: WITHOUT_SPIKE_LIMITS })
  try {
    const project = createProject(running, 'acme/shop')
    await storeAll(running, project)
    const api = apiClient(running)
    const post = poster(running, project)
    const readyz = async (): Promise<number> => (await fetch(`${running.url}/readyz`)).status
    const acknowledged: string[] = []
    for (let at = 0; at < 20; at++) {
      const { id, status } = await post()
      assert.equal(status, 200)
      acknowledged.push(id)
    }
    assert.equal(await readyz(), 200)

    disk.fill()
    assert.equal(disk.freeBytes(), 0)
    // What is left of the segment's last block still takes a few.
    let refused = await post()
    while (refused.status === 200) {
      acknowledged.push(refused.id)
      // The pipeline may still be giving space back.
      disk.fill()
      refused = await post()
    }
    assert.equal(refused.status, 503, refused.text)
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.match(refused.headers.get('x-sentry-rate-limits') ?? '', /^[1-9]\d*:/)
    assert.equal(await readyz(), 503)
    assert.equal((await fetch(`${running.url}/healthz`)).status, 200, 'a new process would not mend it')

    disk.free()
    const endMs = Date.now() + HEALED_WITHIN_MS
    // No request helps it: a load balancer that reads /readyz sends none.
    while ((await readyz()) !== 200) {
      assert.ok(Date.now() < endMs, `still not healthy ${HEALED_WITHIN_MS} ms after space came back`)
      await sleep(100)
    }
    const after = await post()
    assert.equal(after.status, 200, after.text)
    acknowledged.push(after.id)
    for (const id of acknowledged)
      await api.until(`/api/0/projects/acme/shop/events/${id}/`, () => true, HEALED_WITHIN_MS)
    assert.equal(await running.stop(), 0)
  } finally {
    running.child.kill('SIGKILL')
    disk.remove()
  }
})
