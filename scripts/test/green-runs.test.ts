import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createGreenRuns } from './green-runs.mjs'

const FILES = {
  '.gitignore': '.cache/',
  'package-lock.json': '{}',
  'docs/page.md': 'words',
  'packages/base/src/clock.ts': 'export const now = 1',
  'packages/base/test/clock.test.ts': 'of base',
  'packages/log/src/log.ts': `import { now } from '@sonde/base'`,
  'packages/log/test/log.test.ts': 'of log',
  'packages/log/test/harness.ts': 'export const dir = 1',
  'packages/web/src/page.tsx': 'export const page = 1',
  'tests/e2e/page.test.ts': 'of a page',
  'tests/e2e/other.test.ts': 'of another page',
  'tests/harness/start.ts': 'export const start = 1',
}
const LOG = { suite: { name: 'unit' }, name: 'packages/log', files: ['packages/log/test/log.test.ts'] }
const PAGE = { suite: { name: 'e2e' }, name: 'page', files: ['tests/e2e/page.test.ts'] }
const COUNTS = { file: { passed: 2, failed: 0, skipped: 0, ms: 5 } }

describe('a job that was green', () => {
  let root = ''
  before(() => void (root = mkdtempSync(join(tmpdir(), 'sonde-green-'))))
  after(() => rmSync(root, { recursive: true }))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const isGreen = (job: typeof LOG): boolean => createGreenRuns(root).find(job) !== undefined
  const remember = (job: typeof LOG, counts = COUNTS): void => {
    const runs = createGreenRuns(root)
    runs.find(job)
    runs.remember(job, counts)
  }
  beforeEach(() => {
    rmSync(join(root, '.cache'), { recursive: true, force: true })
    for (const [path, text] of Object.entries(FILES)) write(path, text)
    spawnSync('git', ['init', '--quiet'], { cwd: root })
    for (const job of [LOG, PAGE]) remember(job)
  })

  test('leaves its duration, also when it has to run again', () => {
    const files = { one: { ...COUNTS.file, ms: 40 }, two: { ...COUNTS.file, ms: 2 } }
    const runs = createGreenRuns(root)
    runs.find(LOG)
    runs.remember(LOG, files)
    write('packages/log/src/log.ts', 'changed')
    assert.ok(!isGreen(LOG))
    assert.equal(createGreenRuns(root).lastMs(LOG), 42)
    assert.equal(createGreenRuns(root).lastMs({ ...LOG, name: 'packages/new' }), undefined)
  })

  test('has to run again when a file changed that it runs itself', () => {
    const job = { suite: { name: 'cluster', runs: /^tests\/e2e\// }, name: 'cluster', files: PAGE.files }
    remember(job)
    assert.ok(isGreen(job))
    write('tests/e2e/other.test.ts', 'changed')
    assert.ok(!isGreen(job))
    assert.ok(isGreen(PAGE))
  })

  test('need not run again while nothing changed', () => {
    assert.deepEqual(createGreenRuns(root).find(LOG)?.counts, COUNTS)
    assert.ok(isGreen(PAGE))
  })

  for (const [path, log, page] of [
    ['packages/log/src/log.ts', false, false],
    ['packages/log/test/log.test.ts', false, true],
    ['packages/log/test/harness.ts', false, false],
    ['packages/base/src/clock.ts', false, false],
    ['packages/base/test/clock.test.ts', true, true],
    ['packages/web/src/page.tsx', true, false],
    ['package-lock.json', false, false],
    ['tests/harness/start.ts', false, false],
    ['tests/e2e/page.test.ts', true, false],
    ['tests/e2e/other.test.ts', true, true],
    ['docs/page.md', true, true],
    // git knows nothing of it yet.
    ['packages/log/src/new.ts', false, false],
  ] as const)
    test(`runs again after a change of what it reads: ${path}`, () => {
      write(path, 'changed')
      assert.deepEqual([isGreen(LOG), isGreen(PAGE)], [log, page])
      rmSync(join(root, path))
    })

  test('is not remembered when something failed, was skipped or did not run', () => {
    for (const change of [{ failed: 1 }, { skipped: 1 }, { passed: 0 }]) {
      rmSync(join(root, '.cache'), { recursive: true, force: true })
      remember(LOG, { file: { ...COUNTS.file, ...change } })
      assert.ok(!isGreen(LOG))
    }
  })

  test('counts with what it read when it began, not when it ended', () => {
    const runs = createGreenRuns(root)
    write('packages/log/src/log.ts', 'first')
    runs.find(LOG)
    write('packages/log/src/log.ts', 'second')
    runs.remember(LOG, COUNTS)
    assert.ok(!isGreen(LOG))
  })
})
