/** Which uploaded files belong to a script that ran, and what is said where none do. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { openTestRecords } from '../../../../tests/harness/engines.ts'
import { mapNames, uploadNames } from '../../src/artifacts/artifact-urls.ts'
import {
  type ArtifactType,
  findByDebugId,
  findByUrl,
  findRelease,
  findSource,
  type FoundFiles,
  type Records,
} from '../../src/index.ts'

const ID = '11111111-2222-4333-8444-555555555555'
type File = readonly [type: ArtifactType, url: string, more?: object]
let records: Records
let close: () => Promise<void>
let org: number
let shop: number
let docs: number

async function upload(files: readonly File[], of: object = {}, projectId = shop): Promise<number> {
  const bundle = {
    org_id: org,
    kind: 'bundle' as const,
    checksum: '',
    debug_id: '',
    release: '',
    dist: '',
    actor: 'operator:cli',
    created_ms: 0,
    last_used_ms: null,
    ...of,
  }
  const { id } = await records
    .insertInto('artifact_bundle')
    .values(bundle)
    .returning('id')
    .executeTakeFirstOrThrow()
  await records
    .insertInto('artifact_bundle_project')
    .values({ bundle_id: id, project_id: projectId })
    .execute()
  const rows = files.map(([type, url, more]) => ({
    bundle_id: id,
    org_id: org,
    type,
    url,
    debug_id: '',
    map_ref: '',
    headers: '{}',
    blob: `blob-${id}-${url}`,
    bytes: 1,
    stored_bytes: 1,
    sha1: '',
    problem: '',
    problem_detail: '',
    created_ms: 0,
    ...more,
  }))
  await records.insertInto('artifact_file').values(rows).execute()
  return id
}

const named = (found: FoundFiles | undefined) =>
  found?.ok ? [found.map.bundleId, found.map.url, found.script?.url] : found && [found.problem, found.detail]
const byUrl = (release: string, url: string, dist = '', projectId = shop) =>
  findByUrl(records, org, { projectId, release, dist }, url)

describe('find files', () => {
  before(async () => {
    ;({ records, close } = await openTestRecords())
    const values = { slug: 'acme', name: 'Acme', created_ms: 0 }
    const made = await records
      .insertInto('organization')
      .values(values)
      .returning('id')
      .executeTakeFirstOrThrow()
    org = made.id
    const projects = ['shop', 'docs'].map((slug) => ({
      org_id: org,
      slug,
      name: slug,
      platform: 'node',
      created_ms: 0,
    }))
    const [first, second] = await records.insertInto('project').values(projects).returning('id').execute()
    shop = first!.id
    docs = second!.id
  })

  after(() => close())

  describe('by debug id', () => {
    const files = (more: object = {}): File[] => [
      ['minified_source', '~/a.js', { debug_id: ID }],
      ['source_map', '~/a.js.map', { debug_id: ID, ...more }],
    ]

    it('finds script and map, whatever they are called and of whichever project: the newest that can be read', async () => {
      assert.equal(await findByDebugId(records, org, ID), undefined)
      await upload(files())
      const newer = await upload(files(), {}, docs)
      await upload(files({ problem: 'mappings', problem_detail: 'ends within a number' }))
      assert.deepEqual(named(await findByDebugId(records, org, ID)), [newer, '~/a.js.map', '~/a.js'])
      assert.equal(await findByDebugId(records, org + 1, ID), undefined)
      assert.equal(await findByDebugId(records, org, ''), undefined)
    })

    it('says what is wrong with the only map', async () => {
      const one = (id: string, problem: string) =>
        upload([['source_map', '~/b.js.map', { debug_id: id, problem, problem_detail: 'so' }]])
      await one('b1', 'version')
      await one('b2', 'too_large')
      const bundle = await one('b3', 'no_sources')
      const found = async (id: string) => named(await findByDebugId(records, org, id))
      assert.deepEqual(await found('b1'), ['broken_map', '~/b.js.map: so'])
      assert.deepEqual(await found('b2'), ['too_large', '~/b.js.map: so'])
      assert.deepEqual(await found('b3'), [bundle, '~/b.js.map', undefined])
    })

    it('follows the script to a map without id, and says where it is missing', async () => {
      const script = (id: string, more: object): File => [
        'minified_source',
        '~/x/c.js',
        { debug_id: id, ...more },
      ]
      const beside = await upload([script('c1', { map_ref: 'maps/c.map' }), ['source_map', '~/x/maps/c.map']])
      await upload([script('c2', { map_ref: 'gone.map' })])
      await upload([script('c3', {})])
      const inline = await upload([script('c4', { map_ref: 'data:application/json;base64,' })])
      await upload([['indexed_ram_bundle', '~/main.bundle', { debug_id: 'c5' }]])
      const found = async (id: string) => named(await findByDebugId(records, org, id))
      assert.deepEqual(await found('c1'), [beside, '~/x/maps/c.map', '~/x/c.js'])
      assert.deepEqual(await found('c2'), ['no_map', '~/x/c.js names gone.map, which was not uploaded'])
      assert.deepEqual(await found('c3'), [
        'no_map',
        '~/x/c.js names no map, and ~/x/c.js.map was not uploaded',
      ])
      assert.deepEqual(await found('c4'), [inline, '~/x/c.js', '~/x/c.js'])
      assert.deepEqual(await found('c5'), ['unsupported_map', '~/main.bundle is a RAM bundle'])
      const answer = await findByDebugId(records, org, 'c4')
      assert.equal(answer?.ok && answer.isInline, true)
    })
  })

  describe('by release, dist and address', () => {
    it('finds the script under any host and follows its header, the newest upload first', async () => {
      const files: File[] = [
        ['minified_source', '~/static/app.js', { headers: '{"sourcemap":"app.js.map"}' }],
        ['source_map', '~/static/app.js.map'],
      ]
      await upload(files, { release: 'r1' })
      const newer = await upload(files, { release: 'r1' })
      const answer = [newer, '~/static/app.js.map', '~/static/app.js']
      for (const url of [
        'https://shop.test/static/app.js',
        'https://shop.test/static/app.js?v=3#x',
        'app:///static/app.js',
        '/static/app.js',
        'file:///static/app.js',
        'C:\\static\\app.js',
      ])
        assert.deepEqual(named(await byUrl('r1', url)), answer, url)
    })

    it('prefers the whole address, and takes maps that are there alone or beside a script that names none', async () => {
      const bundle = await upload(
        [
          ['minified_source', '~/s/a.js', { map_ref: 'wrong.map' }],
          ['minified_source', 'https://cdn.test/s/a.js', { map_ref: 'https://maps.test/m/a.map?x' }],
          ['source_map', '~/m/a.map'],
          ['source_map', '~/alone.js.map'],
          ['minified_source', '~/quiet.js'],
          ['source_map', '~/quiet.js.map'],
          ['minified_source', '~/app/[id]-1.js'],
          ['source_map', '~/app/[id]-1.js.map'],
        ],
        { release: 'r2' },
      )
      const found = async (url: string) => named(await byUrl('r2', url))
      assert.deepEqual(await found('https://cdn.test/s/a.js'), [
        bundle,
        '~/m/a.map',
        'https://cdn.test/s/a.js',
      ])
      assert.deepEqual(await found('https://x.test/alone.js'), [bundle, '~/alone.js.map', undefined])
      assert.deepEqual(await found('https://x.test/quiet.js'), [bundle, '~/quiet.js.map', '~/quiet.js'])
      assert.deepEqual((await found('https://x.test/app/%5Bid%5D-1.js'))?.[1], '~/app/[id]-1.js.map')
    })

    it('says how far it came', async () => {
      await upload(
        [
          ['minified_source', '~/a/index-Bq8x12cd.js'],
          ['minified_source', '~/vendor.js'],
        ],
        {
          release: 'r3',
          dist: 'ios',
        },
      )
      await upload([['minified_source', '~/a.js']], { release: 'r3', dist: 'android' })
      await upload([['minified_source', '~/a.js']], { release: 'only-docs' }, docs)
      const found = async (release: string, url: string, dist = '') => named(await byUrl(release, url, dist))
      const url = 'https://x.test/b/index-Cz9y34ef.js?v=1'
      assert.deepEqual(await found('r3', url), [
        'other_dist',
        'the event has no dist, the files have dist android, dist ios',
      ])
      assert.deepEqual(await found('r3', url, 'ios'), [
        'no_such_file',
        'looked for https://x.test/b/index-Cz9y34ef.js; uploaded are ~/a/index-Bq8x12cd.js, ~/vendor.js',
      ])
      assert.deepEqual(await found('only-docs', url), [
        'no_release_files',
        'release only-docs has files only of docs',
      ])
      assert.deepEqual(await found('r4', url), [
        'no_release_files',
        'release r4; files are there of r3, r2, r1',
      ])
      assert.equal(
        (await findRelease(records, org, { projectId: docs, release: 'r3', dist: 'ios' })).ok,
        false,
      )
    })

    it('finds sources that were uploaded beside a map without their text', async () => {
      const bundleId = await upload(
        [
          ['source', '~/src/cart.ts'],
          ['source_map', '~/dist/app.js.map'],
        ],
        {
          release: 'r5',
        },
      )
      const map = { bundleId, url: '~/dist/app.js.map' }
      assert.equal((await findSource(records, map, '../src/cart.ts'))?.url, '~/src/cart.ts')
      assert.equal((await findSource(records, map, 'webpack:///./src/cart.ts'))?.url, '~/src/cart.ts')
      assert.equal(await findSource(records, map, '../src/other.ts'), undefined)
    })
  })

  describe('names of uploads', () => {
    it('of any text are some, and never a way out of the folder', () => {
      fc.assert(
        fc.property(fc.string(), fc.webUrl({ withQueryParameters: true }), (text, url) => {
          for (const base of [text, url]) {
            assert.ok(uploadNames(base).length > 0)
            for (const name of mapNames(base, text)) assert.ok(!name.split('/').includes('..'), name)
          }
          assert.ok(uploadNames(url).every((name) => !/[?#]/.test(name)))
        }),
      )
    })
  })
})
