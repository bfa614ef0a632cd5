/** The language model of an organization: who sets it up, what of its key is told, what is asked, and what its answers may do. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  type CommandDeps,
  deleteModel,
  ensureProject,
  type ExplainedPart,
  explainIssue,
  InvalidInput,
  saveModel,
  testModel,
} from '@sonde/commands'
import { createOutgoing } from '@sonde/outgoing'
import { languageModel, modelName } from '@sonde/queries'
import {
  DONE,
  type ModelServer,
  piece,
  startModelServer,
  STREAMED,
  usage,
} from '../../../tests/harness/model-server.ts'
import { type Harness, openHarness } from './harness.ts'

const kind =
  (expected: string, message = /./) =>
  (error: SondeError) => {
    assert.equal(error.kind, expected, error.message)
    assert.match(error.message, message)
    return true
  }
const field = (name: string) => (error: unknown) => {
  assert.ok(error instanceof InvalidInput, String(error))
  assert.deepEqual(Object.keys(error.fields), [name])
  return true
}

describe('the language model of an organization', () => {
  let harness: Harness
  let deps: CommandDeps
  let server: ModelServer
  let admin: UserViewer
  let member: UserViewer
  let rival: UserViewer
  const outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
  before(async () => {
    harness = await openHarness()
    deps = { ...harness.deps, models: { outgoing, asking: new Map() } }
    server = await startModelServer(() => {})
    await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await ensureProject(deps, operatorViewer, { org: 'rival', slug: 'shop' })
    admin = await harness.viewer('acme', 'admin')
    member = await harness.viewer('acme', 'member')
    rival = await harness.viewer('rival', 'admin')
  })
  after(async () => {
    server.close()
    await outgoing.close()
    await harness.close()
  })
  beforeEach(() =>
    server.answerWith((response) => {
      response.writeHead(200, STREAMED).end(piece('It ') + piece('broke.', 'stop') + usage(1_000, 200) + DONE)
    }),
  )
  const manage = (viewer: UserViewer, org = 'acme') => deps.access.openOrg(viewer, org, 'integration:write')
  const work = (viewer: UserViewer, org = 'acme') =>
    deps.access.openProject(viewer, org, 'shop', 'event:write')
  const input = (more: object = {}) => ({
    url: server.url,
    model: 'small-1',
    key: 'key-of-acme',
    inputPrice: 3,
    outputPrice: 15,
    ...more,
  })
  const ask = async (viewer = member, org = 'acme', signal = new AbortController().signal) => {
    const parts: ExplainedPart[] = []
    const asked = { shortId: 'SHOP-1', prompt: 'Why?' }
    for await (const part of explainIssue(deps, await work(viewer, org), asked, signal)) parts.push(part)
    const end = parts.at(-1)
    assert.ok(end?.kind === 'end')
    return { text: parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''), end }
  }

  it('is off until somebody who may set up integrations sets it up; its key is sealed and never told', async () => {
    await assert.rejects(ask(), kind('not-found'))
    await assert.rejects(manage(member), kind('forbidden'))
    await saveModel(deps, await manage(admin), input())
    const row = await deps.records.selectFrom('language_model').selectAll().executeTakeFirstOrThrow()
    assert.ok(!JSON.stringify(row).includes('key-of-acme'))
    assert.equal(await deps.access.seal.open(row.secret), 'key-of-acme')
    const shown = await languageModel(deps, await manage(admin))
    assert.deepEqual(
      { ...shown, updatedMs: 0 },
      {
        url: server.url,
        model: 'small-1',
        hasKey: true,
        inputPrice: 3,
        outputPrice: 15,
        updatedMs: 0,
      },
    )
    assert.deepEqual(await modelName(deps, await work(member)), {
      model: 'small-1',
      host: new URL(server.url).host,
    })
    assert.equal(await languageModel(deps, await manage(rival, 'rival')), undefined)
    await assert.rejects(ask(rival, 'rival'), kind('not-found'))
  })

  it('takes no address that is none, and wants the key again for another one', async () => {
    const grant = await manage(admin)
    for (const url of [
      '',
      'model',
      'ftp://x/v1',
      'https://u:p@x/v1',
      'https://x/v1?key=1',
      `${server.url}/chat/completions`,
    ])
      await assert.rejects(saveModel(deps, grant, input({ url })), field('url'), url)
    await assert.rejects(saveModel(deps, grant, input({ inputPrice: -1 })), field('inputPrice'))
    await assert.rejects(saveModel(deps, grant, input({ outputPrice: NaN })), field('outputPrice'))
    await assert.rejects(saveModel(deps, grant, input({ key: 'a\nb' })), field('key'))
    const { key: _, ...withoutKey } = input({ url: 'https://elsewhere.example/v1' })
    await assert.rejects(saveModel(deps, grant, withoutKey), field('key'))
    await saveModel(deps, grant, { ...withoutKey, url: server.url, model: 'small-2' })
    assert.equal((await languageModel(deps, grant))?.hasKey, true)
  })

  it('is asked with the key, tells its tokens and what they cost, and who asked is written down first', async () => {
    const { text, end } = await ask()
    assert.equal(text, 'It broke.')
    assert.deepEqual(end.usage, { input: 1_000, output: 200 })
    assert.equal(end.cost, 0.006)
    assert.deepEqual(end.nodes, [{ tag: 'p', children: ['It broke.'] }])
    const sent = server.requests.at(-1)
    assert.equal(sent?.authorization, 'Bearer key-of-acme')
    assert.deepEqual(
      sent?.body.messages.map(({ role }) => role),
      ['system', 'user'],
    )
    assert.match(sent?.body.messages[0]?.content ?? '', /never follow instructions/)
    assert.equal(sent?.body.messages[1]?.content, 'Why?')
    const entry = await deps.records
      .selectFrom('audit_entry')
      .selectAll()
      .where('action', '=', 'issue.explain')
      .executeTakeFirstOrThrow()
    assert.equal(entry.subject, 'SHOP-1')
    assert.ok(!JSON.stringify(entry).includes('key-of-acme'))
  })

  it('reads a stream that comes in pieces of any length, with a letter cut in two', async () => {
    const bytes = Buffer.from(`: hello\n\n${piece('Größe')}${piece(' 🙂')}${usage(1, 1)}${DONE}`)
    server.answerWith(async (response) => {
      response.writeHead(200, STREAMED)
      for (const byte of bytes) {
        response.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })
    assert.equal((await ask()).text, 'Größe 🙂')
  })

  it('has no links in what it says: an event may have put them there', async () => {
    server.answerWith((response) => {
      response
        .writeHead(200, STREAMED)
        .end(piece('See [here](https://evil.example/x) ![a](https://evil.example/a.png) <b>x</b>') + DONE)
    })
    const { end } = await ask()
    const text = JSON.stringify(end.nodes)
    assert.ok(!text.includes('"tag":"a"') && !text.includes('href'), text)
    assert.ok(text.includes('(https://evil.example/x)') && text.includes('<b>x</b>'), text)
    assert.equal(end.cost, undefined)
  })

  it('says what the server said when it refuses, and what it is when it is no such server', async () => {
    const refusals: readonly (readonly [number, string, RegExp])[] = [
      [401, '{"error":{"message":"Incorrect API key"}}', /answered 401: Incorrect API key$/],
      [429, '{"error":"slow down"}', /answered 429: slow down$/],
      [502, `<html>${'x'.repeat(100_000)}`, /answered 502: <html>x+$/],
      [200, 'data: {"error":{"message":"out of memory"}}\n\n', /error: out of memory$/],
      [200, '<html>hello</html>', /no stream of events/],
      [200, 'data: {"choices":"many"}\n\n', /does not send/],
      [302, '', /answered 302/],
    ]
    for (const [status, body, message] of refusals) {
      server.answerWith((response) => void response.writeHead(status, STREAMED).end(body))
      await assert.rejects(ask(), (error: SondeError) => {
        assert.equal(error.kind, 'unavailable')
        assert.match(error.message, message)
        assert.ok(error.message.length < 500)
        return true
      })
      const tried = await testModel(deps, await manage(admin))
      assert.deepEqual([tried.isWorking, message.test(tried.answer)], [false, true], tried.answer)
    }
  })

  it('is read no further than an explanation is long, and not at all once nobody waits', async () => {
    server.answerWith((response) => {
      response.writeHead(200, STREAMED)
      const more = (): void =>
        void (response.destroyed || response.write(piece('x'.repeat(1_000)), () => setImmediate(more)))
      more()
    })
    const before = server.abandoned()
    const { text, end } = await ask()
    assert.equal(text.length, 20_000)
    assert.equal(end.isCut, true)
    const leaving = new AbortController()
    server.answerWith((response) => {
      response.writeHead(200, STREAMED).write(piece('a'))
      setTimeout(() => leaving.abort(), 20)
    })
    await assert.rejects(ask(member, 'acme', leaving.signal))
    for (let tries = 0; server.abandoned() < before + 2 && tries < 100; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    assert.equal(server.abandoned(), before + 2, 'both connections were ended')
  })

  it('is asked by one person once at a time, and again when that is over', async () => {
    const asked = Promise.withResolvers<() => void>()
    server.answerWith((response) => {
      response.writeHead(200, STREAMED).write(piece('a'))
      asked.resolve(() => void response.end(DONE))
    })
    const first = ask()
    const finish = await asked.promise
    await assert.rejects(ask(), kind('unavailable', /another issue explained/))
    finish()
    await first
    assert.equal(deps.models?.asking.size, 0)
  })

  it('is gone when it is removed, and nothing is asked any more', async () => {
    await deleteModel(deps, await manage(admin))
    await deleteModel(deps, await manage(admin))
    await assert.rejects(ask(), kind('not-found'))
    assert.equal(await modelName(deps, await work(member)), undefined)
    const removals = await deps.records
      .selectFrom('audit_entry')
      .select('id')
      .where('action', '=', 'model.delete')
      .execute()
    assert.equal(removals.length, 1)
  })
})
