/** The settings of a project: in Chromium, and by their forms alone. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createProject } from '../harness/api-client.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { type PlainPage, signedInPlain } from './plain-page.ts'
import { messageEvent, newEventId } from './screens-events.ts'
import { useSignedInScreens, WAYS } from './screens-signed-in.ts'

const screens = useSignedInScreens()

/** What the door says to an event with this key. */
const statusAtDoor = async (publicKey: string): Promise<number> => {
  const answer = await fetch(`${screens.sonde.url}/api/${screens.shop.id}/store/?sentry_key=${publicKey}`, {
    method: 'POST',
    body: JSON.stringify({ ...messageEvent(Date.now(), 'at the door'), event_id: newEventId() }),
  })
  await answer.body?.cancel()
  return answer.status
}

describe('the settings of a project', () => {
  let plain: PlainPage
  before(async () => {
    plain = await signedInPlain(screens.sonde.url)
  })

  for (const [how, scripts] of WAYS) {
    test(`${how}: a refused name keeps what was typed, a right one is saved and said`, () =>
      screens.asOwner(
        async (page) => {
          await page.goto('/acme/shop/settings')
          await page.getByLabel('Name', { exact: true }).fill('The shop')
          await page.getByLabel('Slug').fill('settings')
          await page.getByRole('button', { name: 'Save project' }).click()
          await page.getByText('is used by Sonde itself').waitFor()
          assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'The shop')
          assert.equal(await page.getByLabel('Slug').inputValue(), 'settings')
          await page.getByLabel('Slug').fill('shop')
          await page.getByRole('button', { name: 'Save project' }).click()
          await page.getByText('Project saved.').waitFor()
          await page.getByRole('heading', { level: 1, name: 'The shop' }).waitFor()
          assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'The shop')
        },
        { javaScriptEnabled: scripts },
      ))
  }

  test('items of a type that nobody knows are counted by their SDK, and others by what became of them', async () => {
    const { id, publicKey } = screens.shop
    const envelope = [
      { sdk: { name: 'sentry.hologram', version: '1.0.0' } },
      { type: 'hologram' },
      { wave: 1 },
    ]
    const answer = await fetch(`${screens.sonde.url}/api/${id}/envelope/?sentry_key=${publicKey}`, {
      method: 'POST',
      body: envelope.map((line) => JSON.stringify(line)).join('\n'),
    })
    assert.equal(answer.status, 200)
    await screens.asOwner(async (page) => {
      const row = page
        .getByRole('group', { name: 'Unknown item types by SDK' })
        .getByRole('row')
        .filter({ hasText: 'sentry.hologram' })
      for (let tries = 0; tries < 40; tries++) {
        await page.goto('/acme/shop/settings')
        if ((await row.count()) > 0) break
      }
      assert.match((await row.textContent()) ?? '', /hologram.*sentry\.hologram.*1/)
      const all = page.getByRole('group', { name: 'Received items by category' })
      await all.getByRole('columnheader', { name: 'Unsupported' }).waitFor()
    })
  })

  test('keys are made, limited, disabled, rotated and deleted', () =>
    screens.asOwner(async (page) => {
      await page.goto('/acme/shop/settings')
      const name = 'app 1'
      await page.getByLabel('New key').fill(name)
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Key created.').waitFor()
      const items = page.locator('.key-list > li').filter({ hasText: name })
      const item = items.first()
      const dsn = (await item.locator('code').textContent()) ?? ''
      assert.equal(await statusAtDoor(new URL(dsn).username), 200)

      await item.getByText('Edit', { exact: true }).click()
      await item.getByLabel('Max events').fill('-1')
      await item.getByRole('button', { name: 'Save key' }).click()
      await item.getByText('is a number of events, 0 or more').waitFor()
      assert.equal(await item.getByLabel('Max events').inputValue(), '-1')
      await item.getByLabel('Max events').fill('500')
      await item.getByRole('button', { name: 'Save key' }).click()
      await item.getByText('limited to 500 events per minute').waitFor()

      await item.getByRole('button', { name: `Disable key ${name}` }).click()
      await item.getByText('disabled', { exact: true }).waitFor()
      await item.getByRole('button', { name: `Enable key ${name}` }).click()
      await item.getByText('active', { exact: true }).waitFor()

      await item.getByText('Rotate', { exact: true }).click()
      await item.getByLabel('The old key').selectOption('expires now')
      await item.getByRole('button', { name: 'Rotate key' }).click()
      await page.getByText('Key rotated.').waitFor()
      assert.equal(await items.count(), 2)
      await item.getByText('disabled', { exact: true }).waitFor()

      await item.getByText('Delete', { exact: true }).click()
      await item.getByRole('button', { name: 'Delete key' }).click()
      await page.getByText('Key deleted.').waitFor()
      assert.equal(await items.count(), 1)
      assert.notEqual(await item.locator('code').textContent(), dsn)
    }))

  test('without JavaScript: keys are made, limited, disabled, rotated and deleted', async () => {
    await plain.goto('/acme/shop/settings')
    const name = 'app 2'
    plain.fill('New key', name)
    await plain.press('Create key')
    plain.shows('Key created.')
    const items = () => plain.parts('.key-list > li', name)
    const item = () => items()[0] ?? assert.fail(`no key ${name}`)
    const dsn = item().part('code').text
    assert.equal(await statusAtDoor(new URL(dsn).username), 200)

    item().fill('Max events', '-1')
    await item().press('Save key')
    item().shows('is a number of events, 0 or more')
    assert.equal(item().valueOf('Max events'), '-1')
    item().fill('Max events', '500')
    await item().press('Save key')
    item().shows('limited to 500 events per minute')

    await item().press(`Disable key ${name}`)
    assert.ok(item().hasExactly('disabled'))
    await item().press(`Enable key ${name}`)
    assert.ok(item().hasExactly('active'))

    item().select('The old key', 'expires now')
    await item().press('Rotate key')
    plain.shows('Key rotated.')
    assert.equal(items().length, 2)
    assert.ok(item().hasExactly('disabled'))

    await item().press('Delete key')
    plain.shows('Key deleted.')
    assert.equal(items().length, 1)
    assert.notEqual(item().part('code').text, dsn)
  })

  test('filters are saved, and a pattern that would drop everything is refused beside its field', async () => {
    await plain.goto('/acme/shop/settings')
    plain.check('Events from localhost')
    plain.fill('Releases', 'shop@1.*\n*')
    await plain.press('Save filters')
    plain.shows('a pattern of * alone would drop every event')
    assert.equal(plain.valueOf('Releases'), 'shop@1.*\n*')
    assert.equal(plain.isChecked('Events from localhost'), true)
    plain.fill('Releases', 'shop@1.*')
    await plain.press('Save filters')
    plain.shows('Filters saved.')
    await plain.reload()
    assert.equal(plain.valueOf('Releases'), 'shop@1.*')
    assert.equal(plain.isChecked('Events from localhost'), true)
  })

  const SAMPLE = (field: string) => `{"extra":{"${field}":"L-1","colour":"red"}}`
  test('scrubbing rules are tried while they are typed, before they are saved', () =>
    screens.asOwner(async (page) => {
      const field = 'loyalty_typed'
      await page.goto('/acme/shop/settings')
      await page.getByLabel('Additional sensitive fields').fill(field)
      await page.getByLabel('Test rules on a sample event').fill(SAMPLE(field))
      const result = page.locator('.scrub-result')
      await result.getByText(`extra.${field}`).waitFor()
      await result.getByText('1 value would be removed:').waitFor()
      assert.equal(await page.getByLabel('Additional sensitive fields').inputValue(), field)
      await page.getByRole('button', { name: 'Save scrubbing rules' }).click()
      await page.getByText('Scrubbing rules saved.').waitFor()
      await page.reload()
      assert.equal(await page.getByLabel('Additional sensitive fields').inputValue(), field)
    }))

  test('without JavaScript: scrubbing rules are tried by a button, before they are saved', async () => {
    const field = 'loyalty_pressed'
    await plain.goto('/acme/shop/settings')
    plain.fill('Additional sensitive fields', field)
    plain.fill('Test rules on a sample event', SAMPLE(field))
    await plain.press('Test rules')
    plain.part('.scrub-result').shows(`extra.${field}`)
    plain.part('.scrub-result').shows('1 value would be removed:')
    assert.equal(plain.valueOf('Additional sensitive fields'), field)
    await plain.press('Save scrubbing rules')
    plain.shows('Scrubbing rules saved.')
    await plain.reload()
    assert.equal(plain.valueOf('Additional sensitive fields'), field)
  })

  test('rules that are typed before the code of the page is there are tried, and again when the answer was lost', () =>
    screens.asOwner(async (page) => {
      const given = Promise.withResolvers<void>()
      await page.route('**/*.js', async (route) => {
        await given.promise
        await route.continue()
      })
      let asked = 0
      await page.route('**/scrub-preview', (route) => (++asked === 1 ? route.abort() : route.continue()))
      await page.goto('/acme/shop/settings', { waitUntil: 'commit' })
      await page.getByLabel('Additional sensitive fields').fill('colour')
      await page.getByLabel('Test rules on a sample event').fill('{"extra":{"colour":"red"}}')
      given.resolve()
      await page.locator('.scrub-result').getByText('extra.colour').waitFor()
      assert.equal(await page.getByLabel('Additional sensitive fields').inputValue(), 'colour')
      assert.equal(asked, 2)
    }))

  test('who may not write sees them, and can press nothing that changes them', async () => {
    const password = 'only looking 1'
    const email = 'viewer@sonde.local'
    const args = ['user', 'create', '--email', email, '--org', 'acme', '--role', 'viewer']
    sondeJson(screens.sonde.dataDir, [...args, '--password', password])
    const page = await signedInPlain(screens.sonde.url, { email, password })
    await page.goto('/acme/shop/settings')
    page.shows('Read-only.')
    for (const label of ['Releases', 'Additional sensitive fields']) {
      const { element } = page.field(label)
      assert.ok(element.hasAttribute('disabled') || element.closest('fieldset[disabled]'), label)
    }
    const buttons = page.part('main').buttons(/^(Save|Create|Disable|Rotate|Delete|Test)/)
    assert.deepEqual(
      buttons.map(({ text }) => text),
      [],
    )
    const answer = await fetch(`${screens.sonde.url}/acme/shop/settings`, {
      method: 'POST',
      headers: { origin: screens.sonde.url, cookie: page.cookie() },
      body: new URLSearchParams({ form: 'new-key', label: 'sneaked in' }),
    })
    assert.equal(answer.status, 403)
  })

  test('a project goes when its slug is typed, and not before, and comes back for a day', () =>
    screens.asOwner(async (page) => {
      createProject(screens.sonde, 'acme/old')
      await page.goto('/acme/old/settings')
      await page.getByLabel('Type old to delete').fill('shop')
      await page.getByRole('button', { name: 'Delete project' }).click()
      await page.getByText('type old to delete it').waitFor()
      await page.getByLabel('Type old to delete').fill('old')
      await page.getByRole('button', { name: 'Delete project' }).click()
      await page.waitForURL((url) => url.pathname === '/acme')
      await page.getByText('Project deleted. It can be restored for a day.').waitFor()
      assert.equal((await page.goto('/acme/old/settings'))?.status(), 404)
      await page.goto('/acme/settings/recently-deleted')
      await page.getByRole('button', { name: 'Restore old' }).click()
      await page.getByText('Project restored.').waitFor()
      assert.equal((await page.goto('/acme/old/settings'))?.status(), 200)
    }))
})
