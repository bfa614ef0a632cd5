import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { privateReferences } from './published.ts'

function referencesIn(files: Readonly<Record<string, string>>): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-published-'))
  try {
    mkdirSync(join(dir, 'dist', 'types'), { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, 'dist', name), text)
    return privateReferences(dir)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

test('a published file that imports the private package fails, in code and in types', () => {
  for (const [name, text] of [
    ['index.js', "import { parseDsn } from '@sonde/protocol'\n"],
    ['index.js', 'export*from"@sonde/protocol/dsn"\n'],
    ['types/a.d.ts', "export declare const dsn: import('@sonde/protocol/dsn').Dsn\n"],
  ] as const)
    assert.equal(referencesIn({ [name]: text }).length, 1, text)
})

test('other imports, and a comment that names it, pass', () => {
  assert.deepEqual(
    referencesIn({ 'index.js': "// like @sonde/protocol\nimport { onLCP } from 'web-vitals'\n" }),
    [],
  )
})
