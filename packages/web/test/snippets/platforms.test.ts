import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLATFORMS, platformFor } from '../../src/snippets/platforms.ts'

const DSN = 'http://0123456789abcdef0123456789abcdef@127.0.0.1:8600/1'

test('twelve platforms are offered, each once', () => {
  assert.equal(PLATFORMS.length, 12)
  assert.equal(new Set(PLATFORMS.map(({ id }) => id)).size, 12)
})

for (const { name, setup, install, test: breaks } of PLATFORMS) {
  test(`${name}: the set-up names the DSN, something is installed, something breaks`, () => {
    assert.ok(setup(DSN).includes(DSN))
    assert.ok(install.length > 5)
    assert.match(breaks, /First error|ZeroDivision/)
  })
}

test('what has no snippet of its own gets the nearest', () => {
  const names = ['python-django', 'javascript-react', 'dotnet', 'dotnet-aspnetcore', 'other', ''].map(
    (id) => platformFor(id).name,
  )
  assert.deepEqual(names, ['Python', 'React', '.NET', '.NET', 'JavaScript', 'JavaScript'])
})
