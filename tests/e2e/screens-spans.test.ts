/** What is made of spans: issues of performance with their settings, the service map, AI agents and mobile vitals. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { apiClient, createProject } from '../harness/api-client.ts'
import { inBothThemes } from './axe-looks.ts'
import { fitsWidth } from './keyboard.ts'
import { sendTransaction } from './performance-events.ts'
import { newEventId } from './screens-events.ts'
import { useSignedInScreens, WAYS } from './screens-signed-in.ts'
import { newSpanId, serviceTransaction } from './trace-events.ts'

const screens = useSignedInScreens()

const looksRight = async (page: Page): Promise<void> => {
  await inBothThemes(page, 'main')
  await page.setViewportSize({ width: 390, height: 800 })
  await fitsWidth(page)
  await page.setViewportSize({ width: 1280, height: 900 })
}

describe('screens over spans', () => {
  const traceId = newEventId()
  const [page, call, server, agent] = [newSpanId(), newSpanId(), newSpanId(), newSpanId()] as const

  before(async () => {
    const { shop, sonde } = screens
    const api = createProject(sonde, 'acme/api')
    const startMs = Date.now() - 5000
    const browser = serviceTransaction({
      traceId,
      id: page,
      op: 'pageload',
      name: '/chat',
      platform: 'javascript',
      startMs,
      took: 2000,
      measurements: { app_start_cold: 812, frames_total: 100, frames_slow: 7, frames_frozen: 1 },
      children: [
        { id: call, parent: page, op: 'http.client', name: 'POST /api/chat', at: 10, took: 900 },
        ...Array.from({ length: 12 }, (_, at) => ({
          parent: page,
          op: 'http.client',
          name: `GET https://prices.example/items/${at}`,
          at: 950 + at * 40,
          took: 35,
        })),
      ],
    })
    const talk = { 'gen_ai.conversation.id': 'talk-7', 'gen_ai.agent.name': 'Clerk' }
    const answer = serviceTransaction({
      traceId,
      id: server,
      parent: call,
      op: 'http.server',
      name: 'POST /api/chat',
      platform: 'node',
      startMs: startMs + 20,
      took: 800,
      children: [
        ...Array.from({ length: 7 }, (_, at) => ({
          parent: server,
          op: 'db',
          name: `SELECT * FROM item WHERE id = ${at}`,
          at: at * 20,
          took: 15,
          data: { 'db.system.name': 'postgresql', 'db.namespace': 'shop' },
        })),
        {
          id: agent,
          parent: server,
          op: 'gen_ai.invoke_agent',
          name: 'invoke_agent Clerk',
          at: 200,
          took: 500,
          data: talk,
        },
        {
          parent: agent,
          op: 'gen_ai.chat',
          name: 'chat small-1',
          at: 210,
          took: 300,
          data: {
            ...talk,
            'gen_ai.request.model': 'small-1',
            'gen_ai.usage.input_tokens': 1200,
            'gen_ai.usage.output_tokens': 300,
            'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: 'Is the cup in stock?' }]),
          },
        },
        {
          parent: agent,
          op: 'gen_ai.execute_tool',
          name: 'execute_tool stock',
          at: 520,
          took: 60,
          data: { ...talk, 'gen_ai.tool.name': 'stock', 'gen_ai.tool.call.result': '{"cups":3}' },
        },
      ],
    })
    await sendTransaction(shop.dsn, browser)
    await sendTransaction(api.dsn, answer)
    await apiClient(sonde).until<readonly unknown[]>(
      '/api/0/organizations/acme/issues/?query=issue.category:performance&project=-1',
      (issues) => issues.length >= 2,
    )
  })

  test('an issue of performance shows its spans, its threshold and what helps', () =>
    screens.asOwner(async (tab) => {
      await tab.goto('/acme/api/issues?query=issue.category%3Aperformance')
      await tab
        .getByRole('link', { name: /N\+1 Query/ })
        .first()
        .click()
      const evidence = tab.getByRole('region', { name: 'Evidence' })
      await evidence.getByText('Load all rows with one query').waitFor()
      await evidence.getByText('7 spans', { exact: true }).waitFor()
      await evidence.getByText(/Queries: 5/).waitFor()
      assert.equal(await evidence.getByRole('row').count(), 8)
      await looksRight(tab)
      await evidence.getByRole('link', { name: 'View in trace' }).click()
      await tab.waitForURL(new RegExp(`/acme/traces/${traceId}\\?span=`))
      await tab.goBack()
      await evidence.getByRole('link', { name: 'Change' }).click()
      await tab.waitForURL(/settings\/performance-issues#performance_n_plus_one_db_queries/)
    }))

  for (const [how, javaScriptEnabled] of WAYS) {
    test(`${how}: thresholds are tried on the last day, refused with a reason, and saved`, () =>
      screens.asOwner(
        async (tab) => {
          await tab.goto('/acme/api/settings/performance-issues')
          const queries = tab.getByLabel('Queries (at least)', { exact: true })
          const stored = await queries.inputValue()
          await queries.fill('6')
          await tab.getByRole('button', { name: 'Preview on the last 24 hours' }).click()
          await tab.getByText('Looked at all 1 transaction of the last 24 hours. Unsaved changes.').waitFor()
          await tab.getByText('Would find it in 1 of 1 transaction').first().waitFor()
          assert.equal(await queries.inputValue(), '6')
          await queries.fill('8')
          await tab.getByRole('button', { name: 'Save detectors' }).click()
          await tab.getByText('Performance detectors saved. They apply to new spans.').waitFor()
          assert.equal(await queries.inputValue(), '8')
          if (javaScriptEnabled) await looksRight(tab)
          await queries.fill(stored)
          await tab.getByRole('button', { name: 'Save detectors' }).click()
          await tab.waitForURL(/saved=detectors/)
        },
        { javaScriptEnabled },
      ))
  }

  test('the service map joins the page, its API, the database and a host; each leads to its spans', () =>
    screens.asOwner(async (tab) => {
      await tab.goto('/acme/service-map')
      const connections = tab.getByRole('region', { name: 'Connections' }).first()
      for (const name of ['shop → api', 'shop → prices.example', 'api → postgresql shop'])
        await connections.getByRole('link', { name }).first().waitFor()
      await looksRight(tab)
      await tab
        .locator('.map-picture')
        .getByRole('link', { name: /Database postgresql shop/ })
        .focus()
      await tab.keyboard.press('Enter')
      await tab.waitForURL(/\/acme\/explore\?query=/)
      await tab.getByText('db', { exact: true }).first().waitFor()
    }))

  test('agents, models and tools have their figures, and a conversation its steps; prices give a cost', () =>
    screens.asOwner(async (tab) => {
      await tab.goto('/acme/api/ai-agents')
      await tab.getByRole('region', { name: 'Models' }).first().getByText('small-1').waitFor()
      await looksRight(tab)
      await tab.getByRole('link', { name: 'Prices' }).click()
      await tab.getByLabel('Prices per million tokens').fill('small* x 2')
      await tab.getByRole('button', { name: 'Save prices' }).click()
      await tab.getByText(/Line 1: a model and two or three prices/).waitFor()
      await tab.getByLabel('Prices per million tokens').fill('small* 1000 2000')
      await tab.getByRole('button', { name: 'Save prices' }).click()
      await tab.getByText('Prices saved.').waitFor()
      await tab.goto('/acme/api/ai-agents')
      await tab.getByText('cost 1.80').waitFor()
      await tab.getByRole('link', { name: 'talk-7' }).click()
      await tab.getByText('Is the cup in stock?').waitFor()
      await tab.getByText('"cups": 3').waitFor()
      assert.equal(await tab.locator('.ai-step').count(), 3)
      await looksRight(tab)
    }))

  test('mobile vitals are told by release and by screen', () =>
    screens.asOwner(async (tab) => {
      await tab.goto('/acme/shop/mobile')
      const list = tab.getByRole('region', { name: 'Screens' }).first()
      await list.getByText('/chat').waitFor()
      await list.getByText('812 ms').first().waitFor()
      await looksRight(tab)
    }))
})
