import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** A folder of its own, gone after the test file. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-stores-'))
  after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
