/** What a project's settings let through the door: the rate limit, and the domains whose pages may send. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createProject, type CreatedProject } from '../harness/api-client.ts'
import { type PlainPage, signedInPlain } from './plain-page.ts'
import { messageEvent, newEventId } from './screens-events.ts'
import { useSignedInScreens } from './screens-signed-in.ts'

const screens = useSignedInScreens()
const ABOUT_A_SECOND_MS = 15_000

const eventFor = (): string =>
  JSON.stringify({ ...messageEvent(Date.now(), 'at the door'), event_id: newEventId() })

const statusAtDoor = async (
  project: CreatedProject,
  headers: Record<string, string> = {},
): Promise<number> => {
  const url = `${screens.sonde.url}/api/${project.id}/store/?sentry_key=${project.publicKey}`
  const answer = await fetch(url, { method: 'POST', headers, body: eventFor() })
  await answer.body?.cancel()
  return answer.status
}

/** Asks again until it is so; what is saved holds at the door a moment later. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + ABOUT_A_SECOND_MS
  while (!(await isSo())) assert.ok(Date.now() < endMs, `never: ${what}`)
}

const isInHtml = (page: PlainPage, text: RegExp) => async (): Promise<boolean> => {
  await page.reload()
  return page.has(text)
}
const isShown = (page: Page, text: RegExp) => async (): Promise<boolean> => {
  await page.reload()
  return (await page.getByText(text).count()) > 0
}

describe('the rate limit of a project', () => {
  test('is refused beside its field, holds at the door, and says what was over it', () =>
    screens.asOwner(async (page) => {
      const project = createProject(screens.sonde, 'acme/limited')
      await page.goto(`/acme/${project.project}/settings`)
      const section = page.locator('#limit')
      await section.getByText('No limit is set, so only spike protection applies').waitFor()
      for (const [typed, says] of [
        ['-1', 'is a number of events, 0 or more'],
        ['many', 'is a whole number of events'],
      ] as const) {
        await section.getByLabel('Max events').fill(typed)
        await section.getByRole('button', { name: 'Save limit' }).click()
        await section.getByText(says).waitFor()
        assert.equal(await section.getByLabel('Max events').inputValue(), typed)
      }
      await section.getByLabel('Max events').fill('0')
      await section.getByLabel('Per').selectOption('day')
      await section.getByRole('button', { name: 'Save limit' }).click()
      await page.getByText('Rate limit saved.').waitFor()
      await section.getByText('Limited to 0 events per day').waitFor()
      await until('a 429', async () => (await statusAtDoor(project)) === 429)
      await until('over the limit', isShown(page, /rejected in the last 24 hours, the last/))
      await section.getByText('over the limit', { exact: true }).waitFor()

      await section.getByLabel('Max events').fill('')
      await section.getByRole('button', { name: 'Save limit' }).click()
      await section.getByText('No limit is set, so only spike protection applies').waitFor()
      await until('a 200', async () => (await statusAtDoor(project)) === 200)
    }))

  test('without JavaScript: the same', async () => {
    const project = createProject(screens.sonde, 'acme/limited-plain')
    const page = await signedInPlain(screens.sonde.url)
    await page.goto(`/acme/${project.project}/settings`)
    const section = page.part('#limit')
    section.shows('No limit is set, so only spike protection applies')
    for (const [typed, says] of [
      ['-1', 'is a number of events, 0 or more'],
      ['many', 'is a whole number of events'],
    ] as const) {
      section.fill('Max events', typed)
      await section.press('Save limit')
      section.shows(says)
      assert.equal(section.valueOf('Max events'), typed)
    }
    section.fill('Max events', '0')
    section.select('Per', 'day')
    await section.press('Save limit')
    page.shows('Rate limit saved.')
    section.shows('Limited to 0 events per day')
    await until('a 429', async () => (await statusAtDoor(project)) === 429)
    await until('over the limit', isInHtml(page, /rejected in the last 24 hours, the last/))
    assert.ok(section.hasExactly('over the limit'))

    section.fill('Max events', '')
    await section.press('Save limit')
    section.shows('No limit is set, so only spike protection applies')
    await until('a 200', async () => (await statusAtDoor(project)) === 200)
  })
})

describe('the allowed domains of a project', () => {
  test('are refused beside their field, hold for pages of a real browser, and say what was refused', () =>
    screens.asOwner(async (page) => {
      const project = createProject(screens.sonde, 'acme/picky')
      await page.goto(`/acme/${project.project}/settings`)
      const section = page.locator('#domains')
      const field = section.getByLabel('Domains', { exact: true })
      const save = async (domains: string): Promise<void> => {
        await field.fill(domains)
        await section.getByRole('button', { name: 'Save domains' }).click()
      }
      await save('shop.example\nhttps://shop.example/cart')
      await section.getByText('"https://shop.example/cart" is no domain').waitFor()
      assert.equal(await field.inputValue(), 'shop.example\nhttps://shop.example/cart')
      await save('*.shop.example')
      await section.getByText('Only these origins are allowed').waitFor()
      const from = (origin: string) => statusAtDoor(project, { origin })
      await until('a 403', async () => (await from('https://evil.example')) === 403)
      assert.equal(await from('https://www.shop.example'), 200)
      assert.equal(await statusAtDoor(project), 200)
      assert.equal(await statusFromPage(project), 403)
      await until('refused', isShown(page, /rejected in the last 24 hours, the last/))

      await save(`*.shop.example\n${new URL(screens.sonde.url).host}`)
      await page.getByText('Allowed domains saved.').waitFor()
      await until('a 200', async () => (await statusFromPage(project)) === 200)
    }))

  test('without JavaScript: the same', async () => {
    const project = createProject(screens.sonde, 'acme/picky-plain')
    const page = await signedInPlain(screens.sonde.url)
    await page.goto(`/acme/${project.project}/settings`)
    const section = page.part('#domains')
    const save = async (domains: string): Promise<void> => {
      section.fill('Domains', domains)
      await section.press('Save domains')
    }
    await save('shop.example\nhttps://shop.example/cart')
    section.shows('"https://shop.example/cart" is no domain')
    assert.equal(section.valueOf('Domains'), 'shop.example\nhttps://shop.example/cart')
    await save('*.shop.example')
    section.shows('Only these origins are allowed')
    const from = (origin: string) => statusAtDoor(project, { origin })
    await until('a 403', async () => (await from('https://evil.example')) === 403)
    assert.equal(await from('https://www.shop.example'), 200)
    assert.equal(await statusAtDoor(project), 200)
    await until('refused', isInHtml(page, /rejected in the last 24 hours, the last/))

    await save(`*.shop.example\n${new URL(screens.sonde.url).host}`)
    page.shows('Allowed domains saved.')
    await until('a 200', async () => (await from(screens.sonde.url)) === 200)
  })
})

/** As a page of Sonde's own origin would send: Chromium writes `Origin` itself. */
async function statusFromPage(project: CreatedProject): Promise<number> {
  let status = 0
  await screens.asOwner(async (page) => {
    await page.goto('/acme')
    const path = `/api/${project.id}/store/?sentry_key=${project.publicKey}`
    const sent = { path, body: eventFor() }
    status = await page.evaluate(
      async (given) => (await fetch(given.path, { method: 'POST', body: given.body })).status,
      sent,
    )
  })
  return status
}
