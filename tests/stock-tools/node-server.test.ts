/** A TypeScript server for Node: compiled by tsc and uploaded with sentry-cli 3, and bundled by esbuild with its plugin. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type App, copyApp, placeOf } from './support/app.ts'
import { openHarness, type Harness } from './support/harness.ts'
import { assertFrame, framesOf, storedEvent } from './support/readable.ts'
import { mustRun } from './support/run-tool.ts'
import { startTool } from './support/start-tool.ts'

let harness: Harness
const apps: App[] = []

before(async () => {
  harness = await openHarness('node')
})
after(async () => {
  for (const app of apps) app.remove()
  await harness?.close()
})

function newServer(): App {
  const app = copyApp('server')
  apps.push(app)
  return app
}

/** Asks the built server for something that it has not, and reads the event that it answers with. */
async function assertReadable(app: App, release: string): Promise<void> {
  const env = { ...harness.env, SHOP_RELEASE: release }
  const server = await startTool('./dist/server.js', [], { cwd: app.folder, env }, /ready (\d+)/)
  let id: string
  try {
    const answer = await fetch(`${server.url}/?sku=cup`)
    assert.equal(answer.status, 500)
    id = await answer.text()
  } finally {
    // Its last events are sent while it ends.
    await server.stop()
  }
  const event = await storedEvent(harness, id)
  assert.equal(event.release?.version, release)
  const frames = framesOf(event)
  assertFrame(frames.at(-1), {
    function: 'shelfOf',
    file: 'src/shelf.ts',
    place: placeOf('server', 'src/shelf.ts', 'new Error'),
  })
  assertFrame(frames.at(-2), {
    function: 'reserve',
    file: 'src/reserve.ts',
    place: placeOf('server', 'src/reserve.ts', 'shelfOf(sku)'),
  })
}

test('what tsc compiled is readable after sentry-cli injected debug ids and uploaded', async () => {
  const app = newServer()
  const options = { cwd: app.folder, env: harness.env }
  await mustRun('tsc', ['-p', '.'], options)
  const injected = await mustRun('sentry-cli 3', ['sourcemaps', 'inject', 'dist'], options)
  assert.match(injected, /shelf\.js/)
  const uploaded = await mustRun(
    'sentry-cli 3',
    ['sourcemaps', 'upload', '--release', 'api@1', 'dist'],
    options,
  )
  assert.match(uploaded, /Source Map Upload Report/)
  await assertReadable(app, 'api@1')
})

test('what esbuild bundled is readable after its plugin uploaded', async () => {
  const app = newServer()
  const env = { ...harness.env, SHOP_RELEASE: 'api@2' }
  const output = await mustRun('./esbuild-build.mjs', [], { cwd: app.folder, env })
  assert.match(output, /Successfully uploaded source maps/)
  await assertReadable(app, 'api@2')
})
