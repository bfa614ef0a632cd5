/** The settings of a project, in Chromium. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createProject } from '../harness/api-client.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { messageEvent, newEventId } from './screens-events.ts'
import { useSignedInScreens, WAYS } from './screens-signed-in.ts'
import { signIn, visit } from './screens-visit.ts'

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

    test(`${how}: keys are made, limited, disabled, rotated and deleted`, () =>
      screens.asOwner(
        async (page) => {
          await page.goto('/acme/shop/settings')
          const name = `app ${scripts ? 1 : 2}`
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
        },
        { javaScriptEnabled: scripts },
      ))
  }

  test('filters are saved, and a pattern that would drop everything is refused beside its field', () =>
    screens.asOwner(
      async (page) => {
        await page.goto('/acme/shop/settings')
        await page.getByLabel('Events from localhost').check()
        await page.getByLabel('Releases').fill('shop@1.*\n*')
        await page.getByRole('button', { name: 'Save filters' }).click()
        await page.getByText('a pattern of * alone would drop every event').waitFor()
        assert.equal(await page.getByLabel('Releases').inputValue(), 'shop@1.*\n*')
        assert.equal(await page.getByLabel('Events from localhost').isChecked(), true)
        await page.getByLabel('Releases').fill('shop@1.*')
        await page.getByRole('button', { name: 'Save filters' }).click()
        await page.getByText('Filters saved.').waitFor()
        await page.reload()
        assert.equal(await page.getByLabel('Releases').inputValue(), 'shop@1.*')
        assert.equal(await page.getByLabel('Events from localhost').isChecked(), true)
      },
      { javaScriptEnabled: false },
    ))

  for (const [how, scripts] of WAYS) {
    test(`${how}: scrubbing rules are tried before they are saved`, () =>
      screens.asOwner(
        async (page) => {
          const field = `loyalty_${scripts}`
          await page.goto('/acme/shop/settings')
          await page.getByLabel('Additional sensitive fields').fill(field)
          await page
            .getByLabel('Test rules on a sample event')
            .fill(`{"extra":{"${field}":"L-1","colour":"red"}}`)
          if (!scripts) await page.getByRole('button', { name: 'Test rules' }).click()
          const result = page.locator('.scrub-result')
          await result.getByText(`extra.${field}`).waitFor()
          await result.getByText('1 value would be removed:').waitFor()
          assert.equal(await page.getByLabel('Additional sensitive fields').inputValue(), field)
          await page.getByRole('button', { name: 'Save scrubbing rules' }).click()
          await page.getByText('Scrubbing rules saved.').waitFor()
          await page.reload()
          assert.equal(await page.getByLabel('Additional sensitive fields').inputValue(), field)
        },
        { javaScriptEnabled: scripts },
      ))
  }

  test('who may not write sees them, and can press nothing that changes them', async () => {
    const password = 'only looking 1'
    const email = 'viewer@sonde.local'
    const args = ['user', 'create', '--email', email, '--org', 'acme', '--role', 'viewer']
    sondeJson(screens.sonde.dataDir, [...args, '--password', password])
    const { page, complaints, close } = await visit(screens.browser, screens.sonde.url)
    await page.goto('/sign-in?next=/acme/shop/settings')
    await signIn(page, { email, password })
    await page.getByText('Read-only.').waitFor()
    assert.equal(await page.getByLabel('Releases').isDisabled(), true)
    assert.equal(await page.getByLabel('Additional sensitive fields').isDisabled(), true)
    assert.equal(
      await page.getByRole('button', { name: /^(Save|Create|Disable|Rotate|Delete|Test)/ }).count(),
      0,
    )
    const form = { form: 'new-key', label: 'sneaked in' }
    const answer = await page.request.post('/acme/shop/settings', {
      form,
      headers: { origin: screens.sonde.url },
    })
    assert.equal(answer.status(), 403)
    assert.deepEqual(complaints(), [])
    await close()
  })

  test('a project goes when its slug is typed, and not before', () =>
    screens.asOwner(async (page) => {
      createProject(screens.sonde, 'acme/old')
      await page.goto('/acme/old/settings')
      await page.getByLabel('Type old to delete').fill('shop')
      await page.getByRole('button', { name: 'Delete project' }).click()
      await page.getByText('type old to delete it').waitFor()
      await page.getByLabel('Type old to delete').fill('old')
      await page.getByRole('button', { name: 'Delete project' }).click()
      await page.waitForURL((url) => url.pathname === '/acme')
      assert.equal((await page.goto('/acme/old/settings'))?.status(), 404)
    }))
})
