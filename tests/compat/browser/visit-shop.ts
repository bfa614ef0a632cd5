/** One visit of the shop in Chromium: buys, waits until everything is sent, and leaves. */
import type { Browser } from 'playwright-core'

export type ShopVisit = {
  /** Event id by the thrown type, or by the message. */
  readonly ids: Readonly<Record<string, string>>
  /** What the SDK was answered, event by event. */
  readonly statuses: readonly (number | undefined)[]
  /** URLs of other origins that the page asked. */
  readonly foreignRequests: readonly string[]
  /** Posts an empty envelope from a page of the shop, with a header that needs a preflight. */
  postWithHeader(url: string, sentryAuth: string): Promise<{ status: number; body: string }>
}

const SENT_WITHIN_MS = 20_000

export async function visitShop(
  browser: Browser,
  shopUrl: string,
  params: Readonly<Record<string, string>>,
): Promise<ShopVisit> {
  const page = await browser.newPage()
  const foreignRequests: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== shopUrl) foreignRequests.push(request.url())
  })
  await page.goto(`${shopUrl}/?${new URLSearchParams(params).toString()}`)
  await page.click('#buy')
  await page.waitForFunction(() => window.shop.done, undefined, { timeout: SENT_WITHIN_MS })
  const { ids, statuses } = await page.evaluate(() => window.shop)
  // The SDK sends its client report when the page is hidden.
  await page.goto(`${shopUrl}/left`)
  return {
    ids,
    statuses,
    foreignRequests,
    postWithHeader: (url, sentryAuth) =>
      page.evaluate(
        async ([target, auth]) => {
          const answer = await fetch(target, {
            method: 'POST',
            headers: { 'x-sentry-auth': auth, 'content-type': 'application/x-sentry-envelope' },
            body: '{}\n',
          })
          return { status: answer.status, body: await answer.text() }
        },
        [url, sentryAuth] as const,
      ),
  }
}
