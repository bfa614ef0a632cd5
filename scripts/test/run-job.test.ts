import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runJob } from './run-job.mjs'

describe('test files that share a process', () => {
  let dir = ''
  before(() => void (dir = mkdtempSync(join(tmpdir(), 'sonde-run-job-'))))
  after(() => rmSync(dir, { recursive: true }))

  function file(name: string, body: string): string {
    const path = join(dir, `${name}.test.mjs`)
    writeFileSync(path, `import { before, describe, test } from 'node:test'\n${body}\n`)
    return path
  }
  /** `passed/failed/skipped` of each. */
  async function countsOf(bodies: readonly string[], timeoutMs = 20_000): Promise<string[]> {
    const files = bodies.map((body, index) => file(`${index}-${Date.now()}`, body))
    const { counts } = await runJob({ files, timeoutMs }, dir)
    return files.map((name) => {
      const { passed, failed, skipped } = counts[name] ?? assert.fail(`${name} is not counted`)
      return `${passed}/${failed}/${skipped}`
    })
  }
  const PASSES = `test('passes', () => {})`

  test('are counted one by one', async () => {
    const counts = await countsOf([
      PASSES,
      `${PASSES}; test('fails', () => { throw new Error('broken') }); test('skips', { skip: true }, () => {})`,
      `describe('a suite', () => { before(() => { throw new Error('broken') }); ${PASSES} })`,
    ])
    assert.deepEqual(counts, ['1/0/0', '1/1/1', '0/2/0'])
  })

  test('are all loaded before the first test runs, however long that takes', async () => {
    const slow = `await new Promise((done) => setTimeout(done, 300)); ${PASSES}`
    assert.deepEqual(await countsOf([PASSES, slow]), ['1/0/0', '1/0/0'])
  })

  test('fail when they cannot be loaded, have no test or throw after its end', async () => {
    const later = `test('passes', () => { setTimeout(() => { throw new Error('later') }, 1) })
      test('waits', () => new Promise((done) => setTimeout(done, 50)))`
    assert.deepEqual(await countsOf(['throw new Error()']), ['0/1/0'])
    assert.deepEqual(await countsOf(['']), ['0/1/0'])
    assert.deepEqual(await countsOf([later]), ['2/1/0'])
  })

  test('end with what they started, in time or when their time is over', async () => {
    const leaves = `import { spawn } from 'node:child_process'
      test('leaves a child', () => { spawn('sleep', ['60'], { stdio: 'inherit' }); setInterval(() => {}, 1000) })`
    const begun = performance.now()
    assert.deepEqual(await countsOf([leaves]), ['1/0/0'])
    assert.deepEqual(
      await countsOf([`test('hangs', () => new Promise((done) => setTimeout(done, 60_000)))`], 1_000),
      ['0/1/0'],
    )
    assert.ok(performance.now() - begun < 30_000)
  })

  test('fork processes that know nothing of the runner', async () => {
    const child = file('child', `process.send?.(process.execArgv.join(' '))`)
    const forks = `import { fork } from 'node:child_process'
      test('forks', async () => {
        const options = await new Promise((done) => fork(${JSON.stringify(child)}).once('message', done))
        if (/--test/.test(options)) throw new Error(options)
      })`
    assert.deepEqual(await countsOf([forks]), ['1/0/0'])
  })
})
