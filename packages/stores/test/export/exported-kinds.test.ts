import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXPORTED_RECORDS, recordShapes } from '../../src/index.ts'

/** Words in the names of columns that hold what signs somebody in, or what is sealed. */
const SUSPICIOUS = /hash|token|secret|password|challenge|backup_?codes|auth|p256dh|credential|private|code\b/i
/** What has such a name and may go along. */
const HARMLESS: Readonly<Record<string, string>> = {
  'issue_hash.hash': 'a fingerprint of events',
  'discarded_hash.hash': 'a fingerprint of events',
  'issue_merge.hashes': 'fingerprints of events',
  'source_commit.author_name': 'who wrote a commit',
  'source_commit.author_email': 'who wrote a commit',
}

test('every table of the records is exported, or says why not', () => {
  assert.deepEqual([...recordShapes().keys()].toSorted(), Object.keys(EXPORTED_RECORDS).toSorted())
})

test('every table of the records that is exported has a key, and names columns that it has', () => {
  const shapes = recordShapes()
  for (const [table, way] of Object.entries(EXPORTED_RECORDS)) {
    if ('none' in way) continue
    const shape = shapes.get(table)
    assert.ok((shape?.key.length ?? 0) > 0, table)
    for (const column of [...(way.without ?? []), ...(way.blobs ?? [])])
      assert.ok(shape?.columns.includes(column), `${table}.${column}`)
    for (const column of shape?.key ?? []) assert.ok(!way.without?.includes(column), `${table}.${column}`)
  }
})

test('a column whose name sounds like a secret is left out, or is listed as harmless', () => {
  const found: string[] = []
  for (const [table, { columns }] of recordShapes()) {
    const way = EXPORTED_RECORDS[table]
    if (!way || 'none' in way) continue
    for (const column of columns)
      if (SUSPICIOUS.test(column) && !way.without?.includes(column)) found.push(`${table}.${column}`)
  }
  assert.deepEqual(found.toSorted(), Object.keys(HARMLESS).toSorted())
})

test('a column that names a blob brings its file along', () => {
  for (const [table, { columns }] of recordShapes()) {
    const way = EXPORTED_RECORDS[table]
    if (!way || 'none' in way) continue
    const blobs = columns.filter((column) => /(?:^|_)blob$/.test(column))
    assert.deepEqual(blobs, way.blobs ?? [], table)
  }
})
