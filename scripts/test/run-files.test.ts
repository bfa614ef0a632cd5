import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runFiles } from './run-files.mjs'

const SUITE = { name: 'e2e', jobs: 2, timeoutMs: 10_000, secondTry: true }
let dir = ''
before(() => void (dir = mkdtempSync(join(tmpdir(), 'sonde-run-files-'))))
after(() => rmSync(dir, { recursive: true }))

function file(name: string, body: string): string {
  const path = join(dir, `${name}.test.mjs`)
  const mark = JSON.stringify(join(dir, `${name}.mark`))
  const imports = `import { test } from 'node:test'; import { existsSync, writeFileSync } from 'node:fs'`
  writeFileSync(path, `${imports}\nconst mark = ${mark}\ntest('passes', () => {})\n${body}\n`)
  return path
}
const FAILS_ONCE = `test('once', () => { if (!existsSync(mark)) { writeFileSync(mark, ''); throw new Error('busy') } })`
const FAILS = `test('always', () => { throw new Error('broken') })`

test('a file that fails once passes, and is named', () => {
  const once = file('once', FAILS_ONCE)
  assert.deepEqual(runFiles(SUITE, [once, file('good', '')], dir, 'ignore'), {
    passed: 3,
    failed: 0,
    skipped: 0,
    unsteady: [once],
  })
})

test('a file that fails twice has failed, and so has one that cannot be loaded', () => {
  const counts = runFiles(
    SUITE,
    [file('always', FAILS), file('unloadable', 'throw new Error()')],
    dir,
    'ignore',
  )
  assert.deepEqual([counts.failed, counts.unsteady], [2, []])
})

test('more than three are no accident, and other suites have no second try', () => {
  const four = ['a', 'b', 'c', 'd'].map((name) => file(`many-${name}`, FAILS_ONCE))
  assert.deepEqual(runFiles(SUITE, four, dir, 'ignore'), { passed: 4, failed: 4, skipped: 0, unsteady: [] })
  const alone = file('no-second-try', FAILS_ONCE)
  assert.equal(runFiles({ ...SUITE, secondTry: false }, [alone], dir, 'ignore').failed, 1)
})
