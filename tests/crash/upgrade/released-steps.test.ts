import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { dataFolderNames, unpackDataFolder } from './data-folder.ts'
import { keptHashes, presentHashes } from './released-steps.ts'

const STORES = ['records', 'telemetry'] as const

void test('a step that a data folder was made with is never edited or taken out', () => {
  const [kept, present] = [keptHashes(), presentHashes()]
  for (const store of STORES)
    for (const [name, hash] of Object.entries(kept[store]))
      assert.equal(
        present[store][name],
        hash,
        `${name} of the ${store} is released: take the edit back and append a step that does it`,
      )
})

void test('every step of every kept data folder is among those', () => {
  const kept = keptHashes()
  for (const folder of dataFolderNames()) {
    const dir = mkdtempSync(join(tmpdir(), 'sonde-steps-'))
    const manifest = unpackDataFolder(folder, dir)
    rmSync(dir, { recursive: true })
    for (const store of STORES)
      for (const step of manifest[store].steps)
        assert.ok(kept[store][step], `${step} of the ${store} in ${folder} is not in steps.json`)
  }
})
