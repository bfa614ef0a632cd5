/** Inputs that once showed a defect. They are kept, and run first in every run: `fixtures/fuzz/<target>/<name>`. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const FINDS = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'fuzz')

export type KeptFind = { readonly name: string; readonly input: Buffer }

export function keptFinds(target: string): readonly KeptFind[] {
  const folder = join(FINDS, target)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, input: readFileSync(join(folder, name)) }))
}

/** Its path. The name begins with what was wrong; rename it to what the input is when the defect is understood. */
export function keepFind(target: string, signature: string, input: Uint8Array): string {
  const what = signature
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
  const hash = createHash('sha256').update(input).digest('hex').slice(0, 12)
  mkdirSync(join(FINDS, target), { recursive: true })
  const path = join(FINDS, target, `${what}-${hash}`)
  writeFileSync(path, input)
  return path
}
