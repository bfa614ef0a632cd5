import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { assembleBundle, ensureProject } from '@sonde/commands'
import { readArtifact } from '@sonde/stores'
import { bundleZip, goodParts, ID, MAP, openUploadHarness, type UploadHarness } from './upload-harness.ts'

describe('an upload', () => {
  let harness: UploadHarness
  beforeEach(async () => {
    harness = await openUploadHarness()
  })
  afterEach(() => harness.close())

  it('is asked for what is missing, then stored file by file, and can be read back', async () => {
    const zip = await bundleZip(goodParts())
    const { checksum, chunks } = await harness.send(zip, 200)
    assert.ok(chunks.length > 2)
    await harness.db.deleteFrom('artifact_chunk').where('sha1', 'in', chunks.slice(1, 2)).execute()
    assert.deepEqual(await harness.assemble({ checksum, chunks }), {
      state: 'not_found',
      missingChunks: [chunks[1]],
    })
    await harness.send(zip, 200)
    assert.deepEqual(await harness.assemble({ checksum, chunks }), { state: 'ok' })

    const [script, map] = await harness.files()
    assert.deepEqual(
      [script?.url, script?.type, script?.debug_id, script?.map_ref, script?.problem],
      ['~/app.js', 'minified_source', ID, 'app.js.map', ''],
    )
    assert.deepEqual(
      [map?.url, map?.debug_id, map?.problem, map?.bytes],
      ['~/app.js.map', ID, '', MAP.length],
    )
    assert.equal(Buffer.from((await readArtifact(harness.blobs, map!))!).toString(), MAP)
    assert.deepEqual(await harness.reprocessing(), [{ debugIds: [ID], projectIds: [1] }])
    assert.deepEqual(harness.told, ['artifacts'])
    assert.ok((await harness.audit()).some((line) => line === `operator:cli artifact.upload ${checksum}`))
  })

  it('that comes twice is there at once, without its chunks, and changes nothing', async () => {
    const zip = await bundleZip(goodParts())
    const sent = await harness.send(zip)
    assert.deepEqual(await harness.assemble(sent), { state: 'ok' })
    await harness.db.deleteFrom('artifact_chunk').execute()
    assert.deepEqual(await harness.assemble(sent), { state: 'ok' })
    assert.equal((await harness.bundles()).length, 1)
    assert.equal((await harness.reprocessing()).length, 1)
  })

  it('that is asked for many times at once is stored once', async () => {
    const sent = await harness.send(await bundleZip(goodParts()))
    const states = await Promise.all(Array.from({ length: 5 }, () => harness.assemble(sent)))
    assert.deepEqual(
      states.map((answer) => answer.state),
      Array.from({ length: 5 }, () => 'ok'),
    )
    assert.equal((await harness.bundles()).length, 1)
  })

  it('for another release or project of the same bytes is found there too', async () => {
    await ensureProject(harness.deps(), operatorViewer, { org: 'acme', slug: 'blog', platform: 'javascript' })
    const sent = await harness.send(await bundleZip(goodParts()))
    await harness.assemble({ ...sent, release: '1.0' })
    await harness.assemble({ ...sent, release: '2.0', dist: '7' })
    await harness.assemble({ ...sent, release: '2.0', dist: '7', projects: ['blog'] })
    assert.deepEqual(
      (await harness.bundles()).map(({ release, dist }) => [release, dist]),
      [
        ['1.0', ''],
        ['2.0', '7'],
      ],
    )
    assert.deepEqual(await harness.reprocessing(), [
      { debugIds: [ID], projectIds: [1], release: '1.0' },
      { debugIds: [ID], projectIds: [1], release: '2.0' },
      { debugIds: [], projectIds: [2], release: '2.0' },
    ])
    const releases = await harness.db
      .selectFrom('release')
      .innerJoin('release_project', 'release_project.release_id', 'release.id')
      .select(['version', 'project_id'])
      .orderBy('version')
      .orderBy('project_id')
      .execute()
    assert.deepEqual(
      releases.map((row) => [row.version, row.project_id]),
      [
        ['1.0', 1],
        ['2.0', 1],
        ['2.0', 2],
      ],
    )
    const links = await harness.db.selectFrom('artifact_bundle_project').selectAll().execute()
    assert.deepEqual(
      links.map((row) => [row.bundle_id, row.project_id]),
      [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
    )
    // The same bytes are on the disk once.
    const stored = new Set((await harness.files()).map((file) => file.blob))
    assert.equal(stored.size, 2)
    assert.equal((await harness.blobNames()).filter((name) => name.startsWith('artifacts/')).length, 2)
  })

  it('without release and project in the request takes those of its manifest', async () => {
    const zip = await bundleZip(goodParts(), { release: '3.0', dist: 'x', project: 'shop', debug_id: ID })
    assert.deepEqual(await harness.upload(zip, { projects: [] }), { state: 'ok' })
    const [bundle] = await harness.bundles()
    assert.deepEqual([bundle?.release, bundle?.dist, bundle?.debug_id], ['3.0', 'x', ID])
    assert.deepEqual(await harness.upload(zip, { projects: [] }), { state: 'ok' })
    assert.equal((await harness.bundles()).length, 1)
  })

  it('with a dist is another than without, whichever comes first', async () => {
    const sent = await harness.send(await bundleZip(goodParts()))
    for (const dist of ['7', '', '7', '8', '']) await harness.assemble({ ...sent, release: '1.0', dist })
    assert.deepEqual(
      (await harness.bundles()).map((bundle) => bundle.dist),
      ['7', '', '8'],
    )
  })

  it('finds ids and maps in the files when the manifest has none', async () => {
    const bare = await bundleZip({
      'a.js': { type: 'minified_source', content: `a\n//# sourceMappingURL=a.js.map\n//# debugId=${ID}` },
      'a.js.map': { type: 'source_map', content: MAP },
      'b.js': {
        type: 'minified_source',
        content: `!function(){var x="sentry-dbid-${ID}"}()\n//# sourceMappingURL=data:application/json,{}`,
      },
      'c.js': {
        type: 'minified_source',
        content: 'const s = "//# sourceMapping"+"URL"; x("sourceMappingURL=x")',
      },
    })
    await harness.upload(bare)
    assert.deepEqual(
      (await harness.files()).map((file) => [file.url, file.debug_id, file.map_ref]),
      [
        ['~/a.js', ID, 'a.js.map'],
        ['~/a.js.map', ID, ''],
        ['~/b.js', ID, 'data:'],
        ['~/c.js', '', ''],
      ],
    )
  })

  it('keeps a broken map beside good ones, with what is wrong with it', async () => {
    const parts = { ...goodParts(), 'b.js.map': { type: 'source_map', content: MAP.slice(0, 50) } }
    const noContent = { ...(JSON.parse(MAP) as object), sourcesContent: [null] }
    const zip = await bundleZip({
      ...parts,
      'c.js.map': { type: 'source_map', content: JSON.stringify(noContent) },
    })
    assert.deepEqual(await harness.upload(zip), { state: 'ok' })
    const maps = (await harness.files()).filter((file) => file.type === 'source_map')
    assert.deepEqual(
      maps.map((file) => file.problem),
      ['', 'not_json', 'no_sources'],
    )
    assert.match(maps[1]?.problem_detail ?? '', /begins with/)
  })

  it('whose map was taken for a script, because it cannot be read, is refused all the same', async () => {
    const parts = goodParts()
    const zip = await bundleZip({
      'app.js': parts['app.js']!,
      'app.js.map': { type: 'minified_source', content: MAP.slice(0, 60) },
    })
    await assert.rejects(harness.upload(zip), { kind: 'invalid', message: /app\.js\.map cannot be read/ })
  })

  it('that a stop interrupts is taken up by the next start', async () => {
    const sent = await harness.send(await bundleZip(goodParts()))
    await harness.stop()
    await assert.rejects(harness.assemble(sent), { kind: 'unavailable' })
    assert.equal((await harness.bundles()).length, 0)
    await harness.restart()
    await harness.deps().uploads?.finish({
      orgId: 1,
      checksum: sent.checksum,
      target: { release: '', dist: '', projectIds: [1] },
    })
    assert.equal((await harness.bundles()).length, 1)
    assert.deepEqual(await harness.assemble(sent), { state: 'ok' })
  })

  it('that takes long is said to be under way', async () => {
    const sent = await harness.send(await bundleZip(goodParts()))
    const input = { org: 'acme', projects: ['shop'], ...sent }
    assert.deepEqual(
      await assembleBundle(
        harness.deps(),
        await harness.deps().access.openOrg(operatorViewer, input.org, 'release:write'),
        input,
        0,
      ),
      { state: 'assembling' },
    )
    assert.deepEqual(await harness.assemble(sent), { state: 'ok' })
  })
})
