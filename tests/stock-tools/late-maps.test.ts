/** Errors first, maps afterwards: what was stored unreadable is read again, and two issues of one error become one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Issue } from '../compat/support/api-shapes.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { openHarness, type Harness } from './support/harness.ts'
import { pay } from './support/pay.ts'
import { type PlainShop, plainShop } from './support/plain-shop.ts'
import { assertCheckoutReadable } from './support/read-checkout.ts'
import { framesOf, storedEvent } from './support/readable.ts'
import { mustRun } from './support/run-tool.ts'

const ISSUES = '/api/0/projects/acme/shop/issues/?limit=100'

let harness: Harness
let browser: Browser
const shops: PlainShop[] = []

before(async () => {
  harness = await openHarness()
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  for (const { app } of shops) app.remove()
  await harness?.close()
})

/** Built with debug ids in it, run, and not uploaded: the id of the event. */
async function breakUnseen(release: string, layout?: 'other'): Promise<{ shop: PlainShop; id: string }> {
  const shop = await plainShop(harness, { release, ...(layout && { layout }) })
  shops.push(shop)
  await mustRun('sentry-cli 3', ['sourcemaps', 'inject', 'dist'], {
    cwd: shop.app.folder,
    env: harness.env,
  })
  const server = await shop.deploy()
  try {
    return { shop, id: await pay(browser, server.url) }
  } finally {
    await server.stop()
  }
}

test('events of two releases become readable after their maps came, and their issues become one', async () => {
  const first = await breakUnseen('late@1')
  const second = await breakUnseen('late@2', 'other')
  for (const { id } of [first, second]) {
    const frame = framesOf(await storedEvent(harness, id)).at(-1)
    assert.match(frame?.filename ?? '', /main\.js$/)
  }
  const split = await harness.api.until<readonly Issue[]>(ISSUES, (issues) => issues.length === 2)
  for (const { shop } of [first, second])
    await mustRun('sentry-cli 3', ['sourcemaps', 'upload', 'dist'], {
      cwd: shop.app.folder,
      env: harness.env,
    })
  for (const { id } of [first, second]) {
    const event = await storedEvent(harness, id, (frames) => frames.at(-1)?.filename === 'src/coupon.ts')
    assertCheckoutReadable(event)
  }
  const [merged] = await harness.api.until<readonly Issue[]>(ISSUES, (issues) => issues.length === 1)
  assert.equal(merged?.count, '2')
  assert.ok(
    split.some(({ id }) => id === merged?.id),
    'one of the two issues lives on',
  )
  // The other one's address still leads somewhere: whoever kept a link finds the issue. It has no events for a moment before it
  // is merged, and is out of the list then already.
  for (const { id } of split)
    await harness.api.until<Issue>(
      `/api/0/organizations/acme/issues/${id}/`,
      (issue) => issue.id === merged?.id,
    )
})
