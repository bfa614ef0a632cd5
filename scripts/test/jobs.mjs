/** What of a suite runs in one process. */
import { spawnSync } from 'node:child_process'
import { NODE, ROOT } from '../setup.mjs'

/** `{ suite, name, files }` each; those that share a process first, since they take longest. */
export function jobsOf(suite, only) {
  if (suite.command) return only === undefined ? [{ suite, name: suite.name, files: [] }] : []
  const files = suite.files
    .flatMap((pattern) => glob(pattern))
    .filter((path) => only === undefined || path.startsWith(only))
    .sort()
  const shared = new Map()
  const single = []
  for (const file of files) {
    const group = suite.together && !suite.alone.includes(file) ? suite.together(file) : undefined
    if (group === undefined) single.push({ suite, name: file, files: [file] })
    else shared.set(group, [...(shared.get(group) ?? []), file])
  }
  const together = [...shared].map(([name, group]) => ({ suite, name, files: group }))
  return [...together, ...single]
}

/** Asks Node 24, which is installed by now: Node 20 has no `fs.globSync`. */
function glob(pattern) {
  const script = `console.log(JSON.stringify(require('fs').globSync(${JSON.stringify(pattern)})))`
  return JSON.parse(spawnSync(NODE, ['-e', script], { cwd: ROOT, encoding: 'utf8' }).stdout)
}
