/** Monitors as `@sentry/node` and `sentry-sdk` make them by their check-ins, against the built Sonde. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ensurePython } from '../../scripts/test/compat-tools.mjs'
import { sondeJson } from '../harness/start-sonde.ts'
import { assertOutcomes } from './support/counts.ts'
import { findTool } from './support/find-tool.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { runProgram } from './support/run-program.ts'

type Monitor = {
  readonly slug: string
  readonly config: object
  readonly environments: readonly { readonly name: string; readonly status: string }[]
}
type CheckIn = {
  readonly status: string
  readonly duration: number | null
  readonly environment: string
}

const BACKUP = {
  schedule_type: 'crontab',
  schedule: '0 2 * * *',
  timezone: 'Europe/Berlin',
  checkin_margin: 5,
  max_runtime: 20,
  failure_issue_threshold: 1,
  recovery_threshold: 2,
  alert_rule_id: null,
}

const python = findTool(ensurePython)
test('a Python with sentry-sdk can be had', { skip: python.skip }, () => assert.ok(python.path))

suite('monitors by unmodified SDKs', () => {
  let harness: Harness
  let token = ''
  before(async () => {
    harness = await openHarness('node')
    const { sonde } = harness
    const made = sondeJson<{ token: string }>(
      sonde.dataDir,
      ['token', 'create', '--name', 'monitors', '--scopes', 'alerts:read'],
      sonde.env,
    )
    token = made.token
  })
  after(() => harness?.close())

  /** Asks until `done`. */
  async function get<T>(path: string, done: (body: T) => boolean): Promise<T> {
    for (let tries = 0; ; tries++) {
      const answer = await fetch(`${harness.sonde.url}/api/0/organizations/acme/monitors/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const body = answer.ok ? ((await answer.json()) as T) : undefined
      if (body !== undefined && done(body)) return body
      assert.ok(tries < 300, `${path}: ${answer.status} ${JSON.stringify(body)}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const hasEnded = (runs: readonly CheckIn[]): boolean =>
    runs.length === 1 && runs[0]?.status !== 'in_progress'

  async function assertJobs(name: string): Promise<void> {
    const environment = `compat-${name}`
    const [backup] = await get<readonly CheckIn[]>(`${name}-backup/checkins/`, hasEnded)
    assert.deepEqual([backup?.status, backup?.environment], ['ok', environment])
    assert.ok(backup?.duration !== null)
    const [invoices] = await get<readonly CheckIn[]>(`${name}-invoices/checkins/`, hasEnded)
    assert.equal(invoices?.status, 'error')
    const [byHand] = await get<readonly CheckIn[]>(`${name}-by-hand/checkins/`, hasEnded)
    assert.deepEqual([byHand?.status, byHand?.duration], ['ok', 12_500])
    const monitor = await get<Monitor>(`${name}-backup/`, () => true)
    assert.deepEqual(monitor.config, BACKUP)
    const failing = await get<Monitor>(`${name}-invoices/`, () => true)
    assert.deepEqual(
      failing.environments.map((each) => [each.name, each.status]),
      [[environment, 'error']],
    )
  }

  test('@sentry/node: withMonitor that ends well and that throws, and captureCheckIn by hand', async () => {
    const program = join(import.meta.dirname, 'node', 'crons.ts')
    const run = await runProgram(process.execPath, [program], harness.project.dsn)
    assert.equal(run.code, 0, run.stderr)
    await assertJobs('node')
    await assertOutcomes(harness, [{ category: 'monitor', outcome: 'accepted', reason: '', quantity: 6 }])
  })

  test('sentry-sdk: monitor and capture_checkin', { skip: python.skip }, async () => {
    const program = join(import.meta.dirname, 'python', 'crons.py')
    const run = await runProgram(python.path, [program], harness.project.dsn)
    assert.equal(run.code, 0, run.stderr)
    await assertJobs('python')
  })
})
