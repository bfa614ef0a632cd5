import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { watermarkPath } from '../../src/embedded/durable-watermark.ts'
import { ASSURE_MS, createWake } from '../../src/embedded/reader.ts'

const POLL_MS = 10

function wakeIn(t: TestContext, hasFile = true) {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-wake-'))
  if (hasFile) writeFileSync(watermarkPath(dir), 'x')
  const wake = createWake(dir, POLL_MS)
  t.after(() => {
    wake.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return { wake, publish: () => appendFileSync(watermarkPath(dir), 'x') }
}

async function waited(wake: ReturnType<typeof createWake>): Promise<{ told: boolean; ms: number }> {
  const startMs = performance.now()
  const told = await wake.after(wake.signs(), AbortSignal.timeout(20_000))
  return { told, ms: performance.now() - startMs }
}

void test('while the watch is believed, a reader that waits looks rarely, and is told at once', async (t) => {
  const { wake, publish } = wakeIn(t)
  const quiet = await waited(wake)
  assert.equal(quiet.told, false)
  assert.ok(quiet.ms > ASSURE_MS - POLL_MS, `looked after ${quiet.ms} ms`)
  const waiting = waited(wake)
  publish()
  assert.equal((await waiting).told, true)
})

void test('once it missed something the reader looks often, until a sign comes again', async (t) => {
  const { wake, publish } = wakeIn(t)
  wake.signs()
  wake.missed()
  const polled = await waited(wake)
  assert.equal(polled.told, false)
  assert.ok(polled.ms < ASSURE_MS, `looked only after ${polled.ms} ms`)
  publish()
  while (!(await wake.after(0, AbortSignal.timeout(20_000))));
  assert.ok((await waited(wake)).ms > ASSURE_MS - POLL_MS)
})

void test('without a file to watch it looks often', async (t) => {
  const { wake } = wakeIn(t, false)
  assert.ok((await waited(wake)).ms < ASSURE_MS)
})
