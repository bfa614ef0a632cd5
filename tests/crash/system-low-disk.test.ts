/** Before the disk is full: first attachments are refused, then everything, and what was taken is stored all the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiClient, createProject } from '../harness/api-client.ts'
import { sonde, startSonde } from '../harness/start-sonde.ts'
import { mountSmallDisk } from './small-disk.ts'

const DISK_MB = 160
const MB = 1024 * 1024
const SEEN_WITHIN_MS = 30_000

void test('a disk with little room left takes no attachments, one with too little takes nothing, and space heals it', async (context) => {
  const disk = mountSmallDisk(DISK_MB)
  if (typeof disk === 'string') return context.skip(disk)
  // Wide apart, because both engines give and take some megabytes meanwhile.
  const env = { SONDE_MIN_FREE_ATTACHMENTS: '50', SONDE_MIN_FREE: '20' }
  const running = await startSonde({ dataDir: disk.dir, env })
  try {
    const project = createProject(running, 'acme/shop')
    const api = apiClient(running)
    let counter = 0
    const acknowledged: string[] = []
    const post = async (): Promise<Response> => {
      const id = (++counter).toString(16).padStart(32, '0')
      const event = JSON.stringify({ event_id: id, message: 'low disk', platform: 'node' })
      const parts = [`{"event_id":"${id}"}`, '{"type":"event"}', event]
      const body = [...parts, '{"type":"attachment","length":4,"filename":"a"}', 'file'].join('\n')
      const url = `${running.url}/api/${project.id}/envelope/?sentry_key=${project.publicKey}`
      const answer = await fetch(url, { method: 'POST', body })
      await answer.body?.cancel()
      if (answer.status === 200) acknowledged.push(id)
      return answer
    }
    const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
      const endMs = Date.now() + SEEN_WITHIN_MS
      while (!(await isSo())) {
        assert.ok(Date.now() < endMs, `never: ${what}\n${running.log()}`)
        await sleep(100)
      }
    }
    const readyz = async (): Promise<number> => (await fetch(`${running.url}/readyz`)).status
    // Of a disk this small the doctor says "down" whatever is free, and ends with 1.
    const doctor = (): string => sonde(disk.dir, ['doctor']).stdout

    assert.equal((await post()).headers.get('x-sentry-rate-limits'), null)

    disk.fill(55 * MB)
    await until('attachments are refused', async () => {
      const { status, headers } = await post()
      return status === 200 && headers.get('x-sentry-rate-limits') === '300:attachment:organization:disk_low'
    })
    assert.equal(await readyz(), 200)
    // The walk of the disk is remembered for some seconds.
    await until('the doctor says so', async () => /attachments are rejected until/.test(doctor()))

    disk.fill(16 * MB)
    await until('everything is refused', async () => {
      const { status, headers } = await post()
      return status === 503 && headers.get('retry-after') === '60'
    })
    assert.equal(await readyz(), 503)
    for (const id of acknowledged)
      await api.until(`/api/0/projects/acme/shop/events/${id}/`, () => true, SEEN_WITHIN_MS)

    disk.free()
    await until('it is healthy', async () => (await readyz()) === 200)
    await until('attachments are taken', async () => {
      const { status, headers } = await post()
      return status === 200 && headers.get('x-sentry-rate-limits') === null
    })
    assert.equal(await running.stop(), 0)
  } finally {
    running.child.kill('SIGKILL')
    disk.remove()
  }
})
