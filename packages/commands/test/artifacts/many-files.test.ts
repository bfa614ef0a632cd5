/** Builds of tens of thousands of files: what each of them costs the records. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { bundleZip, goodParts, openUploadHarness, type Part, type UploadHarness } from './upload-harness.ts'

let harness: UploadHarness
let statements = 0
const counting: KyselyPlugin = {
  transformQuery({ node }) {
    statements++
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}

const build = (files: number, marker: string): Record<string, Part> => {
  const parts: Record<string, Part> = {}
  for (let at = 0; at < files / 2; at++)
    for (const [name, part] of Object.entries(goodParts(`${marker}${at}`)))
      parts[`${marker}/${at}/${name}`] = { ...part, content: `${String(part.content)} `.padEnd(400 + at) }
  return parts
}

describe('uploads of many files', () => {
  before(async () => {
    harness = await openUploadHarness()
    await harness.restart({ records: harness.db.withPlugin(counting) })
  })

  after(() => harness.close())

  it('cost the records a statement for dozens of files', async () => {
    const costOf = async (files: number): Promise<number> => {
      const zip = await bundleZip(build(files, `n${files}`))
      const sent = await harness.send(zip)
      statements = 0
      assert.deepEqual(await harness.assemble(sent), { state: 'ok' })
      return statements
    }
    const few = await costOf(200)
    const many = await costOf(1_200)
    assert.equal((await harness.files()).length, 1_400)
    assert.ok(few > 0)
    // Looking for what is there already, reserving names, claiming them, inserting rows.
    assert.ok(many - few <= 1_000 / 25, `${few} statements of 200 files, ${many} of 1,200`)
  })

  it('know what an upload before had, in the order in which they come', async () => {
    const parts = build(120, 'again')
    await harness.upload(await bundleZip(parts))
    const before = await harness.blobNames()
    // The same contents under other names, and one that is new among them.
    const moved = Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [`moved/${name}`, part] as const),
    )
    const fresh = { 'moved/new.js': { type: 'minified_source', content: 'let fresh\n' } }
    await harness.upload(await bundleZip({ ...moved, ...fresh }))
    const stored = new Map((await harness.files()).map((file) => [file.url, file]))
    for (const name of Object.keys(parts)) {
      const { blob, sha1, bytes } = stored.get(`~/${name}`)!
      const again = stored.get(`~/moved/${name}`)!
      assert.deepEqual([again.blob, again.sha1, again.bytes], [blob, sha1, bytes], name)
    }
    const added = (await harness.blobNames()).filter((name) => !before.includes(name))
    assert.deepEqual(
      added.filter((name) => name.startsWith('artifacts/')),
      [stored.get('~/moved/new.js')!.blob],
    )
  })
})
