/**
 * `npm run packages:version`: what lies in `.changeset` becomes a version of the published packages and an entry of their
 * `CHANGELOG.md`; then the lock file. Commits nothing.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = process.cwd()
const run = (command: string, args: readonly string[]): void => {
  execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' })
}
run(join(ROOT, 'node_modules', '.bin', 'changeset'), ['version'])
run('npm', [
  'install',
  '--package-lock-only',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
])
console.log('Read the changelogs, commit, then: npm run packages')
