/** Sessions as `@sentry/node` counts them of requests, and as `sentry-sdk` does, against the built Sonde. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ensurePython } from '../../scripts/test/compat-tools.mjs'
import { assertOutcomes } from './support/counts.ts'
import { findTool } from './support/find-tool.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { runProgram } from './support/run-program.ts'
import { assertSessions } from './support/sessions.ts'

const python = findTool(ensurePython)
test('a Python with sentry-sdk and Flask can be had', { skip: python.skip }, () => assert.ok(python.path))

suite('release health from unmodified SDKs', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness('node')
  })
  after(() => harness?.close())

  const FIVE_REQUESTS = { healthy: 3, errored: 1, unhandled: 0, abnormal: 0, crashed: 1 }

  // Its own session is that of the process, which ends with the unhandled error.
  test('@sentry/node counts each request, those with an error apart, and its process', async () => {
    const program = join(import.meta.dirname, 'node', 'sessions.ts')
    const run = await runProgram(process.execPath, [program], harness.project.dsn)
    assert.equal(run.code, 0, run.stderr)
    await assertSessions(harness, 'shop@2.0.0', { ...FIVE_REQUESTS, crashed: 2 })
  })

  test('sentry-sdk counts those of Flask', { skip: python.skip }, async () => {
    const program = join(import.meta.dirname, 'python', 'sessions.py')
    const run = await runProgram(python.path, [program], harness.project.dsn)
    assert.equal(run.code, 0, run.stderr)
    await assertSessions(harness, 'shop@3.0.0', FIVE_REQUESTS)
  })

  test('a release that only sessions name is there, and says that it has health', async () => {
    type Release = {
      readonly version: string
      readonly projects: readonly { readonly hasHealthData: boolean }[]
    }
    const releases = await harness.api.until<readonly Release[]>(
      '/api/0/organizations/acme/releases/',
      (found) => found.some(({ version }) => version === 'shop@2.0.0'),
    )
    const release = releases.find(({ version }) => version === 'shop@2.0.0')
    assert.equal(release?.projects[0]?.hasHealthData, true)
    await assertOutcomes(harness, [{ category: 'session', outcome: 'accepted', reason: '', quantity: 1 }])
  })
})
