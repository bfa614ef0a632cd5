/** Builds the Go shop with what its go.sum pins; a second build takes a moment. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SOURCES = join(import.meta.dirname, '..', 'go')
const BINARY = join(ROOT, '.cache', 'compat', 'go-shop')

/** Path of the program. Throws with what the compiler said. */
export function buildGoShop(go: string): string {
  const done = spawnSync(go, ['build', '-mod=readonly', '-o', BINARY, '.'], {
    cwd: SOURCES,
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  })
  if (done.status !== 0) throw new Error(`${go} build failed: ${done.error?.message ?? done.stderr}`)
  return BINARY
}
