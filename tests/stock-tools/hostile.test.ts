/** Uploads that must not work: each tool says in its own output why, and nothing of them is kept. */
import assert from 'node:assert/strict'
import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createProject } from '../harness/api-client.ts'
import { type BrokenLine, startBrokenLine } from './support/broken-line.ts'
import { openHarness, uploadToken, type Harness } from './support/harness.ts'
import { type PlainShop, plainShop } from './support/plain-shop.ts'
import { mustRun, runTool } from './support/run-tool.ts'

const CLIS = ['sentry-cli 2', 'sentry-cli 3'] as const

let harness: Harness
let line: BrokenLine
let shop: PlainShop
let debugId: string

before(async () => {
  line = await startBrokenLine()
  // People know Sonde by the address of the line: tokens and answers name it.
  harness = await openHarness('javascript', { SONDE_PUBLIC_URL: line.url })
  line.target = harness.sonde.url
  shop = await injectedShop()
  debugId =
    /"debug_?id":\s*"([0-9a-f-]{36})"/i.exec(readFileSync(join(shop.app.dist, 'main.js.map'), 'utf8'))?.[1] ??
    ''
  assert.notEqual(debugId, '')
})
after(async () => {
  shop?.app.remove()
  await line?.close()
  await harness?.close()
})

/** The shop of today, with debug ids, not uploaded yet. */
async function injectedShop(): Promise<PlainShop> {
  const made = await plainShop(harness, { release: 'hostile@1' })
  await mustRun('sentry-cli 3', ['sourcemaps', 'inject', 'dist'], { cwd: made.app.folder, env: harness.env })
  return made
}

type Attempt = { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string }

/** sentry-cli stops the pipeline that runs it. */
async function assertCliSays(
  cli: (typeof CLIS)[number],
  words: RegExp,
  { env = harness.env, cwd }: Attempt = {},
) {
  const { code, output } = await runTool(cli, ['sourcemaps', 'upload', '--release', 'hostile@1', 'dist'], {
    cwd: cwd ?? shop.app.folder,
    env,
  })
  assert.match(output, words)
  assert.equal(code, 1, output)
}

/** The plugins say it and let the build go on: that is how they are made. */
async function assertPluginSays(words: RegExp, env: NodeJS.ProcessEnv): Promise<void> {
  const { output } = await runTool('vite', ['build'], {
    cwd: shop.app.folder,
    env: { ...env, OUT_DIR: join(shop.app.folder, 'plugin-dist') },
  })
  assert.match(output, words)
  assert.doesNotMatch(output, /Successfully uploaded/)
}

async function assertNothingKept(): Promise<void> {
  const answer = await fetch(`${harness.sonde.url}/api/0/organizations/acme/artifact-states/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${harness.env['SENTRY_AUTH_TOKEN']}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ debugIds: [debugId] }),
  })
  assert.equal(answer.status, 200)
  const { artifacts } = (await answer.json()) as { artifacts: { debugId: string; state: string }[] }
  assert.deepEqual(
    artifacts.map(({ state }) => state),
    ['missing'],
  )
}

describe('a map that ends in the middle', () => {
  let torn: PlainShop
  before(async () => {
    torn = await injectedShop()
    truncateSync(join(torn.app.dist, 'main.js.map'), 5000)
  })
  after(() => torn.app.remove())

  for (const cli of CLIS)
    test(`${cli} names the file`, async () => {
      await assertCliSays(cli, /~\/main\.js\.map cannot be read as a source map/, { cwd: torn.app.folder })
      await assertNothingKept()
    })
})

describe('bytes that changed on their way', () => {
  const changed = /the chunk [0-9a-f]{40} has the SHA-1 [0-9a-f]{40}: it was changed on its way/
  before(() => {
    line.isBroken = true
  })
  after(() => {
    line.isBroken = false
  })

  for (const cli of CLIS)
    test(`${cli} says it`, async () => {
      await assertCliSays(cli, changed)
      await assertNothingKept()
    })

  test('the Vite plugin says it', async () => {
    await assertPluginSays(changed, harness.env)
  })
})

describe('a token of another organization', () => {
  let env: NodeJS.ProcessEnv
  before(() => {
    createProject(harness.sonde, 'other/site')
    env = { ...harness.env, SENTRY_AUTH_TOKEN: uploadToken(harness.sonde, 'other') }
  })

  const refused = /this token is for the organization "other" and opens no other: "acme" was asked for/
  for (const cli of CLIS) {
    // It believes the token more than what it was told, and says so.
    test(`${cli} asks the organization of the token, which has no such project`, async () => {
      await assertCliSays(cli, /Using organization `other` \(embedded in token\)/, { env })
      await assertCliSays(cli, /other has no project "shop"/, { env })
      await assertNothingKept()
    })

    test(`${cli} says whose a token is that does not name it`, async () => {
      const plain = uploadToken(harness.sonde, 'other', 'project:releases')
      await assertCliSays(cli, refused, { env: { ...env, SENTRY_AUTH_TOKEN: plain } })
      await assertNothingKept()
    })
  }

  test('the Vite plugin says whose the token is', async () => {
    await assertPluginSays(refused, env)
  })
})

test('a token that is none is said to be none', async () => {
  const env = { ...harness.env, SENTRY_AUTH_TOKEN: 'sonde_0123456789' }
  for (const cli of CLIS) await assertCliSays(cli, /http status: 401/, { env })
})

test('the same upload works when nothing is wrong with it', async () => {
  const said = await mustRun('sentry-cli 3', ['sourcemaps', 'upload', '--release', 'hostile@1', 'dist'], {
    cwd: shop.app.folder,
    env: harness.env,
  })
  assert.match(said, /Source Map Upload Report/)
})
