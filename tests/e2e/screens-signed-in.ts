/** One Sonde, one browser, and pages of its owner: signed in once, since a password takes its time to check. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { sessionOf, visit } from './screens-visit.ts'

export type SignedInScreens = {
  readonly sonde: RunningSonde
  readonly browser: Browser
  /** `acme/shop`. */
  readonly shop: CreatedProject
  /** The page must have complained of nothing but the status of an answer. */
  asOwner(run: (page: Page) => Promise<void>, options?: BrowserContextOptions): Promise<void>
}

export const WAYS = [
  ['with JavaScript', true],
  ['without JavaScript', false],
] as const

const isStatus = (complaint: string): boolean => complaint.startsWith('Failed to load resource')

/** Started before and stopped after the tests of the file; read its fields within tests only. */
export function useSignedInScreens(env: NodeJS.ProcessEnv = {}): SignedInScreens {
  const screens: { -readonly [Name in keyof SignedInScreens]?: SignedInScreens[Name] } = {}
  let owner: BrowserContextOptions['storageState']
  before(async () => {
    const sonde = await startSonde({ env })
    screens.sonde = sonde
    screens.shop = createProject(sonde, 'acme/shop')
    screens.browser = await launchChromium()
    owner = await sessionOf(sonde.url)
  })
  after(async () => {
    await screens.browser?.close()
    assert.equal(await screens.sonde?.stop(), 0)
  })
  const running = screens as SignedInScreens
  screens.asOwner = async (run, options = {}) => {
    const { page, complaints, close } = await visit(running.browser, running.sonde.url, {
      ...(owner && { storageState: owner }),
      ...options,
    })
    try {
      await run(page)
      assert.deepEqual(
        complaints().filter((complaint) => !isStatus(complaint)),
        [],
      )
    } finally {
      await close()
    }
  }
  return running
}
