/**
 * The built server holds every module once, so a class thrown by a command is the class that a page's action names.
 * Two bundles in one process would pass every other test until somebody writes `instanceof`.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createProject } from '../harness/api-client.ts'
import { OWNER, startSonde } from '../harness/start-sonde.ts'

const SERVER = join(process.env['SONDE_DIST'] ?? join(import.meta.dirname, '../../dist'), 'server')
const built = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
const read = (file: string): string => readFileSync(join(SERVER, file), 'utf8')

test('no module is in two files of the built server', () => {
  const files = new Map<string, string[]>()
  for (const map of built.filter((file) => file.endsWith('.js.map'))) {
    for (const source of (JSON.parse(read(map)) as { sources: string[] }).sources) {
      const name = source.replace(/^(?:\.\.\/)+/, '')
      files.set(name, [...(files.get(name) ?? []), map])
    }
  }
  // Screens, queries and the server's own: all in there.
  for (const part of ['packages/web/src/routes/', 'packages/queries/src/', 'packages/server/src/'])
    assert.ok(
      [...files.keys()].some((name) => name.startsWith(part)),
      part,
    )
  assert.deepEqual(
    [...files].filter(([, maps]) => maps.length > 1),
    [],
  )
})

test('a text of the queries is in one file, and React is its production code', () => {
  const scripts = built.filter((file) => file.endsWith('.js'))
  const having = (text: string): string[] => scripts.filter((file) => read(file).includes(text))
  assert.equal(having('is not a range of time').length, 1)
  assert.equal(having('react-dom-server.node.production').length, 1)
  assert.deepEqual(having('react-dom-server.node.development'), [])
})

test('an action and a page of the built server recognise what a command or access throws', async () => {
  const sonde = await startSonde()
  try {
    createProject(sonde, 'acme/shop')
    const post = (path: string, fields: Record<string, string>, cookie = ''): Promise<Response> =>
      fetch(sonde.url + path, {
        method: 'POST',
        headers: { origin: sonde.url, cookie },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
    const signedIn = await post('/sign-in', OWNER)
    assert.equal(signedIn.status, 303)
    const cookie = signedIn.headers.getSetCookie().map((text) => text.replace(/;.*/s, ''))[0]
    const fields = { form: 'password', currentPassword: 'not it', newPassword: 'another long one' }
    const refused = await post('/settings/account', fields, cookie)
    assert.equal(refused.status, 422)
    assert.match(await refused.text(), /this is not your current password/)
    const nothing = await fetch(`${sonde.url}/nobody/shop/issues`, { headers: { cookie: cookie ?? '' } })
    assert.equal(nothing.status, 404)
  } finally {
    assert.equal(await sonde.stop(), 0)
  }
})
