/** Builds a Go program with what its go.sum pins; a second build takes a moment. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Path of the program that is built of the folder `sources`. Throws with what the compiler said. */
export function buildGo(go: string, sources: string, name: string): string {
  const binary = join(ROOT, '.cache', 'compat', name)
  const done = spawnSync(go, ['build', '-mod=readonly', '-o', binary, '.'], {
    cwd: sources,
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  })
  if (done.status !== 0) throw new Error(`${go} build failed: ${done.error?.message ?? done.stderr}`)
  return binary
}
