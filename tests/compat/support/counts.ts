/** What Sonde says became of what it received. */
import assert from 'node:assert/strict'
import { sondeJson } from '../../harness/start-sonde.ts'
import type { Harness } from './harness.ts'

export type Outcome = {
  readonly category: string
  readonly outcome: string
  readonly reason: string
  readonly quantity: number
}
export type Doctor = {
  readonly state: string
  readonly parts: readonly { readonly name: string; readonly state: string; readonly detail: string }[]
  readonly deadLetters: number
  readonly outcomes: readonly Outcome[]
}

export function doctor({ sonde }: Harness): Doctor {
  return sondeJson<Doctor>(sonde.dataDir, ['doctor'])
}

/** Counts reach the doctor about a second later than the answer reaches the SDK. */
export async function assertOutcomes(
  harness: Harness,
  wanted: readonly Outcome[],
  withinMs = 10_000,
): Promise<void> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const { outcomes } = doctor(harness)
    const missing = wanted.filter((each) => !outcomes.some((found) => covers(found, each)))
    if (missing.length === 0) return
    if (Date.now() > endMs)
      assert.fail(`doctor misses ${JSON.stringify(missing)}\nand has ${JSON.stringify(outcomes)}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

function covers(found: Outcome, wanted: Outcome): boolean {
  return (
    found.category === wanted.category &&
    found.outcome === wanted.outcome &&
    found.reason === wanted.reason &&
    found.quantity >= wanted.quantity
  )
}

/** `endpoint` → `status` → how many requests, from Sonde's own metrics. */
export async function answersByEndpoint({ sonde }: Harness): Promise<Record<string, Record<string, number>>> {
  const text = await (await fetch(`${sonde.url}/metrics`)).text()
  const endpoints: Record<string, Record<string, number>> = {}
  for (const [, labels = '', count] of text.matchAll(/^sonde_ingest_requests_total\{([^}]*)\} (\d+)/gm)) {
    const endpoint = /endpoint="([^"]*)"/.exec(labels)?.[1] ?? ''
    const status = /status="([^"]*)"/.exec(labels)?.[1] ?? ''
    const statuses = (endpoints[endpoint] ??= {})
    statuses[status] = (statuses[status] ?? 0) + Number(count)
  }
  return endpoints
}

/** The SDK was never told anything but 200, and it came through this endpoint. */
export async function assertOnlyAccepted(harness: Harness, endpoint: string): Promise<void> {
  const endpoints = await answersByEndpoint(harness)
  assert.deepEqual(
    Object.keys(endpoints[endpoint] ?? {}),
    ['200'],
    `answers at the endpoints: ${JSON.stringify(endpoints)}`,
  )
}
