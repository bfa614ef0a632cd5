/** One visit: a browser of its own with the person's device, network and name. */
import type { Browser, Page } from 'playwright-core'
import type { Person } from './people.ts'

export type Visitor = {
  readonly page: Page
  /** A person's pause, longer on slower devices. */
  think(): Promise<void>
  /** Follows a link or presses a button; `false` when there is none. */
  press(name: string | RegExp): Promise<boolean>
  /** Leaves as people do, so that the page can send its last words. */
  leave(): Promise<void>
}

// What is not there after this is broken on purpose, or the device is too slow: the visit goes on.
const PATIENCE_MS = 4_000
/** Every so manyeth has a blocker: the shop's server alone knows of the visit. */
const BLOCKING_EVERY = 11

export async function comeAs(browser: Browser, person: Person, index: number): Promise<Visitor> {
  const { device } = person
  const context = await browser.newContext({
    viewport: device.viewport,
    userAgent: device.userAgent,
    isMobile: device.isMobile,
    hasTouch: device.isMobile,
    locale: person.locale,
    timezoneId: person.timezone,
  })
  // Two of three are known to the shop.
  if (index % 3 !== 0) {
    const known = {
      id: `v-${person.email.replaceAll(/[^a-z0-9]+/g, '-')}`,
      name: person.name,
      email: person.email,
    }
    await context.addInitScript((text) => {
      try {
        localStorage.setItem('kettle-and-crane.visitor', text)
      } catch {
        // about:blank has no storage.
      }
    }, JSON.stringify(known))
  }
  if (index % BLOCKING_EVERY === BLOCKING_EVERY - 1) await context.addInitScript(blockReports)
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await slowDown(page, person)
  return {
    page,
    think: () => page.waitForTimeout(150 + ((index * 97) % 350) + device.cpuSlowdown * 40),
    async press(name) {
      const found = page.getByRole('link', { name }).or(page.getByRole('button', { name })).first()
      // A pointer is over a link for a moment before it presses; fingers are not.
      if (!device.isMobile) {
        await found.hover().catch(() => undefined)
        await page.waitForTimeout(60 + ((index * 53) % 240))
      }
      return found.click().then(
        () => true,
        () => false,
      )
    },
    async leave() {
      // Not `close`: only a page that is left for another one hears that it is.
      await page.goto('about:blank').catch(() => undefined)
      await context.close()
    },
  }
}

/** In the page. As a blocker does it; what a page sends as it is left would go past a rule of the browser driver. */
function blockReports(): void {
  const { fetch } = window
  const isReport = (asked: RequestInfo | URL): boolean =>
    String(asked instanceof Request ? asked.url : asked).includes('/monitoring')
  window.fetch = (asked, init) =>
    isReport(asked) ? Promise.reject(new TypeError('Failed to fetch')) : fetch(asked, init)
  navigator.sendBeacon = () => false
}

async function slowDown(page: Page, { device }: Person): Promise<void> {
  const session = await page.context().newCDPSession(page)
  if (device.cpuSlowdown > 1)
    await session.send('Emulation.setCPUThrottlingRate', { rate: device.cpuSlowdown })
  if (!device.network) return
  const bytesPerSec = device.network.kBytesPerSec * 1_000
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: device.network.latencyMs,
    downloadThroughput: bytesPerSec,
    uploadThroughput: bytesPerSec / 3,
  })
}
