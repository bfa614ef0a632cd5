import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { budgetProblems, entryPath, REPORTER_BUDGETS, weighEntry } from './reporter-sizes.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const budget = { entry: 'errors', what: 'errors only', maxGzipBytes: 1000 }

test('a bundle over its budget fails, one 5 % under asks to lower it, one between passes', () => {
  assert.match(budgetProblems(budget, 1001)[0] ?? '', /1001 bytes gzipped, allowed are 1000/)
  assert.match(budgetProblems(budget, 949)[0] ?? '', /lower its limit/)
  assert.deepEqual(budgetProblems(budget, 950), [])
  assert.deepEqual(budgetProblems(budget, 1000), [])
})

test('what an app does not import is not in its bundle', async () => {
  const [errors, tracing, all] = await Promise.all(
    REPORTER_BUDGETS.map(({ entry, package: name }) => weighEntry(ROOT, entryPath(ROOT, entry, name))),
  )
  assert.ok(errors && tracing && all)
  assert.ok(errors.gzipBytes < tracing.gzipBytes && tracing.gzipBytes < all.gzipBytes)
  for (const [text, isIn] of [
    ['popstate', [false, true, true]],
    ['XMLHttpRequest', [false, true, true]],
    ['localStorage', [false, false, false]],
    ['largest-contentful-paint', [false, false, true]],
    ['sendBeacon', [true, true, true]],
  ] as const)
    assert.deepEqual(
      [errors, tracing, all].map(({ code }) => code.includes(text)),
      isIn,
      text,
    )
})

test('an import for nothing adds nothing', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-size-'))
  const path = join(dir, 'nothing.ts')
  const index = join(ROOT, 'packages', 'browser', 'src', 'index.ts')
  writeFileSync(
    path,
    `import * as sonde from ${JSON.stringify(index)}\nexport const unused = () => 1\nvoid sonde\n`,
  )
  try {
    const { code } = await weighEntry(ROOT, path)
    assert.ok(code.length < 200, code.slice(0, 1000))
  } finally {
    rmSync(dir, { recursive: true })
  }
})
