/**
 * Visits of the shop that are recorded, by the unmodified SDK of Sentry: one that is quiet, one in which a script breaks, and one
 * of somebody who presses a button that does nothing until they give up.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'

type Story = {
  readonly user: string
  readonly timezoneId: string
  readonly run: (page: Page) => Promise<void>
}

/** The SDK waits seven seconds until it calls a click dead. */
const DEAD_AFTER_MS = 8_000
const PATIENCE_MS = 5_000

const firstProduct = (page: Page): Promise<void> => page.locator('.card a').first().click()

const STORIES: readonly Story[] = [
  {
    user: 'Rosa Quiet',
    timezoneId: 'Europe/Lisbon',
    async run(page) {
      await firstProduct(page)
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await page.waitForTimeout(1_500)
      await page.goBack()
    },
  },
  {
    user: 'Emil Unlucky',
    timezoneId: 'America/New_York',
    async run(page) {
      await firstProduct(page)
      await page.waitForTimeout(1_500)
      // The tag of an ad network on the page: nothing catches it.
      await page.evaluate(() => {
        setTimeout(() => {
          throw new TypeError("Cannot read properties of undefined (reading 'slot')")
        })
      })
      await page.waitForTimeout(2_000)
    },
  },
  {
    user: 'Ruth Angry',
    timezoneId: 'Asia/Tokyo',
    async run(page) {
      // A chat whose own script did not load.
      await page.evaluate(() => {
        const button = document.createElement('button')
        Object.assign(button, { id: 'chat', textContent: 'Chat with us' })
        document.querySelector('main')?.prepend(button)
      })
      for (let times = 0; times < 5; times++) await page.click('#chat', { delay: 40 })
      await page.waitForTimeout(DEAD_AFTER_MS)
    },
  },
]

/** All at once. Returns how many were recorded. */
export async function recordReplays(browser: Browser, shopUrl: string, dsn: string): Promise<number> {
  const script = await bundle()
  const recorded = await Promise.all(
    STORIES.map(async ({ user, timezoneId, run }) => {
      // The shop lets its pages reach no other host; a site with this SDK would name Sonde in its policy.
      const context = await browser.newContext({
        timezoneId,
        viewport: { width: 1100, height: 760 },
        bypassCSP: true,
      })
      try {
        await context.addInitScript({
          content: `window.demoReplay = ${JSON.stringify({ dsn, user })};\n${script}`,
        })
        const page = await context.newPage()
        page.setDefaultTimeout(PATIENCE_MS)
        await page.goto(shopUrl)
        await page.locator('.card').first().waitFor()
        // What the shop does not have this time is no reason to lose the recording.
        await run(page).catch(() => undefined)
        await page.evaluate(() => window.sentReplay?.())
        return true
      } catch {
        return false
      } finally {
        await context.close()
      }
    }),
  )
  return recorded.filter(Boolean).length
}

/** One classic script: it runs before the page's own. */
async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-demo-replay-'))
  try {
    await build({
      root: import.meta.dirname,
      configFile: false,
      logLevel: 'error',
      build: {
        outDir: folder,
        emptyOutDir: false,
        lib: { entry: 'replay-page.ts', formats: ['iife'], name: 'demo', fileName: () => 'replay.js' },
      },
    })
    return readFileSync(join(folder, 'replay.js'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
