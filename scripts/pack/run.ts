/** Writes the release archive and its checksum, or with `--folder` what would be in it. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { archiveName, stageArchive } from './stage-archive.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const { values } = parseArgs({ options: { folder: { type: 'string' } } })

if (values.folder !== undefined) {
  stageArchive(ROOT, resolve(values.folder))
  console.log(`${resolve(values.folder)} is ready: node sonde.mjs start`)
} else {
  const release = join(ROOT, 'release')
  mkdirSync(release, { recursive: true })
  // Beside the archive, so that the engine's library can be linked instead of copied.
  const scratch = mkdtempSync(join(release, 'unfinished-'))
  try {
    const name = archiveName(ROOT)
    stageArchive(ROOT, join(scratch, name))
    console.log('Compressing 600 MB (usually 20 to 60 s)…')
    const archive = join(release, `${name}.tar.gz`)
    const done = spawnSync('tar', ['-czf', archive, '-C', scratch, name], { stdio: 'inherit' })
    if (done.status !== 0) throw new Error(`tar failed: ${done.error?.message ?? `status ${done.status}`}`)
    const hash = createHash('sha256')
    await pipeline(createReadStream(archive), hash)
    writeFileSync(`${archive}.sha256`, `${hash.digest('hex')}  ${basename(archive)}\n`)
    console.log(`${archive}\nand its checksum beside it. docs/operate/release-archive.md says how it is run.`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
