/** A person at the screens: a browser of their own, signed in or not, whose every complaint is kept. */
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { OWNER } from '../harness/start-sonde.ts'

export type Visit = {
  readonly page: Page
  /** What the page said on the console or threw: a hydration mismatch, a refused style, an error. */
  readonly complaints: () => readonly string[]
  close(): Promise<void>
}

export async function visit(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ baseURL, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints: () => complaints, close: () => context.close() }
}

/** A visit for as long as `run` takes; the page must have complained of nothing. */
export async function quietVisit(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions,
  run: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, complaints, close } = await visit(browser, baseURL, options)
  try {
    await run(page)
    assert.deepEqual(complaints(), [])
  } finally {
    await close()
  }
}

export async function signIn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string } = OWNER,
): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export async function visitSignedIn(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const opened = await visit(browser, baseURL, options)
  await opened.page.goto('/sign-in')
  await signIn(opened.page)
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  await opened.page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  return opened
}

/** React has taken over every control of the page, also of the parts that were streamed. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const controls = [...document.querySelectorAll('#root :is(a[href], button, input, summary)')]
    const isTaken = (control: Element): boolean =>
      Object.keys(control).some((key) => key.startsWith('__reactFiber'))
    return document.readyState === 'complete' && controls.every(isTaken)
  })
}
