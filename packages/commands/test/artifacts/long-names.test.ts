/** Names of files are in indexes, whose rows PostgreSQL bounds: with any engine the same names are taken, and refused in words. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { createRelease, InvalidInput, saveReleaseFile } from '@sonde/commands'
import { MAX_NAME_BYTES } from '@sonde/stores'
import { openUploadHarness, type UploadHarness } from './upload-harness.ts'

/** Of letters that no compression makes shorter. */
const name = (bytes: number): string => randomBytes(bytes).toString('base64url').slice(0, bytes)
// Two bytes each.
const wide = (bytes: number): string => 'ä'.repeat(bytes / 2)

const refused = (error: unknown): boolean => {
  assert.ok(error instanceof SondeError && error.kind === 'invalid', String(error))
  const said = error instanceof InvalidInput ? JSON.stringify(error.fields) : error.message
  return said.includes(`has at most ${MAX_NAME_BYTES} bytes`)
}

describe('the name of a file', () => {
  let harness: UploadHarness
  before(async () => {
    harness = await openUploadHarness()
  })
  after(() => harness.close())

  const grant = () => harness.deps().access.openOrg(operatorViewer, 'acme', 'release:write')

  it('of a release has at most so many bytes', async () => {
    const save = async (given: string) =>
      saveReleaseFile(
        harness.deps(),
        await grant(),
        { version: '1', name: given, dist: '', headers: [] },
        Buffer.from('run()'),
      )
    await createRelease(harness.deps(), await grant(), { version: '1', projects: ['shop'] })
    const longest = name(MAX_NAME_BYTES)
    await save(longest)
    assert.ok((await harness.files()).some(({ url }) => url === longest))
    await save(wide(MAX_NAME_BYTES))
    await assert.rejects(save(name(MAX_NAME_BYTES + 1)), refused)
    await assert.rejects(save(wide(MAX_NAME_BYTES + 2)), refused)
  })

  it('in a commit, too', async () => {
    const put = async (path: string) =>
      createRelease(harness.deps(), await grant(), {
        version: '2',
        projects: ['shop'],
        commits: [{ id: 'a1', patch_set: [{ path, type: 'M' }] }],
      })
    await put(name(MAX_NAME_BYTES))
    await assert.rejects(put(name(MAX_NAME_BYTES + 1)), refused)
  })
})
