import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { createPost, type PostOptions } from '../../src/client/post.ts'
import { BUILD, sendPage, startPageServer, type PageServer } from '../support/page-server.ts'

function postOn(server: PageServer, router: Partial<PostOptions['router']> = {}) {
  const did: string[] = []
  const post = createPost({
    origin: server.origin,
    build: BUILD,
    fetch,
    cache: { clear: () => void did.push('clear'), keep: (url) => void did.push(`keep ${url}`) },
    router: {
      currentUrl: () => '/form',
      nextUrl: () => '/form',
      navigate(url, { replace, preventScrollReset, flushSync }) {
        const said = [replace && ' replace', preventScrollReset && ' in place', flushSync && ' at once']
        did.push(`navigate ${url}${said.filter(Boolean).join('')}`)
        return Promise.resolve()
      },
      revalidate() {
        did.push('revalidate')
        return Promise.resolve()
      },
      ...router,
    },
    assign: (url) => void did.push(`assign ${url}`),
  })
  const form = new FormData()
  form.append('name', 'grace')
  return { did, send: () => post({ url: '/form', form }) }
}

describe('a post', () => {
  test('shows the answer in place, with everything known before forgotten', async () => {
    await using server = await startPageServer()
    const { did, send } = postOn(server)
    server.on('/form', (_, response) => sendPage(response))
    assert.equal(await send(), 'done')
    assert.deepEqual(did, ['clear', 'keep /form', 'navigate /form replace in place at once'])
    assert.deepEqual([server.asked[0]?.method, server.asked[0]?.header], ['POST', '1'])
  })

  test('follows a 303 to the page that the action led to, which is not fetched again', async () => {
    await using server = await startPageServer()
    const { did, send } = postOn(server)
    server.on('/form', (_, response) => void response.writeHead(303, { location: '/done?x=1' }).end())
    server.on('/done?x=1', (_, response) => sendPage(response))
    assert.equal(await send(), 'done')
    assert.deepEqual(did, ['clear', 'keep /done?x=1', 'navigate /done?x=1'])
    assert.deepEqual(
      server.asked.map(({ method, header }) => [method, header]),
      [
        ['POST', '1'],
        ['GET', '1'],
      ],
    )
  })

  test('refused with 422 says so', async () => {
    await using server = await startPageServer()
    const { send } = postOn(server)
    server.on('/form', (_, response) => sendPage(response, { status: 422 }))
    assert.equal(await send(), 'refused')
  })

  test('that gets no answer, or one that is no page data, changes nothing', async () => {
    await using server = await startPageServer()
    const { did, send } = postOn(server)
    server.on('/form', (request) => void request.socket.destroy())
    assert.equal(await send(), 'failed')
    server.on('/form', (_, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'))
    assert.equal(await send(), 'failed')
    assert.deepEqual(did, [])
  })

  test('that was done but led to something unreadable is left to the browser', async () => {
    await using server = await startPageServer()
    const { did, send } = postOn(server)
    server.on('/form', (_, response) => void response.writeHead(303, { location: '/file' }).end())
    server.on(
      '/file',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b'),
    )
    assert.equal(await send(), 'left')
    assert.deepEqual(did, [`assign ${server.origin}/file`])
  })

  test('of another build is handed back undone', async () => {
    await using server = await startPageServer()
    const { did, send } = postOn(server)
    server.on('/form', (_, response) => {
      response
        .writeHead(409, { 'content-type': 'application/x-sonde-page+json', 'x-sonde-build': 'newer' })
        .end('{}')
    })
    assert.equal(await send(), 'other-build')
    assert.deepEqual(did, [])
  })

  test('does not pull the person back who went on meanwhile', async () => {
    await using server = await startPageServer()
    let next = '/form'
    const { did, send } = postOn(server, { nextUrl: () => next })
    server.on('/form', (_, response) => {
      next = '/elsewhere'
      sendPage(response)
    })
    assert.equal(await send(), 'done')
    assert.deepEqual(did, ['clear', 'revalidate'])
  })

  test('shows its answer although another post was answered meanwhile, and then what is newest', async () => {
    await using server = await startPageServer()
    const { did, send } = postOn(server)
    const held: ServerResponse[] = []
    server.on('/form', (_, response) => void held.push(response))
    const [slow, quick] = [send(), send()]
    while (held.length < 2) await new Promise((resolve) => setImmediate(resolve))
    sendPage(held[1] as ServerResponse)
    await Promise.race([slow, quick])
    sendPage(held[0] as ServerResponse)
    assert.deepEqual(await Promise.all([slow, quick]), ['done', 'done'])
    const shown = ['clear', 'keep /form', 'navigate /form replace in place at once']
    assert.deepEqual(did, [...shown, ...shown, 'revalidate'])
  })
})
