import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Of every file below, as `sha256sum --check` reads it; a list of its own that is there is left out. */
export function checksums(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'SHA256SUMS' && statSync(join(folder, name)).isFile())
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')
}
