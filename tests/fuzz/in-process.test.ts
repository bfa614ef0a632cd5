/** A few seconds of each target: first what was found before, then what is new. `npm run fuzz` goes on from there. */
import { test } from 'node:test'
import { TARGET_NAMES } from './targets/index.ts'
import { assertNothingFound } from './assert-nothing-found.ts'

const SECONDS = 3
/** They have most seeds, and most code behind them. */
const LONGER: Readonly<Record<string, number>> = { digest: 6, doors: 6 }

for (const name of TARGET_NAMES.filter((each) => each !== 'live'))
  test(`${name}: no input of some seconds shows a defect, nor does one that once did`, () =>
    assertNothingFound(name, LONGER[name] ?? SECONDS))
