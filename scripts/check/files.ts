/** Fails on source files over 500 lines without a stated reason, and on names that say nothing. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sourceFiles } from './sources.ts'

const MAX_LINES = 500
const EMPTY_NAMES = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc'])
/** Path → why it may be longer. */
export const LONG_FILES: Readonly<Record<string, string>> = {}

export function checkFiles(
  files: Iterable<{ path: string; text: string }>,
  longFiles: Readonly<Record<string, string>> = LONG_FILES,
): string[] {
  const problems: string[] = []
  for (const { path, text } of files) {
    const lines = text.split('\n').length
    if (lines > MAX_LINES && !longFiles[path])
      problems.push(`${path}: ${lines} lines (at most ${MAX_LINES}, or say why in LONG_FILES)`)
    const parts = path.split('/').slice(0, -1)
    const name = basename(path).replace(/\..*$/, '')
    for (const part of [...parts, name]) {
      if (EMPTY_NAMES.has(part)) problems.push(`${path}: "${part}" says nothing; name what it holds`)
    }
  }
  return problems
}

export const loadFiles = (root: string) =>
  sourceFiles(root).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
