/** Every screen of settings, alerts, monitors and of whoever is not signed in, held to what all of them have to keep. */
import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type FilledSonde, startFilledSonde } from './all-screens.ts'
import { everyScreen } from './every-screen.ts'

let filled: FilledSonde
before(async () => {
  filled = await startFilledSonde()
})
after(async () => {
  assert.equal(await filled?.close(), 0)
})

describe('every screen of settings', () => {
  everyScreen('of settings', () => filled)
})
