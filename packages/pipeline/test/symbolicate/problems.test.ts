/** Each way not to be led back has its own reason, and what somebody needs to mend it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FRAME_PROBLEMS, type FrameProblem } from '@sonde/protocol/frame-problem'
import { sql } from 'kysely'
import { MAX_READ_BYTES } from '../../src/maps/pipeline-files.ts'
import { unreadableColumn } from '../../src/stages/encode.ts'
import { withRawStacks } from '../../src/symbolicate/reprocess-event.ts'
import { until } from '../commit/harness.ts'
import {
  debugId,
  eventOf,
  type FileHarness,
  framesOf,
  imageOf,
  openFileHarness,
} from '../maps/file-harness.ts'
import type { UploadedFile } from '../maps/upload.ts'

const URL = 'https://shop.test/assets/app.js'
const CODE = 'function a(){throw 1}\na()'
/** The whole first line comes from the first line of `src/a.ts`, the second from nowhere. */
const MAP = { version: 3, sources: ['src/a.ts'], sourcesContent: ['x\n'], names: [], mappings: 'AAAA;' }
const ID = debugId('a')
const script: UploadedFile = { type: 'minified_source', url: '~/assets/app.js', content: CODE, debugId: ID }
const map = (content: object | string, more: object = {}): UploadedFile => ({
  type: 'source_map',
  url: '~/assets/app.js.map',
  content: typeof content === 'string' ? content : JSON.stringify(content),
  debugId: ID,
  ...more,
})

/** Told of frames without scripts: `native.test.ts`. */
const NATIVE: readonly FrameProblem[] = ['no_debug_file', 'broken_debug_file', 'no_symbol', 'no_lines']

type Case = {
  readonly files?: readonly UploadedFile[]
  readonly of?: { readonly release?: string; readonly dist?: string }
  /** Fields of the event. */
  readonly event?: object
  readonly frame?: object
  readonly detail: RegExp
}
const byId = imageOf(URL, ID)
const CASES: readonly (readonly [FrameProblem, Case])[] = [
  ['no_debug_id', { detail: /neither a debug id of this file nor a release/ }],
  ['no_artifact', { event: byId, detail: new RegExp(`^debug id ${ID}$`) }],
  ['no_artifact', { event: { ...byId, release: '1.0' }, detail: new RegExp(ID) }],
  ['no_release_files', { event: { release: '1.0' }, detail: /^release 1\.0$/ }],
  [
    'other_dist',
    { files: [script], of: { release: '1.1', dist: 'ios' }, event: { release: '1.1' }, detail: /dist ios/ },
  ],
  [
    'no_such_file',
    {
      files: [{ ...script, url: '~/other/app.js', debugId: '' }],
      of: { release: '1.2' },
      event: { release: '1.2' },
      detail: /looked for https:\/\/shop\.test\/assets\/app\.js; uploaded are ~\/other\/app\.js/,
    },
  ],
  [
    'no_map',
    { files: [{ ...script, mapRef: 'm.map' }], event: byId, detail: /m\.map, which was not uploaded/ },
  ],
  [
    'no_map',
    {
      files: [{ ...script, debugId: '', mapRef: 'm.map' }],
      of: { release: '1.3' },
      event: { ...byId, release: '1.3' },
      detail: /m\.map, which was not uploaded/,
    },
  ],
  [
    'too_large',
    { files: [map(MAP, { bytes: MAX_READ_BYTES + 1 })], event: byId, detail: /65 MiB; 64 MiB are read/ },
  ],
  ['broken_map', { files: [map('<!doctype html>')], event: byId, detail: /app\.js\.map: .*it begins with/ }],
  ['broken_map', { files: [map({ ...MAP, mappings: '!' })], event: byId, detail: /app\.js\.map: / }],
  [
    'broken_map',
    {
      files: [{ ...script, mapRef: 'data:application/json;base64,e30=' }],
      event: byId,
      detail: /its last comment holds no map/,
    },
  ],
  ['unsupported_map', { files: [map({ ...MAP, x_facebook_sources: [] })], event: byId, detail: /Metro/ }],
  [
    'unsupported_map',
    { files: [map({ ...MAP, x_hermes_function_offsets: {} })], event: byId, detail: /Hermes/ },
  ],
  [
    'unsupported_map',
    { files: [{ ...script, type: 'indexed_ram_bundle' }], event: byId, detail: /RAM bundle/ },
  ],
  [
    'other_file',
    { files: [script, map(MAP)], event: byId, frame: { colno: 23 }, detail: /no line 1, column 23/ },
  ],
  ['other_file', { files: [script, map(MAP)], event: byId, frame: { lineno: 3 }, detail: /no line 3/ }],
  [
    'no_position',
    { files: [script, map(MAP)], event: byId, frame: { lineno: 2 }, detail: /nothing of line 2/ },
  ],
  [
    'no_position',
    {
      files: [map({ ...MAP, mappings: 'AAAA,CACA' })],
      event: byId,
      frame: { colno: undefined },
      detail: /no column, and line 1 comes from several/,
    },
  ],
  [
    'no_source',
    {
      files: [script, map({ ...MAP, sourcesContent: undefined })],
      event: byId,
      detail: /src\/a\.ts is not in ~\/assets\/app\.js\.map/,
    },
  ],
  ['no_source', { files: [map({ ...MAP, mappings: 'AAUA' })], event: byId, detail: /has no line 11/ }],
]

