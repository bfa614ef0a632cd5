import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { shapeOfName } from '../../src/routes/[org]/traces/[trace]/trace-outline.ts'

test('texts in quotes are values, also one that a cut has left open', () => {
  const shape = 'SELECT * FROM t WHERE a = … AND b = …'
  for (const name of [
    `SELECT * FROM t WHERE a = 'it''s' AND b = 17`,
    `SELECT * FROM t WHERE a = "say \\"no\\"" AND b = 'x'`,
    `SELECT * FROM t WHERE a = 'a' AND b = 'a long te`,
    `SELECT * FROM t WHERE a = 1 AND b = "a\\`,
  ])
    assert.equal(shapeOfName(name), shape)
})

test('a thousand names that are hard to read do not hold the page up', () => {
  // As long as a name may be.
  const hard = ['"\\'.repeat(2_048), `${'"'.repeat(4_095)}a`, "'".repeat(4_095), 'a'.repeat(4_096)]
  for (const name of hard) {
    const startedMs = performance.now()
    for (let at = 0; at < 1_000; at++) shapeOfName(name)
    // 100 ms here; a text that is looked for from each of its quotes takes ten seconds and more.
    assert.ok(
      performance.now() - startedMs < 2_000,
      `${name.slice(0, 4)}…: ${performance.now() - startedMs} ms`,
    )
  }
})
