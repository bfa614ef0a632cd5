/**
 * Weighs what the reporter costs a visitor: each entry of packages/browser/size and of the add-on for Sentry's SDK, bundled and minified as an app's
 * bundler does it, in gzip bytes. A bundle that grew fails, and so does a limit that the code is 5 % under.
 */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

export type Budget = {
  /** In the folder `size` of the package. */
  readonly entry: string
  /** `browser` unless told. */
  readonly package?: string
  readonly what: string
  readonly maxGzipBytes: number
}

/**
 * In bytes after `gzip -9`, kilobytes of a thousand: what people compare. The second and the third are where we are, not
 * where we want to be (7,500 and 13,000): docs/decisions/0099-what-of-the-reporter-could-come-later.md.
 */
export const REPORTER_BUDGETS: readonly Budget[] = [
  { entry: 'errors', what: 'errors only', maxGzipBytes: 4500 },
  { entry: 'tracing', what: 'errors, breadcrumbs, tracing', maxGzipBytes: 9150 },
  { entry: 'all', what: 'all, with web vitals, attribution and navigations', maxGzipBytes: 19_200 },
  { entry: 'sessions', what: 'errors and sessions', maxGzipBytes: 4900 },
  // Without the SDK. The goal was 4,000: docs/decisions/0064-weight-of-the-sentry-add-on.md.
  {
    entry: 'navigations',
    package: 'sentry-integration',
    what: 'add-on for Sentry, navigations alone',
    maxGzipBytes: 7350,
  },
  {
    entry: 'everything',
    package: 'sentry-integration',
    what: 'add-on for Sentry, everything',
    maxGzipBytes: 10_300,
  },
]

export function budgetProblems({ what, maxGzipBytes }: Budget, gzipBytes: number): string[] {
  if (gzipBytes > maxGzipBytes) return [`${what}: ${gzipBytes} bytes gzipped, allowed are ${maxGzipBytes}`]
  if (gzipBytes < maxGzipBytes * 0.95)
    return [`${what}: ${gzipBytes} bytes gzipped; lower its limit of ${maxGzipBytes} in reporter-sizes.ts`]
  return []
}

export async function checkReporterSizes(root: string): Promise<string[]> {
  const problems: string[] = []
  for (const budget of REPORTER_BUDGETS) {
    const { gzipBytes } = await weighEntry(root, entryPath(root, budget.entry, budget.package))
    problems.push(...budgetProblems(budget, gzipBytes))
  }
  return problems
}

/** Gzip bytes of a bundle of one file with everything it imports. */
export async function weighEntry(root: string, path: string): Promise<{ gzipBytes: number; code: string }> {
  const bundle = await rolldown({
    input: path,
    cwd: root,
    platform: 'browser',
    resolve: { conditionNames: ['@sonde/source', 'import', 'browser', 'default'] },
    transform: { target: 'es2020', define: { 'process.env.NODE_ENV': '"production"' } },
    onLog(level, log, report) {
      if (level === 'warn') report('error', log)
    },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
  const { code } = output[0]
  return { gzipBytes: gzipSync(code, { level: 9 }).length, code }
}

export const entryPath = (root: string, entry: string, name = 'browser'): string =>
  join(root, 'packages', name, 'size', `${entry}.ts`)
