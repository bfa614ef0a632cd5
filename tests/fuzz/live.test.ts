/** A few seconds of requests to a whole Sonde, and what it says of itself afterwards. */
import { test } from 'node:test'
import { assertNothingFound } from './assert-nothing-found.ts'

const SECONDS = 12

test(`whatever is sent to it for ${SECONDS} seconds, Sonde answers, stays well and loses nothing`, () =>
  assertNothingFound('live', Date.now() + SECONDS * 1_000))
