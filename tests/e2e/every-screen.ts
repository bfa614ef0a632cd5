/** What every screen has to keep, whatever it shows. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type FilledSonde, SCREENS } from './all-screens.ts'
import { inEveryLook, WIDE } from './axe-looks.ts'
import { misfits } from './misfits.ts'
import { motions } from './motions.ts'
import { tabFaults } from './tab-stops.ts'

const WINDOWS: readonly [what: string, size: { readonly width: number; readonly height: number }][] = [
  ['of 360 px', { width: 360, height: 740 }],
  // What a browser does at 200 %: half as many CSS pixels.
  ['of 1280 px at 200 %', { width: 640, height: 450 }],
  ['of 1024 px at 200 %', { width: 512, height: 384 }],
]
/** Two halves, each a file of its own: together they take too long for one process. */
type Half = 'of data' | 'of settings'
const halfOf = (path: string): Half =>
  /settings|alerts|status|sign-|crons|uptime/.test(path) ? 'of settings' : 'of data'

export function everyScreen(half: Half, filled: () => FilledSonde): void {
  for (const [name, path] of Object.entries(SCREENS).filter(([, path]) => halfOf(path) === half))
    describe(name, () => {
      let page: Page
      before(async () => {
        page = await filled().show(path)
      })

      test(`${name}: no violation of axe`, () => inEveryLook(page))

      test(`${name}: one main part with one main heading`, async () => {
        assert.deepEqual([await page.locator('main').count(), await page.locator('h1').count()], [1, 1])
      })

      test(`${name}: nothing moves for who asked for less motion`, async () => {
        await page.emulateMedia({ reducedMotion: 'reduce' })
        assert.deepEqual(await motions(page), [])
      })

      for (const [what, size] of WINDOWS)
        test(`${name}: nothing sticks out of a window ${what}, and nothing is cut`, async () => {
          await page.setViewportSize(size)
          assert.deepEqual(await misfits(page), [])
        })

      test(`${name}: every control is a stop that is seen, and none is a trap`, async () => {
        await page.setViewportSize(WIDE)
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
        assert.deepEqual(await tabFaults(page), [])
      })
    })
}
