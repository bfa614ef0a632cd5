/** Bugsink as PyPI has it, below `.cache/`. It is run, and nobody reads it: its licence is not ours. */
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePython } from '../../scripts/test/compat-tools.mjs'

export const BUGSINK_VERSION = '2.6.2'
const FOLDER = join(import.meta.dirname, '..', '..', '.cache', 'peers', `bugsink-${BUGSINK_VERSION}`)

export type Installed = {
  readonly python: string
  /** For PYTHONPATH. */
  readonly folder: string
}

/** Throws an `Error` that says what to do. */
export function installBugsink(): Installed {
  const python = ensurePython()
  if (existsSync(FOLDER)) return { python, folder: FOLDER }
  console.error(`Installing Bugsink ${BUGSINK_VERSION}…`)
  const draft = `${FOLDER}-${process.pid}`
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', draft]
  const done = spawnSync(python, [...args, `bugsink==${BUGSINK_VERSION}`], { encoding: 'utf8' })
  if (done.status !== 0) {
    rmSync(draft, { recursive: true, force: true })
    throw new Error(`Bugsink cannot be installed from PyPI: ${done.stderr.trim().split('\n').at(-1)}`)
  }
  renameSync(draft, FOLDER)
  return { python, folder: FOLDER }
}
