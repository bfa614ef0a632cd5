import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readManifest } from '@sonde/stores'

const manifestOf = (manifest: unknown) => readManifest(Buffer.from(JSON.stringify(manifest)))

describe('the manifest of an upload', () => {
  it('says what each file is; header names have no case', () => {
    const manifest = manifestOf({
      debug_id: 'b',
      org: 'acme',
      project: 'shop',
      release: ' 1.0 ',
      dist: null,
      files: {
        'files/_/_/a.js': {
          type: 'minified_source',
          url: '~/a.js',
          headers: { 'Debug-Id': 'D', Sourcemap: 'a.js.map', number: 1 },
        },
        'x.so': { type: 'elf' },
      },
    })
    const { files, ...rest } = manifest
    assert.deepEqual(files, [
      {
        entry: 'files/_/_/a.js',
        type: 'minified_source',
        url: '~/a.js',
        headers: { 'debug-id': 'D', sourcemap: 'a.js.map' },
      },
    ])
    assert.deepEqual(rest, { debugId: 'b', org: 'acme', project: 'shop', release: '1.0', dist: '' })
  })

  it('without URLs is read by where the files lie', () => {
    const names = ['files/_/_/static/a.js', 'files/https/cdn.test/a.js', 'a.js']
    const files = Object.fromEntries(names.map((name) => [name, { type: 'source' }]))
    assert.deepEqual(
      manifestOf({ files }).files.map((file) => file.url),
      ['~/static/a.js', 'https://cdn.test/a.js', '~/a.js'],
    )
  })

  it('that is none is refused', () => {
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [[], /no JSON object/],
      [{}, /no "files"/],
      [{ files: { a: 1 } }, /"a" is no object/],
      [{ files: { a: { type: 'source', url: 'x'.repeat(5_000) } } }, /URL of "a" has more than/],
      [{ files: { a: { type: 'source', headers: { b: 'x'.repeat(5_000) } } } }, /headers/],
    ]
    for (const [manifest, message] of cases)
      assert.throws(() => manifestOf(manifest), { name: 'BundleError', message })
    assert.throws(() => readManifest(Buffer.from('{"files":')), { name: 'BundleError' })
    assert.throws(() => readManifest(Buffer.from([0xff])), { name: 'BundleError' })
  })
})
