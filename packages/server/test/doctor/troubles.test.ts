import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { fixedClock } from '@sonde/base'
import { silentLogger } from '@sonde/base'
import { openRecords } from '@sonde/stores'
import { type Fixture, openTestRecords } from '../../../../tests/harness/engines.ts'
import { damagedRecords, limitsPart, outerTroubles } from '../../src/doctor/local-troubles.ts'
import { storedTroubles } from '../../src/doctor/stored-troubles.ts'
import { TROUBLES, withNext } from '../../src/doctor/troubles.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 0)
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'operate', 'doctor.md')

describe('the ten troubles', () => {
  it('are those of the page, in its order, with the same commands', () => {
    const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)
    assert.deepEqual(
      [...rows].map(([, name, what, foundBy]) => ({ name, what, foundBy })),
      TROUBLES.map(({ name, what, foundBy }) => ({ name, what, foundBy })),
    )
    const commands = readFileSync(PAGE, 'utf8').matchAll(/^# (.+)\n(.+)$/gm)
    assert.deepEqual(
      [...commands].map(([, name, next]) => ({ name, next })).filter(({ name }) => name !== 'Doctor'),
      TROUBLES.map(({ name, next }) => ({ name, next })),
    )
    assert.equal(TROUBLES.length, 10)
  })

  it('end the line with the next command, and only where something is wrong', () => {
    for (const { name, next } of TROUBLES) {
      const [bad] = withNext([{ name, state: 'degraded', detail: 'something' }])
      assert.equal(bad?.detail, `something. Next: ${next}`)
      const well = { name, state: 'ok', detail: 'well' } as const
      assert.deepEqual(withNext([well]), [well])
    }
  })
})

describe('troubles that are seen from outside', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-troubles-'))
  after(() => rmSync(folder, { recursive: true }))

  it('a damaged file of the records, which is well before', async () => {
    const file = join(folder, 'records.sqlite')
    const { close } = await openRecords({ file }, { logger: silentLogger })
    await close()
    assert.equal(damagedRecords(file), undefined)
    const database = new DatabaseSync(file)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    const bytes = readFileSync(file)
    bytes.fill(0x5a, 4096, 4096 * 12)
    writeFileSync(file, bytes)
    const part = damagedRecords(file)
    assert.equal(part?.state, 'down')
    assert.match(part.detail, /records\.sqlite is damaged: /)
    writeFileSync(file, 'no database, but long enough to be looked at: '.repeat(100))
    assert.match(damagedRecords(file)?.detail ?? '', /is damaged: file is not a database/)
    assert.equal(damagedRecords(join(folder, 'none')), undefined)
  })

  it('a port that another program has', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const look = (isStopped: boolean) => outerTroubles({ host: '127.0.0.1', port, isStopped, pids: [] })
    const found = (await look(true)).find(({ name }) => name === 'port')
    assert.equal(
      found?.detail,
      `Sonde cannot listen on 127.0.0.1:${port} (another program has it): stop that program, or set PORT`,
    )
    assert.equal(
      (await look(false)).find(({ name }) => name === 'port'),
      undefined,
      'it may be ours',
    )
    server.close()
    await once(server, 'close')
    assert.equal(
      (await look(true)).find(({ name }) => name === 'port'),
      undefined,
    )
  })

  it(
    'too few open files of a process, and a cgroup with too little memory',
    { skip: process.platform !== 'linux' },
    async () => {
      const child = spawn('sh', ['-c', 'ulimit -n 300; echo set; exec cat'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      await once(child.stdout, 'data')
      const part = limitsPart([String(child.pid)])
      child.stdin.end()
      assert.match(part?.detail ?? '', /300 open files, of at least 4,096/)
      const files = {
        'proc/7/cgroup': '0::/sonde.slice/app\n',
        'sys/fs/cgroup/sonde.slice/memory.max': '524288000\n',
        'sys/fs/cgroup/sonde.slice/app/memory.max': 'max\n',
        // Version 1: without a limit it names the largest number of pages.
        'proc/8/cgroup': '5:cpu,memory:/docker/abc\n1:pids:/docker/abc\n0::/\n',
        'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
        'sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes': '419430400\n',
      }
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(folder, name, '..'), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
      assert.match(limitsPart(['7'], folder)?.detail ?? '', /524 MB of memory, of at least 1000/)
      assert.match(limitsPart(['8'], folder)?.detail ?? '', /419 MB of memory, of at least 1000/)
    },
  )
})

describe('troubles that show in what is stored', () => {
  let fixture: Omit<Fixture, 'telemetry'>
  const clock = fixedClock(NOW_MS)
  before(async () => {
    fixture = await openTestRecords()
    await fixture.records
      .insertInto('organization')
      .values({ id: 1, slug: 'acme', name: 'Acme', created_ms: 0 })
      .execute()
  })
  after(() => fixture.close())
  const found = async (outcomes: Parameters<typeof storedTroubles>[1] = []) =>
    (await storedTroubles(fixture.records, outcomes, clock)).map(
      ({ name, detail }) => [name, detail] as const,
    )

  it('mails that failed since the last that was sent', async () => {
    const mail = (key: string, state: 'failed' | 'sent', agoMs: number) =>
      fixture.records
        .insertInto('notification')
        .values({
          dedup_key: key,
          org_id: 1,
          medium: 'email',
          message: '{}',
          state,
          next_attempt_ms: 0,
          created_ms: 0,
          done_ms: NOW_MS - agoMs,
          answer: state === 'failed' ? 'connect ECONNREFUSED' : '250 ok',
        })
        .execute()
    await mail('a', 'sent', 5_000)
    assert.deepEqual(await found(), [])
    await mail('b', 'failed', 4_000)
    await mail('c', 'failed', 3_000)
    assert.match((await found())[0]?.join(' ') ?? '', /^mail the last 2 mails failed: connect ECONNREFUSED/)
    await mail('d', 'sent', 1_000)
    assert.deepEqual(await found(), [])
  })

  it('silence of projects that had events, not of new ones', async () => {
    const project = { org_id: 1, name: 'Shop', platform: 'javascript', created_ms: 0 }
    await fixture.records
      .insertInto('project')
      .values({ ...project, slug: 'new' })
      .execute()
    assert.deepEqual(await found(), [])
    await fixture.records
      .insertInto('project')
      .values({ ...project, slug: 'shop', first_event_ms: NOW_MS - 9 * 86_400_000 })
      .execute()
    assert.match(
      (await found())[0]?.join(' ') ?? '',
      /^silence no data in the last 24 hours, though 1 project has had events/,
    )
    assert.deepEqual(await found([{ category: 'error', outcome: 'accepted', reason: '', quantity: 1 }]), [])
  })

  it('limits that refuse half of what is sent', async () => {
    const counts = (accepted: number, limited: number) => [
      { category: 'error', outcome: 'accepted', reason: '', quantity: accepted },
      { category: 'span', outcome: 'rate_limited', reason: 'project_limit', quantity: limited },
    ]
    assert.deepEqual(await found(counts(1_000, 900)), [])
    assert.deepEqual(await found(counts(0, 90)), [])
    assert.match(
      (await found(counts(100, 900)))[0]?.join(' ') ?? '',
      /^dropped 90% of the items .* span \(project_limit\)/,
    )
  })
})
