/** What of a suite runs in one process. */
import { spawnSync } from 'node:child_process'
import { NODE, ROOT } from '../setup.mjs'

/** `{ suite, name, files }` each; those of most files first, since they take longest. */
export function jobsOf(suite, only) {
  if (suite.command) return only === undefined ? [{ suite, name: suite.name, files: [] }] : []
  const files = suite.files.flatMap((pattern) => glob(pattern)).sort()
  const alone = suite.alone ?? []
  const moved = alone.filter((path) => !files.some((file) => file.startsWith(path)))
  if (moved.length > 0) throw new Error(`scripts/test/suites.mjs: nothing is at ${moved.join(', ')}`)
  const groups = new Map()
  for (const file of files.filter((path) => only === undefined || path.startsWith(only))) {
    const name = alone.some((path) => file.startsWith(path)) ? file : (suite.together?.(file) ?? file)
    groups.set(name, [...(groups.get(name) ?? []), file])
  }
  return [...groups]
    .map(([name, group]) => ({ suite, name, files: group }))
    .sort((a, b) => b.files.length - a.files.length)
}

/** Asks Node 24, which is installed by now: Node 20 has no `fs.globSync`. */
function glob(pattern) {
  const script = `console.log(JSON.stringify(require('fs').globSync(${JSON.stringify(pattern)})))`
  return JSON.parse(spawnSync(NODE, ['-e', script], { cwd: ROOT, encoding: 'utf8' }).stdout)
}
