/** Every screen, filled, and held to what all of them have to keep. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type FilledSonde, SCREENS, startFilledSonde } from './all-screens.ts'
import { inEveryLook, inTheseColours, WIDE } from './axe-looks.ts'
import { misfits } from './misfits.ts'
import { motions } from './motions.ts'
import type { Visit } from './screens-visit.ts'
import { tabFaults } from './tab-stops.ts'

const WINDOWS: readonly [what: string, size: { readonly width: number; readonly height: number }][] = [
  ['of 360 px', { width: 360, height: 740 }],
  // What a browser does at 200 %: half as many CSS pixels.
  ['of 1280 px at 200 %', { width: 640, height: 450 }],
  ['of 1024 px at 200 %', { width: 512, height: 384 }],
]
const LARGE = SCREENS['a large issue'] ?? ''

let filled: FilledSonde
before(async () => {
  filled = await startFilledSonde()
})
after(async () => {
  assert.equal(await filled?.close(), 0)
})

async function look(
  path: string,
  run: (page: Page) => Promise<void>,
  options: Parameters<FilledSonde['open']>[1] = { viewport: WIDE },
): Promise<void> {
  const { page, close } = await filled.open(path, options)
  try {
    await run(page)
  } finally {
    await close()
  }
}

// By itself: in a browser where another page changes its size, the focus does not always go where Tab was pressed.
describe('every screen by keyboard', { concurrency: 2 }, () => {
  for (const [name, path] of Object.entries(SCREENS))
    test(`${name}: every control is a stop that is seen, and none is a trap`, () =>
      look(path, async (page) => assert.deepEqual(await tabFaults(page), [])))
})

describe('every screen', { concurrency: 2 }, () => {
  for (const [name, path] of Object.entries(SCREENS))
    describe(name, () => {
      let visited: Visit
      before(async () => {
        visited = await filled.open(path, { viewport: WIDE })
      })
      after(() => visited?.close())

      test(`${name}: no violation of axe`, () => inEveryLook(visited.page))

      test(`${name}: nothing moves for who asked for less motion`, async () => {
        await visited.page.emulateMedia({ reducedMotion: 'reduce' })
        assert.deepEqual(await motions(visited.page), [])
      })

      for (const [what, size] of WINDOWS)
        test(`${name}: nothing sticks out of a window ${what}, and nothing is cut`, async () => {
          await visited.page.setViewportSize(size)
          assert.deepEqual(await misfits(visited.page), [])
        })
    })

  test('who did not ask for less motion sees some', () =>
    look('/acme/fresh/issues', async (page) => assert.notDeepEqual(await motions(page), [])))
})

describe('no violation of axe', { concurrency: 2 }, () => {
  test('in an open menu', () =>
    look('/acme/shop/issues', async (page) => {
      await page.getByLabel(/^Environment:/).click()
      await page.getByRole('checkbox', { name: 'production' }).waitFor()
      await inEveryLook(page)
    }))

  test('in the palette', () =>
    look('/acme', async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Go to' }).getByText('SHOP-1').waitFor()
      await inEveryLook(page)
    }))

  test('in the keyboard help', () =>
    look('/acme/shop/issues', async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await inEveryLook(page)
    }))

  test('with the theme that was chosen against the system', () =>
    look(
      '/acme/shop/issues/SHOP-1',
      async (page) => {
        await page.context().addCookies([{ name: 'sonde_theme', value: 'dark', url: filled.url }])
        await page.reload()
        await inTheseColours(page, 'dark by choice')
      },
      { viewport: WIDE, colorScheme: 'light' },
    ))
})

describe('a long event', () => {
  test('without JavaScript a link shows all breadcrumbs, all frames and what is folded', () =>
    look(
      LARGE,
      async (page) => {
        const crumbs = page.locator('.crumb-table tbody tr')
        assert.equal(await crumbs.count(), 15)
        await page.getByRole('link', { name: /earlier ones$/ }).click()
        assert.equal(new URL(page.url()).hash, '#breadcrumbs')
        await crumbs.nth(99).waitFor()
        assert.ok((await page.locator('#exception-0 .frame-name').count()) >= 250)
        const oldest = page.locator('#exception-0 details.frame-ours').last()
        await oldest.locator('summary').first().click()
        await oldest.getByText('raise ValueError').first().waitFor()
      },
      { javaScriptEnabled: false },
    ))

  test('breadcrumbs are turned around, and the browser remembers it', () =>
    look(LARGE, async (page) => {
      const first = page.locator('.crumb-table tbody tr').first()
      await first.getByText('step 99 of the import').waitFor()
      await page.getByRole('button', { name: 'Oldest first' }).click()
      await first.getByText('step 85 of the import').waitFor()
      await page.getByRole('button', { name: /earlier ones$/ }).click()
      await first.getByText('step 0 of the import').waitFor()
      await page.reload()
      await first.getByText('step 85 of the import').waitFor()
    }))

  test('sections of a long event are one press away', () =>
    look(LARGE, async (page) => {
      await page.getByRole('navigation', { name: 'Sections of the event' }).getByText('Breadcrumbs').click()
      assert.equal(new URL(page.url()).hash, '#breadcrumbs')
      const top = await page
        .locator('#breadcrumbs')
        .evaluate((element) => element.getBoundingClientRect().top)
      assert.ok(top >= 0 && top < 300, `${top} px from the top`)
    }))
})
