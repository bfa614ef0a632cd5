import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUpload, parseCursor, uploadFiles, uploads } from '@sonde/queries'
import { openHarness, NOW_MS } from '../harness.ts'
import { upload } from './uploads.ts'

const ID = '9ec79c33-ec99-42ab-8353-589fcb2e04dc'

test('uploads of a project are listed, searched and paged; those of others are not there', async (t) => {
  const harness = await openHarness()
  t.after(() => harness.close())
  const acme = await harness.org('acme')
  const shop = await harness.project(acme, 'shop')
  const api = await harness.project(acme, 'api')
  const other = await harness.project(await harness.org('other'), 'shop')
  const first = await upload(
    harness,
    acme,
    [shop, api],
    { release: 'shop@1', dist: '41', last_used_ms: NOW_MS },
    [
      { debug_id: ID, bytes: 100, stored_bytes: 40 },
      {
        debug_id: ID,
        type: 'source_map',
        url: '~/app.js.map',
        bytes: 900,
        stored_bytes: 60,
        problem: 'no_sources',
      },
    ],
  )
  const second = await upload(harness, acme, [shop], { kind: 'release_files', release: 'shop@2' }, [])
  const third = await upload(harness, acme, [api], {}, [{}])
  const { rows } = await uploads(harness.deps, shop)
  assert.deepEqual(rows, [
    {
      id: second,
      kind: 'release_files',
      release: 'shop@2',
      dist: '',
      actor: 'operator',
      createdMs: NOW_MS,
      lastUsedMs: undefined,
      files: 0,
      debugIds: 0,
      bytes: 0,
      storedBytes: 0,
      problems: 0,
    },
    {
      id: first,
      kind: 'bundle',
      release: 'shop@1',
      dist: '41',
      actor: 'operator',
      createdMs: NOW_MS,
      lastUsedMs: NOW_MS,
      files: 2,
      debugIds: 1,
      bytes: 1_000,
      storedBytes: 100,
      problems: 1,
    },
  ])
  const found = async (text: string): Promise<number[]> =>
    (await uploads(harness.deps, shop, { text })).rows.map(({ id }) => id)
  assert.deepEqual(await found('shop@1'), [first])
  assert.deepEqual(await found(ID.toUpperCase()), [first])
  assert.deepEqual(await found('app.js.map'), [first])
  assert.deepEqual(await found('41'), [first])
  assert.deepEqual(await found('nothing like it'), [])
  const page = await uploads(harness.deps, shop, { limit: 1 })
  assert.deepEqual([page.rows.length, page.next.hasResults], [1, true])
  const cursor = parseCursor(page.next.cursor)
  assert.ok(cursor)
  const next = await uploads(harness.deps, shop, { limit: 1, cursor })
  assert.deepEqual([next.rows[0]?.id, next.next.hasResults], [first, false])
  assert.equal((await findUpload(harness.deps, shop, first))?.files, 2)
  assert.equal(await findUpload(harness.deps, shop, third), undefined)
  assert.equal(await findUpload(harness.deps, other, first), undefined)
})

test('files of an upload begin with those that cannot be used, and belong to who may see the upload', async (t) => {
  const harness = await openHarness()
  t.after(() => harness.close())
  const acme = await harness.org('acme')
  const shop = await harness.project(acme, 'shop')
  const api = await harness.project(acme, 'api')
  const id = await upload(harness, acme, [shop], {}, [
    { url: '~/a.js', map_ref: 'a.js.map' },
    { url: '~/z.js.map', type: 'source_map', problem: 'not_json', problem_detail: 'it ends early' },
    { url: '~/b_1.js', debug_id: ID },
  ])
  const urls = async (grant: typeof shop, text?: string): Promise<string[]> =>
    (
      await uploadFiles(harness.deps, grant, { uploadId: id, ...(text === undefined ? {} : { text }) })
    ).rows.map(({ url }) => url)
  assert.deepEqual(await urls(shop), ['~/z.js.map', '~/a.js', '~/b_1.js'])
  assert.deepEqual(await urls(shop, 'b_1'), ['~/b_1.js'])
  assert.deepEqual(await urls(shop, ID), ['~/b_1.js'])
  assert.deepEqual(await urls(api), [])
})
