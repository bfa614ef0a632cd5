/** A few seconds of each target: first what was found before, then what is new. `npm run fuzz` goes on from there. */
import { test } from 'node:test'
import { assertNothingFound } from './assert-nothing-found.ts'
import { TARGET_NAMES } from './targets/index.ts'

const MOST_MS = 2_000
/** They have most seeds, and most code behind them. */
const LONGER_MS: Readonly<Record<string, number>> = { process: 4_000, endpoints: 4_000 }
// With all of them in half a minute: where seeds alone take longer than usual, less that is new is tried.
const ALL_MS = 30_000

const names = TARGET_NAMES.filter((each) => each !== 'live')
let endMs: number | undefined
for (const [at, name] of names.entries())
  test(`${name}: no input of some seconds shows a defect, nor does one that once did`, () => {
    const nowMs = Date.now()
    endMs ??= nowMs + ALL_MS
    const shareMs = (endMs - nowMs) / (names.length - at)
    return assertNothingFound(name, nowMs + Math.min(LONGER_MS[name] ?? MOST_MS, shareMs))
  })
