/**
 * Fails on source files over 500 lines without a stated reason, on names that say nothing, and on a comment between imports:
 * the formatter sorts a file's first comment away with the import below it.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sourceFiles } from './sources.ts'

const MAX_LINES = 500
const EMPTY_NAMES = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc'])
/** Path → why it may be longer. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'packages/server/src/back/back-modules.ts':
    'one literal list of all modules of the process, in their order',
}

export function checkFiles(
  files: Iterable<{ path: string; text: string }>,
  longFiles: Readonly<Record<string, string>> = LONG_FILES,
): string[] {
  const problems: string[] = []
  for (const { path, text } of files) {
    const lines = text.split('\n').length
    if (lines > MAX_LINES && !longFiles[path])
      problems.push(`${path}: ${lines} lines (at most ${MAX_LINES}, or say why in LONG_FILES)`)
    if (hasCommentAmongImports(text)) problems.push(`${path}: what the file is stands above all imports`)
    const parts = path.split('/').slice(0, -1)
    const name = basename(path).replace(/\..*$/, '')
    for (const part of [...parts, name]) {
      if (EMPTY_NAMES.has(part)) problems.push(`${path}: "${part}" says nothing; name what it holds`)
    }
  }
  return problems
}

function hasCommentAmongImports(text: string): boolean {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith('import '))
  return lines.some((line, at) => {
    if (first < 0 || at < first || !line.startsWith('/**')) return false
    const end = lines.findIndex((other, index) => index >= at && other.includes('*/'))
    return lines[end + 1]?.startsWith('import ') === true
  })
}

export const loadFiles = (root: string) =>
  sourceFiles(root).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
