/**
 * What durability costs: appends of 6.6 kB from 64 callers at once, against the same bytes written to a bare file
 * without any sync. Prints one line of JSON; compare the ratio, never the rates of different machines.
 */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@sonde/base'
import { openLogReader, openLogWriter } from '@sonde/log'

const CALLERS = 64
const BODY = Buffer.alloc(6_600, 'x')
const RUN_MS = 3_000

type Measured = { readonly perSec: number; readonly p50Ms: number; readonly p99Ms: number }

async function measure(append: () => Promise<unknown>): Promise<Measured> {
  const tookMs: number[] = []
  const startMs = performance.now()
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() - startMs < RUN_MS) {
        const beforeMs = performance.now()
        await append()
        tookMs.push(performance.now() - beforeMs)
      }
    }),
  )
  const perSec = Math.round((tookMs.length / (performance.now() - startMs)) * 1000)
  return { perSec, ...percentiles(tookMs) }
}

function percentiles(tookMs: number[]): { p50Ms: number; p99Ms: number } {
  const sorted = Float64Array.from(tookMs).toSorted()
  const at = (share: number): number =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

async function bareWrite(dir: string): Promise<Measured> {
  const file = await open(join(dir, 'bare'), 'w')
  let offset = 0
  const result = await measure(async () => {
    const at = offset
    offset += BODY.length
    await file.write(BODY, 0, BODY.length, at)
  })
  await file.close()
  return result
}

async function durableAppend(dir: string): Promise<Measured & { recordsPerSync: number }> {
  const writer = await openLogWriter({ dir, logger: silentLogger })
  const result = await measure(() => writer.append(BODY))
  const { records, groups } = writer.stats()
  await writer.close()
  return { ...result, recordsPerSync: Math.round(records / groups) }
}

/** From the call of `append` to the record in the hands of a reader that waited for it. */
async function visibleAfter(dir: string): Promise<{ p50Ms: number; p99Ms: number }> {
  const writer = await openLogWriter({ dir, logger: silentLogger })
  const reader = await openLogReader({ dir, logger: silentLogger })
  const tookMs: number[] = []
  let position = writer.stats().durablePosition
  for (let round = 0; round < 300; round++) {
    const waiting = reader.read(position, { maxRecords: 1, maxBytes: 1 }, AbortSignal.timeout(5_000))
    const startMs = performance.now()
    await writer.append(BODY)
    position = (await waiting)[0]?.next ?? position
    tookMs.push(performance.now() - startMs)
  }
  await writer.close()
  await reader.close()
  return percentiles(tookMs)
}

const dir = await mkdtemp(join(process.env['SONDE_BENCH_DIR'] ?? tmpdir(), 'sonde-bench-log-'))
try {
  const bare = await bareWrite(dir)
  const durable = await durableAppend(join(dir, 'log'))
  const visible = await visibleAfter(join(dir, 'log'))
  console.log(
    JSON.stringify({ ratio: Math.round((durable.perSec / bare.perSec) * 100) / 100, durable, bare, visible }),
  )
} finally {
  await rm(dir, { recursive: true })
}
