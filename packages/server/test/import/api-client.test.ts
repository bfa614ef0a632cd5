import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { errorKind } from '@sonde/base'
import { type ApiClient, createApiClient, type Json } from '../../src/import/api-client.ts'

type Handler = (req: IncomingMessage, res: ServerResponse, number: number) => void

async function allOf<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = []
  for await (const row of rows) all.push(row)
  return all
}

void describe('the client of an import', () => {
  let server: Server
  let url = ''
  let handle: Handler = () => undefined
  let asked: string[] = []
  let waits: string[] = []
  let api: ApiClient
  before(async () => {
    server = createServer((req, res) => {
      asked.push(req.url ?? '')
      handle(req, res, asked.length)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())
  beforeEach(() => {
    asked = []
    waits = []
    api = createApiClient({
      url,
      token: 'the-token',
      onWait: (why) => waits.push(why),
      tries: 3,
      firstPauseMs: 1,
    })
  })
  const json = (res: ServerResponse, body: unknown, headers: Record<string, string> = {}): void =>
    void res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  const all = async (path: string): Promise<Json[]> => allOf(api.list(path))

  void test('reads page after page, of either form', async () => {
    handle = (req, res, number) =>
      json(res, [{ number }, 'no row', null], {
        link: `<${url}/a/?cursor=0>; rel="previous"; results="false", <${url}/a/?cursor=${number}>; rel="next"; results="${number < 3}"`,
      })
    assert.deepEqual(await all('a/'), [{ number: 1 }, { number: 2 }, { number: 3 }])
    asked = []
    handle = (_, res, number) =>
      json(res, { results: [{ number }], next: number < 2 ? `${url}/b/?c=${number}` : null })
    assert.deepEqual(await all('b/'), [{ number: 1 }, { number: 2 }])
  })

  void test('the token goes to one place alone, and no redirect is followed', async () => {
    handle = (req, res) => {
      assert.equal(req.headers.authorization, 'Bearer the-token')
      json(res, [{}], { link: '<https://elsewhere.example/a>; rel="next"; results="true"' })
    }
    await assert.rejects(all('a/'), /another place, https:\/\/elsewhere\.example/)
    handle = (_, res) => void res.writeHead(302, { location: 'https://elsewhere.example/' }).end()
    await assert.rejects(all('a/'), /answered 302/)
  })

  void test('pages that go round in a circle end', async () => {
    handle = (_, res) => json(res, [{}], { link: `<${url}/a/>; rel="next"; results="true"` })
    await assert.rejects(all('a/'), /circle/)
  })

  void test('"later" is waited for as long as it says, and given up after all tries', async () => {
    handle = (_, res, number) =>
      number === 1
        ? void res.writeHead(429, { 'retry-after': '0' }).end()
        : number === 2
          ? void res.writeHead(503).end()
          : json(res, { ok: 1 })
    assert.deepEqual(await api.get('x/'), { ok: 1 })
    assert.equal(waits.length, 2)
    handle = (_, res) => void res.writeHead(500).end()
    await assert.rejects(api.get('x/'), (error) => errorKind(error) === 'unavailable')
    handle = (req) => void req.destroy()
    await assert.rejects(api.get('x/'), /did not answer/)
  })

  void test('a token that is none ends it, a scope that is missing is told', async () => {
    handle = (_, res) => void res.writeHead(401).end('{}')
    await assert.rejects(
      api.get('x/'),
      (error) => errorKind(error) === 'forbidden' && !/the-token/.test(String(error)),
    )
    handle = (_, res) => void res.writeHead(403).end('{}')
    const told: string[] = []
    assert.deepEqual(await allOf(api.rows('teams/', {}, (why) => told.push(why))), [])
    handle = (_, res) => void res.writeHead(404).end('{}')
    assert.deepEqual(await allOf(api.rows('teams/', {}, (why) => told.push(why))), [])
    assert.deepEqual(told, ['the token may not read /teams/ (403)', 'its API has no such list'])
    assert.equal(await api.get('one/'), undefined)
  })

  void test('what is no JSON, or too large, is refused', async () => {
    handle = (_, res) => void res.writeHead(200).end('<html>sign in</html>')
    await assert.rejects(api.get('x/'), /no JSON/)
    handle = (_, res) => {
      res.writeHead(200)
      const piece = Buffer.alloc(4 * 1024 * 1024, 'x')
      const more = (): void => void res.write(piece, (error) => (error ? undefined : more()))
      more()
    }
    await assert.rejects(api.get('x/'), /too large/)
  })
})
