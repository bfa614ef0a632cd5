/** What the steps of both schemas that a kept data folder has are made of: such a step is never edited. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS as RECORDS } from '../../../packages/stores/src/records/migrations.ts'
import { postgresStatements } from '../../../packages/stores/src/records/postgres/migrate-postgres.ts'
import { MIGRATIONS as TELEMETRY } from '../../../packages/stores/src/telemetry/migrations.ts'
import type { DataFolderManifest } from './data-folder.ts'

const FILE = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'data-folders', 'steps.json')
const STORES = ['records', 'telemetry'] as const
type Hashes = Readonly<Record<(typeof STORES)[number], Readonly<Record<string, string>>>>

const hashOf = (...statements: readonly (readonly string[])[]): string =>
  createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16)

/** Of every step that there is now. What PostgreSQL is told counts too. */
export const presentHashes = (): Hashes => ({
  records: Object.fromEntries(
    RECORDS.map((one) => [one.name, hashOf(one.statements, postgresStatements(one))]),
  ),
  telemetry: Object.fromEntries(TELEMETRY.map(({ name, statements }) => [name, hashOf(statements)])),
})

export const keptHashes = (): Hashes => JSON.parse(readFileSync(FILE, 'utf8')) as Hashes

/** Those of steps that a folder has and that were not kept before. */
export function keepHashes(manifest: Pick<DataFolderManifest, 'records' | 'telemetry'>): void {
  const [kept, present] = [keptHashes(), presentHashes()]
  const more = STORES.map((store) => {
    const names = manifest[store].steps.filter((name) => present[store][name] !== undefined)
    return [
      store,
      { ...Object.fromEntries(names.map((name) => [name, present[store][name]])), ...kept[store] },
    ]
  })
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(more), null, 2)}\n`)
}
