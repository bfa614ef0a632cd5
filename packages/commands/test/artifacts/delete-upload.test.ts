import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { ensureProject, deleteUpload } from '@sonde/commands'
import { bundleZip, goodParts, openUploadHarness } from './upload-harness.ts'

test('an upload that was deleted is gone with its files, and may come again', async (t) => {
  const harness = await openUploadHarness()
  t.after(() => harness.close())
  const sent = await harness.send(await bundleZip(goodParts()))
  await harness.assemble(sent)
  const [bundle] = await harness.bundles()
  assert.ok(bundle)
  const project = { org: 'acme', project: 'shop' }
  const other = await ensureProject(harness.deps(), operatorViewer, { org: 'acme', slug: 'without' })
  const remove = async (which: { org: string; project: string }) => {
    const grant = await harness
      .deps()
      .access.openProject(operatorViewer, which.org, which.project, 'release:write')
    return deleteUpload(harness.deps(), grant, { id: bundle.id })
  }
  await assert.rejects(remove({ org: 'acme', project: other.slug }), { kind: 'not-found' })
  const viewer = await harness.viewer('acme', 'viewer')
  await assert.rejects(
    harness
      .deps()
      .access.openProject(viewer, project.org, project.project, 'release:write')
      .then((grant) => deleteUpload(harness.deps(), grant, { ...project, id: bundle.id })),
    {
      kind: 'forbidden',
    },
  )
  assert.equal((await harness.files()).length, 2)

  await remove(project)
  assert.deepEqual([await harness.bundles(), await harness.files()], [[], []])
  assert.notDeepEqual(await harness.db.selectFrom('blob_garbage').selectAll().execute(), [])
  assert.ok((await harness.audit()).includes('operator:cli artifact.delete acme/shop'))
  await assert.rejects(remove(project), { kind: 'not-found' })

  const { checksum, chunks } = await harness.send(await bundleZip(goodParts()))
  assert.deepEqual(await harness.assemble({ checksum, chunks }), { state: 'ok' })
  assert.equal((await harness.files()).length, 2)
})
