/** `npm run check`: everything that a machine can hold against a change. Prints one line per check. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkBoundaries, loadProject } from './check/boundaries.ts'
import { checkCss } from './check/css.ts'
import { checkDeadCode } from './check/dead-code.ts'
import { checkDependencies } from './check/dependencies.ts'
import { checkDeploy } from './check/deploy-files.ts'
import { checkDocPaths } from './check/doc-paths.ts'
import { checkFacts } from './check/facts.ts'
import { checkFiles, loadFiles } from './check/files.ts'
import { checkPauses } from './check/pauses.ts'
import { checkPublished } from './check/published.ts'
import { checkAllRegexes } from './check/regexes.ts'
import { checkReporterSizes } from './check/reporter-sizes.ts'
import { loadRepository } from './check/repository.ts'
import { checkSizes } from './check/sizes.ts'
import { checkTestHooks } from './check/test-hooks.ts'
import { checkTypeCycles } from './check/type-cycles.ts'
import { checkWebRoutes } from './check/web-routes.ts'
import { generatedPages, stalePages } from './gen/pages.ts'
import { checkLicences } from './release/licences.ts'

const ROOT = join(import.meta.dirname, '..')
const { sources, styles, pages, manifests, exists } = loadRepository(ROOT)

function tool(command: string, args: readonly string[]): string[] {
  const done = spawnSync(join(ROOT, 'node_modules', '.bin', command), args, { cwd: ROOT, encoding: 'utf8' })
  return done.status === 0 ? [] : [`${done.stdout}${done.stderr}`.trim()]
}

const CHECKS: readonly { name: string; run: () => string[] | Promise<string[]> }[] = [
  { name: 'types', run: () => tool('tsc', ['--noEmit', '-p', '.']) },
  { name: 'lint', run: () => tool('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'format', run: () => tool('oxfmt', ['--check']) },
  { name: 'import table', run: () => checkBoundaries(loadProject(ROOT)) },
  { name: 'routes of the web package', run: () => checkWebRoutes(loadProject(ROOT).files) },
  { name: 'dependencies', run: () => checkDependencies(sources, manifests) },
  { name: 'dead code', run: () => checkDeadCode(sources, manifests) },
  { name: 'cycles of types', run: () => checkTypeCycles(sources) },
  { name: 'file lengths and names', run: () => checkFiles(loadFiles(ROOT)) },
  { name: 'hooks of tests', run: () => checkTestHooks(loadFiles(ROOT)) },
  { name: 'style sheets', run: () => checkCss(styles) },
  { name: 'files to deploy', run: () => checkDeploy(ROOT) },
  { name: 'paths in pages', run: () => checkDocPaths(pages, exists) },
  { name: 'regular expressions', run: () => checkAllRegexes(ROOT) },
  { name: 'pauses of tests', run: () => checkPauses(sources) },
  { name: 'facts table', run: () => checkFacts(ROOT) },
  { name: 'licences', run: () => checkLicences(ROOT) },
  { name: 'generated pages', run: async () => stalePages(ROOT, await generatedPages()) },
  { name: 'browser sizes', run: () => checkSizes(ROOT) },
  { name: 'reporter sizes', run: () => checkReporterSizes(ROOT) },
  { name: 'published packages', run: () => checkPublished(ROOT) },
]

let failed = 0
for (const check of CHECKS) {
  const startedMs = Date.now()
  const problems = await check.run()
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${Date.now() - startedMs} ms)`)
  for (const problem of problems) console.log(`     ${problem.replaceAll('\n', '\n     ')}`)
  if (problems.length > 0) failed++
}
if (!existsSync(join(ROOT, 'dist')))
  console.log('note: nothing is built, so sizes were not checked (npm run build)')
process.exit(failed === 0 ? 0 : 1)
