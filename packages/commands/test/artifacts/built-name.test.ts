import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtName } from '../../src/artifacts/built-name.ts'

const COPY = '~/0f3c2b1a-1111-4222-8333-444455556666-7.js'

test('the name of a built file is the last part of its address, or what its map and its script say', () => {
  for (const [url, other, name] of [
    ['~/assets/app-4f2c.js', '', 'app-4f2c.js'],
    ['https://cdn.example/static/app.js?v=2', 'app.js.map', 'app.js'],
    ['~/assets/app-4f2c.js.map', 'other.js', 'app-4f2c.js'],
    [COPY, 'app-4f2c.js.map', 'app-4f2c.js'],
    [COPY, '../maps/app-4f2c.js.map?x', 'app-4f2c.js'],
    [`${COPY}.map`, 'static/chunks/app-4f2c.js', 'app-4f2c.js'],
    [COPY, '', ''],
    [COPY, 'data:', ''],
    [COPY, COPY, ''],
    [`~/${'a'.repeat(300)}.js`, '', ''],
    ['', '', ''],
  ] as const)
    assert.equal(builtName(url, other), name, `${url} ${other}`)
})