let harness: FileHarness

describe('problems', () => {
  before(async () => {
    harness = await openFileHarness()
  })

  after(() => harness.close())

  for (const [reason, { files, of, event: fields, frame, detail }] of CASES) {
    it(`${reason}: ${detail.source.slice(0, 50)}`, async () => {
      await harness.records.deleteFrom('artifact_bundle').execute()
      if (files) await harness.upload(files, of)
      const event = eventOf([{ filename: URL, function: 'a', lineno: 1, colno: 2, ...frame }], fields)
      const symbolicated = await harness.symbolicate(event)
      const problem = framesOf(symbolicated)[0]?.problem
      assert.equal(problem?.reason, reason, problem?.detail)
      assert.match(problem?.detail ?? '', detail)
      assert.equal(unreadableColumn(symbolicated), reason)
      assert.equal(symbolicated.exception?.[0]?.raw_stacktrace !== undefined, reason === 'no_source')
      assert.deepEqual(withRawStacks(symbolicated), event)
    })
  }

  it('every reason is told by one of them', () => {
    assert.deepEqual(new Set([...CASES.map(([reason]) => reason), ...NATIVE]), new Set(FRAME_PROBLEMS))
  })

  it('a map whose bytes are damaged or missing says so, is named to the doctor, and the next event goes on', async () => {
    const event = eventOf([{ filename: URL, lineno: 1, colno: 2 }], byId)
    const problemNow = async () => framesOf(await harness.symbolicate(event))[0]?.problem
    await harness.records.deleteFrom('artifact_bundle').execute()
    await harness.upload([map(MAP)])
    const file = harness.records.selectFrom('artifact_file').select('blob')
    const { blob } = await file.executeTakeFirstOrThrow()
    await harness.blobs.put(blob, Buffer.from('not what was written'))
    const damaged = await problemNow()
    assert.equal(damaged?.reason, 'broken_map')
    assert.match(
      damaged.detail ?? '',
      /^~\/assets\/app\.js\.map: the uploaded file is damaged on the server: upload/,
    )
    await harness.records.deleteFrom('artifact_bundle').execute()
    await harness.upload([map(MAP)])
    await sql`UPDATE artifact_file SET blob = 'artifacts/none'`.execute(harness.records)
    const missing = await problemNow()
    assert.equal(missing?.reason, 'broken_map')
    assert.match(missing.detail ?? '', /^~\/assets\/app\.js\.map: its file is missing on the server/)
    assert.deepEqual(
      harness.blobs.unreadable?.().map(({ problem }) => problem),
      ['missing', 'damaged'],
    )
    await harness.upload([map(MAP)])
    assert.equal(await problemNow(), undefined)
  })

  it('what cannot be read is looked at again once a file comes or goes', async () => {
    const event = eventOf([{ filename: URL, lineno: 1, colno: 2 }], byId)
    const reasonNow = async () => framesOf(await harness.symbolicate(event))[0]?.problem?.reason
    await harness.records.deleteFrom('artifact_bundle').execute()
    assert.equal(await reasonNow(), 'no_artifact')
    await harness.upload([map(MAP, { bytes: MAX_READ_BYTES + 1 })])
    assert.equal(await reasonNow(), 'too_large')
    await harness.upload([map(MAP)])
    assert.equal(await reasonNow(), undefined)
    const used = () =>
      harness.records.selectFrom('artifact_bundle').select('last_used_ms').orderBy('id').execute()
    // Nobody waits for it.
    await until(async () => (await used()).every((row) => row.last_used_ms !== null), 'both are used today')
    const days = (await used()).map(({ last_used_ms: day }) => (day ?? 1) % 86_400_000)
    assert.deepEqual(days, [0, 0])
    await harness.records.deleteFrom('artifact_bundle').execute()
    assert.equal(await reasonNow(), 'no_artifact')
  })
})
