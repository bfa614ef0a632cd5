/** Development of the router's sample app: hot reload keeps state, edits of server code included. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type ErrorReport, type PageServer, serveDev } from '@sonde/router/server'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { openPage } from './router-browser.ts'
import { SAMPLE_ROOT } from './router-sample.ts'

const WORKSPACE = path.resolve(import.meta.dirname, '../..')

let browser: Browser
let pages: PageServer
let server: Server
let origin: string
let root: string
const errors: ErrorReport[] = []

async function startDev(port = 0): Promise<void> {
  server = createServer((incoming, outgoing) => void pages.handle(incoming, outgoing))
  pages = await serveDev(
    {
      root,
      logLevel: 'silent',
      cacheDir: path.join(root, '.vite'),
      server: { fs: { allow: [WORKSPACE, root] }, hmr: { server } },
    },
    {
      createContext: () => ({ cookie: '', elsewhere: '', posted: [], gate: () => Promise.resolve() }),
      onError: (report) => void errors.push(report),
    },
  )
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
}

async function stopDev(): Promise<void> {
  await pages.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'router-dev-'))
  await cp(SAMPLE_ROOT, root, { recursive: true })
  await symlink(path.join(WORKSPACE, 'node_modules'), path.join(root, 'node_modules'))
  browser = await launchChromium()
  await startDev()
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  await browser.close()
  await stopDev()
  await rm(root, { recursive: true, force: true })
})

async function edit(file: string, from: string, to: string): Promise<void> {
  const full = path.join(root, file)
  const text = await readFile(full, 'utf8')
  assert.ok(text.includes(from), `${file} has ${from}`)
  await writeFile(full, text.replaceAll(from, to))
}

test('an edit of a page, of its title or of its server code reaches an open tab, which keeps its state', async () => {
  await using t = await openPage(browser)
  await t.start(`${origin}/counter`)
  await t.page.locator('#count').click()
  await edit('routes/counter/page.tsx', '<h1>Counter</h1>', '<h1>Counted</h1>')
  await t.heading('Counted')
  await edit('routes/counter/page.server.ts', 'first text', 'second text')
  await t.page.getByText('second text').waitFor()
  assert.equal(await t.page.locator('#count').innerText(), '1')
  assert.equal(t.documents.length, 1)
  assert.deepEqual(t.complaints, [])
})

test('a tab stays as it is while the server restarts, then has its data, and hears of the next edit', async () => {
  await using t = await openPage(browser)
  await t.start(`${origin}/counter`)
  await t.page.locator('#count').click()
  await edit('routes/counter/page.server.ts', 'second text', 'third text')
  await t.page.getByText('third text').waitFor()
  const { port } = server.address() as AddressInfo
  await stopDev()
  await edit('routes/counter/page.server.ts', 'third text', 'text after the restart')
  await startDev(port)
  await t.page.getByText('text after the restart').waitFor()
  assert.equal(await t.page.locator('#count').innerText(), '1')
  assert.equal(t.documents.length, 1)
  await edit('routes/counter/page.server.ts', 'text after the restart', 'text of an edit')
  await t.page.getByText('text of an edit').waitFor()
  assert.equal(t.documents.length, 1)
  await edit('routes/counter/page.tsx', '<h1>Counted</h1>', '<h1>Counted again</h1>')
  await t.heading('Counted again')
  // One write may be told as two changes.
  assert.ok(t.documents.length >= 2)
})

test('the first paint has the styles of the page, and an edit of them arrives in place', async () => {
  await using plain = await openPage(browser, { javaScriptEnabled: false })
  await plain.page.goto(`${origin}/counter`)
  const font = (page: Page) => page.evaluate(() => getComputedStyle(document.body).fontFamily)
  assert.equal(await font(plain.page), 'sans-serif')
  await using t = await openPage(browser)
  await t.start(`${origin}/counter`)
  assert.equal(await font(t.page), 'sans-serif')
  await edit('app.css', 'sans-serif', 'monospace')
  await t.page.waitForFunction(() => getComputedStyle(document.body).fontFamily === 'monospace')
  assert.equal(t.documents.length, 1)
  assert.deepEqual(t.complaints, [])
})

test('server code is refused to the browser', async () => {
  for (const query of ['', '?import', '?raw', '?t=1']) {
    const response = await fetch(`${origin}/routes/counter/page.server.ts${query}`)
    assert.ok(response.status >= 400, `${query} answered ${response.status}`)
    assert.ok(!(await response.text()).includes('let loads'))
  }
})

test('a page that does not compile shows the fall-back page and is reported', async () => {
  await edit('routes/slow/page.server.ts', 'export async', 'export export async')
  const response = await fetch(`${origin}/slow`)
  assert.equal(response.status, 500)
  assert.ok((await response.text()).includes('Application error: '))
  assert.ok(errors.length >= 1)
  await edit('routes/slow/page.server.ts', 'export export async', 'export async')
})
