import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { ensureProject, deleteUpload } from '@sonde/commands'
import { bundleZip, goodParts, openUploadHouse } from './upload-house.ts'

test('an upload that was deleted is gone with its files, and may come again', async (t) => {
  const house = await openUploadHouse()
  t.after(() => house.close())
  const sent = await house.send(await bundleZip(goodParts()))
  await house.assemble(sent)
  const [bundle] = await house.bundles()
  assert.ok(bundle)
  const project = { org: 'acme', project: 'shop' }
  const other = await ensureProject(house.deps(), operatorViewer, { org: 'acme', slug: 'without' })
  const remove = async (which: { org: string; project: string }) => {
    const grant = await house
      .deps()
      .access.openProject(operatorViewer, which.org, which.project, 'release:write')
    return deleteUpload(house.deps(), grant, { id: bundle.id })
  }
  await assert.rejects(remove({ org: 'acme', project: other.slug }), { kind: 'not-found' })
  const viewer = await house.viewer('acme', 'viewer')
  await assert.rejects(
    house
      .deps()
      .access.openProject(viewer, project.org, project.project, 'release:write')
      .then((grant) => deleteUpload(house.deps(), grant, { ...project, id: bundle.id })),
    {
      kind: 'forbidden',
    },
  )
  assert.equal((await house.files()).length, 2)

  await remove(project)
  assert.deepEqual([await house.bundles(), await house.files()], [[], []])
  assert.notDeepEqual(await house.db.selectFrom('blob_garbage').selectAll().execute(), [])
  assert.ok((await house.audit()).includes('operator:cli artifact.delete acme/shop'))
  await assert.rejects(remove(project), { kind: 'not-found' })

  const { checksum, chunks } = await house.send(await bundleZip(goodParts()))
  assert.deepEqual(await house.assemble({ checksum, chunks }), { state: 'ok' })
  assert.equal((await house.files()).length, 2)
})
