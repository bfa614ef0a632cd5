/** A build of a site that people's tabs run, what came after it, and the rows by which other SDKs show one. */

export type Build = {
  /** The release, or what the reporter was told, or the name of the entry script. */
  readonly build: string
  readonly environment: string
  readonly firstMs: number
  readonly lastMs: number
  /** Since when it is or was served, the last time. */
  readonly servedMs: number
  /** When it came: its first page, and each time that a rollback brought it back. Oldest first; ends with `servedMs`. */
  readonly cameMs: readonly number[]
  /** Its pages say that they are open: the reporter's `tabs()`. */
  readonly tellsTabs: boolean
}

/** Before it is known when it was served. */
export type SeenBuild = Omit<Build, 'servedMs' | 'cameMs'>

/** The first that its environment served after it, and since when; undefined: it is what is served now. */
export function nextBuild(
  builds: readonly Build[],
  { build, environment, servedMs }: Pick<Build, 'build' | 'environment' | 'servedMs'>,
): Pick<Build, 'build' | 'servedMs'> | undefined {
  return builds
    .filter((each) => each.environment === environment && each.build !== build)
    .flatMap((each) => each.cameMs.map((cameMs) => ({ build: each.build, servedMs: cameMs })))
    .filter((each) => each.servedMs > servedMs)
    .toSorted((a, b) => a.servedMs - b.servedMs)[0]
}

/** SDKs of pages, whose sessions are visits of a site. Servers and apps on phones have releases too, and no tabs. */
const BROWSER_SDKS = [
  'sonde.javascript.browser',
  ...[
    'angular',
    'astro',
    'browser',
    'ember',
    'gatsby',
    'nextjs',
    'nuxt',
    'react',
    'react-router',
    'remix',
    'solid',
    'solidstart',
    'svelte',
    'sveltekit',
    'tanstackstart-react',
    'vue',
  ].map((name) => `sentry.javascript.${name}`),
] as const

/** One visit each: what a server counted of a minute is none. Of the table `sessions`. */
export const BROWSER_SESSIONS_SQL = `status != 'counted' AND release != '' AND sdk_name IN (${BROWSER_SDKS.map((name) => `'${name}'`).join(', ')})`
/** Page loads and navigations of any SDK. One range of the ordering key of `spans` for each op. */
export const PAGE_SEGMENTS_SQL = `is_segment = 1 AND op IN ('pageload', 'navigation') AND release != ''`
