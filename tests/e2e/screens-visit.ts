/** A person at the screens: a browser of their own, signed in or not, whose every complaint is kept. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { OWNER } from '../harness/start-sonde.ts'

export type Visit = {
  readonly page: Page
  /** What the page said on the console or threw: a hydration mismatch, a refused style, an error. */
  readonly complaints: () => readonly string[]
  close(): Promise<void>
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

/** Contexts that are free: their cache holds the scripts, and a page in one costs half of a page in a new one. */
const free = new WeakMap<Browser, Map<string, BrowserContext[]>>()

/** A page without cookies and storage but those of `storageState`. */
export async function visit(
  browser: Browser,
  baseURL: string,
  { storageState, ...options }: BrowserContextOptions = {},
): Promise<Visit> {
  const pools = free.get(browser) ?? new Map<string, BrowserContext[]>()
  free.set(browser, pools)
  const key = JSON.stringify([baseURL, options])
  const pool = pools.get(key) ?? []
  pools.set(key, pool)
  const context = pool.pop() ?? (await browser.newContext({ baseURL, ...options }))
  if (typeof storageState === 'object') await context.addCookies(storageState.cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return {
    page,
    complaints: () => complaints,
    async close() {
      if (await isEmptied(context, page)) pool.push(context)
      else await context.close()
    },
  }
}

/** False when something may be left in it. */
async function isEmptied(context: BrowserContext, page: Page): Promise<boolean> {
  if (context.pages().some((other) => other !== page)) return false
  try {
    await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()))
  } catch {
    return false
  }
  if (!(await closes(page))) return false
  await Promise.all([context.clearCookies(), context.setOffline(false)])
  await context.unrouteAll()
  return true
}

// A page that is closed while an answer turns into the next page is sometimes never reported as closed.
const CLOSES_WITHIN_MS = 5_000

/** False when the page does not say so in time: only its context can be closed then. */
export function closes(page: Page): Promise<boolean> {
  const late = once(AbortSignal.timeout(CLOSES_WITHIN_MS), 'abort').then(() => false)
  return Promise.race([page.close().then(() => true), late])
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

/** The owner's session, without a browser. A password takes its time to check: sign in once for a file. */
export async function sessionOf(
  baseURL: string,
  { email, password }: { readonly email: string; readonly password: string } = OWNER,
): Promise<Session> {
  const answer = await fetch(`${baseURL}/sign-in`, {
    method: 'POST',
    headers: { origin: baseURL },
    body: new URLSearchParams({ email, password }),
    redirect: 'manual',
  })
  assert.equal(answer.status, 303, await answer.text())
  const cookies = answer.headers.getSetCookie().map((text) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
    const domain = new URL(baseURL).hostname
    return {
      name,
      value,
      domain,
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax' as const,
    }
  })
  return { cookies, origins: [] }
}

/** At the first screen after signing in. */
export async function visitSignedIn(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const opened = await visit(browser, baseURL, { ...options, storageState: await sessionOf(baseURL) })
  await opened.page.goto('/')
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
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

const BECOMES_WITHIN_MS = 15_000

/** What a page shows follows what was done to it: asserts that it comes to be so. */
export async function becomes<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const endMs = Date.now() + BECOMES_WITHIN_MS
  while (!isDeepStrictEqual(await read(), wanted) && Date.now() < endMs) await sleep(20)
  assert.deepEqual(await read(), wanted)
}
