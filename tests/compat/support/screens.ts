/** Sonde's screens in Chromium, as the owner sees them. */
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { OWNER } from '../../harness/start-sonde.ts'
import type { Issue } from './api-shapes.ts'
import type { Harness } from './harness.ts'

export async function signIn(browser: Browser, { sonde }: Harness): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${sonde.url}/sign-in`)
  await page.fill('input[name=email]', OWNER.email)
  await page.fill('input[name=password]', OWNER.password)
  await page.click('button[type=submit]')
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  return page
}

/** Opens the issue where `/api/0` says it is, and returns all of its text, folded parts too. */
export async function issuePageText(page: Page, { sonde }: Harness, issue: Issue): Promise<string> {
  const answer = await page.goto(new URL(new URL(issue.permalink).pathname, sonde.url).href)
  assert.equal(answer?.status(), 200)
  await page.waitForSelector('h1')
  return page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
    return document.querySelector('main')?.innerText ?? document.body.innerText
  })
}

/** The page shows each of the texts. */
export function assertShows(text: string, wanted: readonly string[]): void {
  const missing = wanted.filter((each) => !text.includes(each))
  assert.deepEqual(missing, [], `the page does not show them:\n${text}`)
}
