/** Whatever step of an erasure is the last one before a crash: it goes on, and in the end nothing of the person is there. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccess, operatorViewer } from '@sonde/access'
import { silentLogger, systemClock } from '@sonde/base'
import { ensureProject, ERASURE_CUTS, erasePerson, startErasures } from '@sonde/commands'
import { encodeLogRow } from '@sonde/stores'
import { openEngines, openTestBlobs } from '../../../tests/harness/engines.ts'

const ANNA = 'anna@example.com'
const PROGRAM = {
  release: '',
  environment: '',
  platform: '',
  sdkName: '',
  sdkVersion: '',
  browser: '',
  os: '',
  device: '',
  country: '',
  connection: '',
  sampleRate: 1,
}

describe('an erasure', () => {
  let engines: Awaited<ReturnType<typeof openEngines>>
  before(async () => {
    engines = await openEngines(systemClock)
  })
  after(() => engines.close())

  it('that crashes after each step in turn ends with nothing of the person, told once', async () => {
    const { records, telemetry, dir } = engines
    const clock = systemClock
    const blobs = await openTestBlobs(dir)
    const secret = 'a secret of at least thirty-two characters'
    const access = createAccess({
      records,
      secret,
      publicUrl: 'http://sonde.test',
      clock,
      logger: silentLogger,
    })
    const deps = { records, access, clock }
    const { id: project } = await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'shop' })
    const nowMs = clock.nowMs()
    const line = { ...PROGRAM, sequence: 0, severity: 'info', severityNumber: 9, traceId: '', spanId: '' }
    const origin = {
      projectId: project,
      receivedMs: nowMs - 1,
      timestampMs: nowMs,
      logPosition: 1,
      itemIndex: 0,
    }
    const bodies = [`mail to ${ANNA} failed`, 'mail to joanna@example.com failed']
    await telemetry.insert(
      'logs',
      bodies.map((body, rowIndex) =>
        encodeLogRow({ ...origin, ...line, rowIndex, body, userKey: '', attributes: {} }),
      ),
      'lines',
    )
    // Also of those that somebody deleted within the day.
    for (const table of ['events', 'deleted_events'])
      await telemetry.command(
        `INSERT INTO ${table} (project_id, issue_id, event_id, timestamp, received, user_key, message)
         SELECT {project:UInt32}, 1, toFixedString(lower(hex(MD5(toString(number)))), 32), now() - 60, now() - 60,
           if(number = 0, concat('email:', {anna:String}), ''), if(number = 1, 'to Anna@example.com', '') FROM numbers(3)`,
        { project, anna: ANNA },
      )
    const grant = await access.openProject(operatorViewer, 'acme', 'shop', 'event:delete')
    const { id } = await erasePerson(deps, grant, { email: ANNA })
    const erasure = () =>
      records.selectFrom('erasure').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const until = async (isDone: () => Promise<boolean>, what: string): Promise<void> => {
      const endMs = Date.now() + 120_000
      while (!(await isDone())) {
        assert.ok(Date.now() < endMs, `${what}: ${(await erasure()).trouble}`)
        await sleep(20)
      }
    }
    let rolled = 0
    const log = {
      ends: async () => ({ 0: 0 }),
      hasWaiting: async () => false,
      // Of an embedded log whose consumed segment is gone.
      segments: { roll: async () => ++rolled, keptFrom: async () => rolled },
    }
    // The engine takes old parts away within minutes: tests/e2e/erasure-proof.test.ts waits for that.
    const purge = async (table: Parameters<typeof telemetry.purge>[0]): Promise<number> => {
      await telemetry.purge(table)
      return 0
    }
    const engine = { query: telemetry.query, deleteRows: telemetry.deleteRows, purge }
    const options = { records, telemetry: engine, blobs, log, clock, logger: silentLogger, retentionDays: 30 }
    const reached: string[] = []
    for (const cut of ERASURE_CUTS) {
      let crashed = false
      const job = startErasures({
        ...options,
        afterStep(step) {
          if (step !== cut || crashed) return
          crashed = true
          reached.push(cut)
          throw new Error('crash')
        },
      })
      await until(async () => crashed, `it crashes after ${cut}`)
      await job.stop()
    }
    assert.deepEqual(reached, ERASURE_CUTS)
    const last = startErasures(options)
    await until(async () => (await erasure()).finished_ms !== null, 'it ends')
    await last.stop()
    const { state, person, counts } = await erasure()
    const { logs, events, deleted_events } = JSON.parse(counts) as Record<string, number>
    assert.deepEqual([state, person, logs, events, deleted_events, rolled], ['done', '', 1, 2, 2, 1])
    for (const table of ['events', 'deleted_events']) {
      const rows = await telemetry.query(`SELECT user_key, message FROM ${table}`)
      assert.deepEqual(rows, [{ user_key: '', message: '' }], table)
    }
    const left = await telemetry.query<{ body: string }>('SELECT body FROM logs')
    assert.deepEqual(left, [{ body: bodies[1] }])
    const told = await records
      .selectFrom('audit_entry')
      .select('id')
      .where('action', '=', 'person.erased')
      .execute()
    assert.equal(told.length, 1)
  })
})
