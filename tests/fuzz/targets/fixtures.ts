/** Files of `fixtures/` as seeds. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'fixtures')

export const fixture = (path: string): Buffer => readFileSync(join(FIXTURES, path))

/** All files below the folder that are no longer than this, by path. Throws when there are none. */
export function fixturesIn(folder: string, maxBytes: number, ends = ''): readonly Buffer[] {
  const found = readdirSync(join(FIXTURES, folder), { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((path) => join(FIXTURES, folder, path))
    .filter((path) => path.endsWith(ends) && statSync(path).isFile() && statSync(path).size <= maxBytes)
  if (found.length === 0) throw new Error(`no files of at most ${maxBytes} bytes below fixtures/${folder}`)
  return found.map((path) => readFileSync(path))
}
