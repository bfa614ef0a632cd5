/** Opens a built page in Chromium and presses the button that breaks. */
import type { Browser } from 'playwright-core'

const SENT_WITHIN_MS = 20_000

/** Id of the error event that the SDK of the page sent, once it was answered. */
export async function pay(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage()
  try {
    await page.goto(url)
    const sent = page.waitForResponse((answer) => errorEventId(answer.request().postData()) !== undefined, {
      timeout: SENT_WITHIN_MS,
    })
    await page.getByRole('button', { name: /^Pay/ }).click()
    const answer = await sent
    if (!answer.ok())
      throw new Error(`the event was answered with ${answer.status()}: ${await answer.text()}`)
    return errorEventId(answer.request().postData()) ?? ''
  } finally {
    await page.close()
  }
}

/** An envelope is lines of JSON: its header names the event, the next line the kind of the item. */
function errorEventId(envelope: string | null): string | undefined {
  const [header = '', item = ''] = envelope?.split('\n') ?? []
  if (!/"type":"event"/.test(item)) return undefined
  return (JSON.parse(header) as { event_id?: string }).event_id
}
