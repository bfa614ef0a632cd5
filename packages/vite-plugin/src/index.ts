/**
 * Builds with Vite for Sonde: the maps of scripts go there with debug ids, and pages begin to report without a line of code. What
 * `@sonde/cli` does for every build, at the right moment of this one.
 */
import { execFileSync } from 'node:child_process'
import { hasToken, uploadSourceMaps } from '@sonde/cli/sourcemaps'
import type { Plugin, ResolvedConfig } from 'vite'

export type SondeOptions = {
  /** Of the project: `shop`. Without it `SONDE_PROJECT` or `SENTRY_PROJECT`; without any nothing is uploaded. */
  readonly project?: string | undefined
  /** Of the Sonde. Without it what the token says, or `SONDE_URL`, `SENTRY_URL`. */
  readonly url?: string | undefined
  readonly org?: string | undefined
  /** Without it `SONDE_AUTH_TOKEN` or `SENTRY_AUTH_TOKEN`; without any nothing is uploaded. */
  readonly token?: string | undefined
  /** What this build is called. Without it `SONDE_RELEASE`, else the commit of git; false: nothing. */
  readonly release?: string | false | undefined
  /** Deletes the maps after the upload, so that nobody deploys them: true unless given. */
  readonly deleteMaps?: boolean | undefined
  /** `warn`: a build whose upload fails is a build all the same. `fail` unless given: its errors could not be read. */
  readonly onUploadError?: 'fail' | 'warn' | undefined
  /**
   * Begins to report in every page, before anything else runs, with `@sonde/browser`. `features`: names of its features.
   * Without it the application calls `init` itself.
   */
  readonly init?:
    | {
        readonly dsn: string
        readonly environment?: string | undefined
        readonly tunnel?: string | undefined
        readonly tracesSampleRate?: number | undefined
        readonly features?: readonly ('breadcrumbs' | 'tracing' | 'navigations' | 'vitals' | 'offlineQueue')[]
      }
    | undefined
}

const NAME = 'sonde'

/** Two plugins for `plugins: [sonde({ … })]`; put it last. */
export function sonde(options: SondeOptions = {}): Plugin[] {
  const { init, onUploadError = 'fail', deleteMaps = true } = options
  const release = options.release === false ? undefined : (options.release ?? releaseOf())
  const project = options.project ?? process.env['SONDE_PROJECT'] ?? process.env['SENTRY_PROJECT']
  const uploads = hasToken(options) && project !== undefined && project !== ''
  let config: ResolvedConfig | undefined

  const upload: Plugin = {
    name: `${NAME}:upload`,
    apply: 'build',
    enforce: 'post',
    // Hidden: browsers look for no map, since there is none.
    config: ({ build }) =>
      uploads && build?.sourcemap === undefined ? { build: { sourcemap: 'hidden' } } : undefined,
    configResolved(resolved) {
      config = resolved
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        const folder = dir ?? config?.build.outDir
        if (!uploads || folder === undefined) return
        try {
          const { url, org, token } = options
          const sent = await uploadSourceMaps({ folder, project, url, org, token, release, deleteMaps })
          config?.logger.info(
            sent.scripts === 0
              ? 'sonde: no source maps in this build'
              : `sonde: ${sent.scripts} scripts with their maps are in ${project}${deleteMaps ? '; maps deleted' : ''}`,
          )
        } catch (error) {
          const text = `sonde: the source maps were not uploaded: ${(error as Error).message}`
          if (onUploadError === 'fail') this.error(text)
          else this.warn(text)
        }
      },
    },
  }
  if (init === undefined) return [upload]
  const page: Plugin = {
    name: `${NAME}:init`,
    transformIndexHtml: {
      // Before Vite looks at the scripts of the page: it bundles this one too.
      order: 'pre',
      handler: () => [
        {
          tag: 'script',
          attrs: { type: 'module' },
          children: initScript(init, release),
          injectTo: 'head-prepend',
        },
      ],
    },
  }
  return [page, upload]
}

const DEFAULT_FEATURES = ['breadcrumbs', 'tracing', 'navigations', 'vitals'] as const

function initScript(init: NonNullable<SondeOptions['init']>, release: string | undefined): string {
  const { features = DEFAULT_FEATURES, ...given } = init
  const options = JSON.stringify({ ...given, release }).slice(1, -1)
  const calls = features.map((name) => `${name}()`).join(', ')
  // `</script>` in a text would end the script.
  const safe = options.replaceAll('<', String.raw`\u003c`)
  return `import { init, ${features.join(', ')} } from '@sonde/browser'\ninit({ ${safe}, features: [${calls}] })`
}

/** Undefined: no name, and no folder of git. */
function releaseOf(): string | undefined {
  const named = process.env['SONDE_RELEASE'] ?? process.env['SENTRY_RELEASE']
  if (named) return named
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return commit.trim() || undefined
  } catch {
    return undefined
  }
}
