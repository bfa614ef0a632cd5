import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originOf } from '../../../src/parts/setup/browser-platforms.ts'
import { PLATFORMS, platformFor } from '../../../src/parts/setup/platforms.ts'

const DSN = 'http://0123456789abcdef0123456789abcdef@127.0.0.1:8600/1'

test('no platform is offered twice', () => {
  assert.equal(new Set(PLATFORMS.map(({ id }) => id)).size, PLATFORMS.length)
})

for (const { name, setup, test: breaks } of PLATFORMS) {
  test(`${name}: the set-up names the DSN, and something breaks`, () => {
    assert.ok(setup(DSN).includes(DSN))
    assert.match(breaks, /First error|ZeroDivision/)
  })
}

test('pages are offered our own reporter beside the SDK, by tag and by package', () => {
  for (const id of ['javascript', 'javascript-react']) {
    const own = platformFor(id).own ?? []
    assert.deepEqual(own.map((way) => way.id).sort(), ['own', 'tag'])
    for (const { setup } of own) assert.ok(setup(DSN).includes(DSN))
  }
  const tag =
    platformFor('javascript')
      .own?.find(({ id }) => id === 'tag')
      ?.setup(DSN) ?? ''
  assert.match(tag, /src="http:\/\/127\.0\.0\.1:8600\/sonde\.js"/)
})

test('the script lies where the DSN points, also below a path', () => {
  assert.equal(originOf('https://0123@sonde.example/1'), 'https://sonde.example')
  assert.equal(originOf('https://0123@example.com:8443/errors/12/'), 'https://example.com:8443/errors')
})

test('what has no snippet of its own gets the nearest', () => {
  const names = ['python-django', 'javascript-react', 'dotnet', 'dotnet-aspnetcore', 'other', ''].map(
    (id) => platformFor(id).name,
  )
  assert.deepEqual(names, ['Python', 'React', '.NET', '.NET', 'JavaScript', 'JavaScript'])
})
