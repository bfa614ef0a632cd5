/** From outside, against a Sonde as people start it: a request hidden in the body of another reaches nobody. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { createProject } from '../harness/api-client.ts'
import { OWNER, type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'

const MOMENT_MS = 200

let sonde: RunningSonde
before(async () => {
  sonde = await startSonde()
  createProject(sonde, 'acme/shop')
})
after(async () => assert.equal(await sonde.stop(), 0))

async function signIn(email: string, password: string): Promise<string> {
  const answer = await fetch(`${sonde.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: sonde.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  assert.equal(answer.status, 200, await answer.text())
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

/** What comes back until a moment after the first byte of it. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(sonde.port, '127.0.0.1')
  socket.write(bytes)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.once('data', () => setTimeout(() => socket.destroy(), MOMENT_MS))
  await once(socket, 'close')
  return answer
}

function hiddenIn(method: string, inner: string): string {
  const chunked = `${Buffer.byteLength(inner).toString(16)}\r\n${inner}\r\n0\r\n\r\n`
  return `${method} /readyz HTTP/1.1\r\nHost: 127.0.0.1:${sonde.port}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`
}

test("a form hidden in a body does not swallow the next person's request with its session", async () => {
  const mallory = { email: 'mallory@acme.test', password: 'a quiet afternoon' }
  sondeJson(sonde.dataDir, [
    'user',
    'create',
    '--org',
    'acme',
    '--role',
    'owner',
    '--email',
    mallory.email,
    '--password',
    mallory.password,
  ])
  const malloryCookie = await signIn(mallory.email, mallory.password)
  const ownerCookie = await signIn(OWNER.email, OWNER.password)
  const ownerAsks = async (): Promise<number> => {
    const answer = await fetch(`${sonde.url}/settings/account?secret=path-of-the-owner`, {
      headers: { cookie: ownerCookie, accept: 'text/html' },
      redirect: 'manual',
    })
    await answer.text()
    return answer.status
  }
  assert.equal(await ownerAsks(), 200)
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE']) {
    // One for each socket that the front may keep open: the next request goes over one of them.
    for (let at = 0; at < 3; at += 1) {
      const form = 'form=filters&messages='
      const inner = [
        'POST /acme/shop/settings HTTP/1.1',
        `Host: 127.0.0.1:${sonde.port}`,
        `Origin: ${sonde.url}`,
        `Cookie: ${malloryCookie}`,
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${form.length + 300}`,
        '',
        form,
      ].join('\r\n')
      // eslint-disable-next-line no-await-in-loop -- one after the other
      await sendRaw(hiddenIn(method, inner))
    }
    assert.equal(await ownerAsks(), 200, method)
  }
  const settings = await fetch(`${sonde.url}/acme/shop/settings`, { headers: { cookie: malloryCookie } })
  const page = await settings.text()
  assert.match(page, /Inbound filters/)
  assert.doesNotMatch(page, /path-of-the-owner/)
})

test('what the command line asks of a running Sonde is not to be had through the port, in any spelling', async () => {
  for (const path of ['/-/doctor', '//-/doctor', '/-/metrics', '/%2d/metrics', '/x/../-/doctor']) {
    assert.match(
      await sendRaw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${sonde.port}\r\nConnection: close\r\n\r\n`),
      /^HTTP\/1.1 (?:30\d|404) /,
      path,
    )
  }
  const inner = `POST /-/dead/replay HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"ids":[]}`
  for (const method of ['GET', 'DELETE', 'POST']) {
    assert.doesNotMatch(await sendRaw(hiddenIn(method, inner)), /replayed/, method)
  }
  // The command line itself reaches them.
  assert.equal(sondeJson<{ state: string }>(sonde.dataDir, ['doctor']).state, 'ok')
})
