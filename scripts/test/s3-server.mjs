/**
 * A real S3 server for tests: nanio, from wheels that hold no compiled code, pinned by hash and put below `.cache/`. Why
 * this one: docs/decisions/0032-blobs-on-s3.md
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../setup.mjs'
import { ensurePython } from './compat-tools.mjs'

const WHEELS = join(ROOT, 'scripts', 'test', 's3-wheels.txt')

/** How it is started: a Python, and the folder for its PYTHONPATH. Throws an `Error` that says what to do. */
export function ensureS3Server() {
  const stamp = createHash('sha256').update(readFileSync(WHEELS)).digest('hex').slice(0, 16)
  const folder = join(ROOT, '.cache', 's3', stamp)
  const python = ensurePython()
  if (existsSync(folder)) return { python, folder }
  process.stderr.write('Installing an S3 server for the tests…\n')
  const draft = `${folder}-${process.pid}`
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--require-hashes',
  ]
  const done = spawnSync(python, [...pip, '--target', draft, '-r', WHEELS], { encoding: 'utf8' })
  if (done.status !== 0) {
    const why = done.error?.message ?? done.stderr.trim().split('\n').slice(-5).join('\n')
    throw new Error(`The S3 server for the tests cannot be installed; it needs Python 3.11 or newer: ${why}`)
  }
  try {
    renameSync(draft, folder)
  } catch {
    // Another process was first: what it made is the same.
    rmSync(draft, { recursive: true, force: true })
  }
  return { python, folder }
}
