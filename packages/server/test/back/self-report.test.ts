import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createAccess } from '@sonde/access'
import { createLocalBus, fixedClock, silentLogger } from '@sonde/base'
import { type CommandDeps, ensureOwner } from '@sonde/commands'
import { openRecords } from '@sonde/stores'
import { openSelfReport } from '../../src/back/self-report.ts'
import { readConfig } from '../../src/config/config.ts'

async function openDeps(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-self-report-'))
  const logger = silentLogger
  const { db: records, close } = await openRecords({ file: join(dir, 'records.sqlite') }, { logger })
  t.after(async () => {
    await close()
    await rm(dir, { recursive: true, force: true })
  })
  const clock = fixedClock(Date.UTC(2026, 0, 1))
  const secret = 'a secret of at least thirty-two characters'
  const access = createAccess({ records, secret, publicUrl: 'http://sonde.test', clock, logger })
  const deps = { records, access, clock, logger, bus: createLocalBus(logger) }
  await ensureOwner(deps, { email: 'owner@sonde.test', password: 'correct horse' })
  return deps
}

const limits = (deps: CommandDeps) =>
  deps.records.selectFrom('project_key').select(['rate_limit_count', 'rate_limit_window_sec']).execute()
const NO_LIMIT = { rate_limit_count: null, rate_limit_window_sec: null }
const LIMIT = { rate_limit_count: 600, rate_limit_window_sec: 60 }

test('the key that everybody who signs in can read has a limit; taken off, it stays off', async (t) => {
  const deps = await openDeps(t)
  const config = readConfig({})
  assert.ok((await openSelfReport(deps, config)).forPages())
  assert.deepEqual(await limits(deps), [LIMIT])
  await deps.records.updateTable('project_key').set(NO_LIMIT).execute()
  await openSelfReport(deps, config)
  assert.deepEqual(await limits(deps), [NO_LIMIT])
})

test('a key that was made before keys had a limit gets one, a limit that somebody chose stays', async (t) => {
  const deps = await openDeps(t)
  const config = readConfig({})
  const forget = () =>
    deps.records.deleteFrom('setting').where('name', '=', 'self_report_limited_key').execute()
  await openSelfReport(deps, config)
  await deps.records.updateTable('project_key').set(NO_LIMIT).execute()
  await forget()
  await openSelfReport(deps, config)
  assert.deepEqual(await limits(deps), [LIMIT])
  const chosen = { rate_limit_count: 5, rate_limit_window_sec: 1 }
  await deps.records.updateTable('project_key').set(chosen).execute()
  await forget()
  await openSelfReport(deps, config)
  assert.deepEqual(await limits(deps), [chosen])
})

test('a Sonde that other machines reach makes no project and tells pages nothing', async (t) => {
  const deps = await openDeps(t)
  const part = await openSelfReport(deps, readConfig({ HOST: '0.0.0.0' }))
  assert.deepEqual([part.state(), part.forPages()], [{ kind: 'reachable' }, undefined])
  assert.deepEqual(await limits(deps), [])
})

test('a switch that another node turned is heard over the bus, and without it a little later', async (t) => {
  const deps = await openDeps(t)
  const config = readConfig({})
  const here = await openSelfReport(deps, config)
  const heard = await openSelfReport(deps, config)
  const deaf = await openSelfReport({ ...deps, bus: createLocalBus(silentLogger) }, config)
  await here.set(false)
  assert.equal(here.forPages(), undefined)
  await until(() => heard.state().kind === 'off')
  assert.equal(deaf.state().kind, 'on')
  deps.clock.advance(10_000)
  deaf.forPages()
  await until(() => deaf.state().kind === 'off')
})

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !isSo(); turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(isSo())
}
