/** The built single-page application from an origin of its own, with the API that it asks: one order is never found. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser } from 'playwright-core'

const BROKEN_ORDER = '8'

export type SpaServer = { readonly url: string; stop(): Promise<void> }

export async function serveSpa(folder: string): Promise<SpaServer> {
  const server = createServer((req, res) => void answer(folder, req.url ?? '/', res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(folder: string, url: string, res: ServerResponse): Promise<void> {
  const [, order] = /^\/api\/orders\/(\w+)$/.exec(url) ?? []
  if (order !== undefined) {
    res.writeHead(order === BROKEN_ORDER ? 500 : 200, { 'content-type': 'application/json' })
    res.end(JSON.stringify({ id: order }))
    return
  }
  const isFile = extname(url) === '.js'
  const bytes = await readFile(join(folder, isFile ? url : 'index.html')).catch(() => undefined)
  res.writeHead(bytes ? 200 : 404, { 'content-type': isFile ? 'text/javascript' : 'text/html' }).end(bytes)
}

/** From the home page to the cart, to an order, and to one whose data the API fails to give. */
export async function visitSpa(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.getByRole('link', { name: 'Cart' }).click()
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('link', { name: 'Order 7' }).click()
  await page.getByRole('heading', { name: 'Order 7' }).waitFor()
  await page.getByRole('link', { name: `Order ${BROKEN_ORDER}` }).click()
  await page.getByRole('heading', { name: 'That did not work' }).waitFor()
  // The span of this navigation is open for a second: what is asked within it is told.
  const refused = page.waitForResponse((answer) => answer.url().endsWith(`/api/orders/${BROKEN_ORDER}`))
  await page.getByRole('button', { name: 'Try again' }).click()
  assert.equal((await refused).status(), 500)
  // Leaving ends what is under way; the SDK sends it while the page goes.
  await page.goto(`${url}/gone.js`)
  await page.close()
}
