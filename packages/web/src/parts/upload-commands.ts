/** Commands and settings that bring source maps to this Sonde, ready to be pasted: everything is filled in but the token. */

export type UploadPlace = {
  /** Under which builds reach this Sonde. */
  readonly url: string
  readonly org: string
  readonly project: string
}

/** For files that are looked up by release, dist and address; without it debug ids tie code and map. */
export type ByRelease = {
  readonly release: string
  /** Empty: none. */
  readonly dist: string
  /** Where the scripts of the page lie: `~/static/js`. */
  readonly urlPrefix: string
}

const FOLDER = './dist'
const TOKEN = 'export SENTRY_AUTH_TOKEN=…'

/** Debug ids into the files that are then deployed. */
export const sentryCliInject = ({ url }: UploadPlace): string =>
  `npx @sentry/cli --url ${shellWord(url)} sourcemaps inject ${FOLDER}`

export const sentryCliUpload = (place: UploadPlace, byRelease?: ByRelease): string =>
  `${TOKEN}\nnpx @sentry/cli --url ${shellWord(place.url)} sourcemaps upload ${target(place, byRelease)} ${FOLDER}`

/** Symbols of native programs, and mappings of obfuscated ones. */
export const sentryCliDebugFiles = (place: UploadPlace): string =>
  `${TOKEN}\nnpx @sentry/cli --url ${shellWord(place.url)} debug-files upload ${target(place, undefined)} ./symbols`

export const sondeVerify = (): string => `sonde sourcemaps verify ${FOLDER}`

function target({ org, project }: UploadPlace, byRelease: ByRelease | undefined): string {
  const options: [string, string][] = [
    ['--org', org],
    ['--project', project],
  ]
  if (byRelease) {
    const { release, dist, urlPrefix } = byRelease
    options.push(['--release', release])
    if (dist !== '') options.push(['--dist', dist])
    options.push(['--url-prefix', urlPrefix])
  }
  return options.map(([name, value]) => `${name} ${shellWord(value)}`).join(' ')
}

/** As one word of a POSIX shell: names of releases come from outside and may hold anything. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9@%+=:,./_][A-Za-z0-9@%+=:,./_-]*$/.test(text)
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`
}

export type BundlerSetup = {
  readonly id: 'vite' | 'webpack' | 'nextjs' | 'esbuild'
  readonly name: string
  readonly install: string
  readonly file: string
  readonly code: (place: UploadPlace) => string
}

const options = ({ url, org, project }: UploadPlace, indent: string): string =>
  [
    `url: ${quote(url)},`,
    `org: ${quote(org)},`,
    `project: ${quote(project)},`,
    'authToken: process.env.SENTRY_AUTH_TOKEN,',
  ]
    .map((text) => indent + text)
    .join('\n')

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export const BUNDLERS: readonly BundlerSetup[] = [
  {
    id: 'vite',
    name: 'Vite',
    install: 'npm install --save-dev @sentry/vite-plugin',
    file: 'vite.config.ts',
    code: (place) => `import { sentryVitePlugin } from '@sentry/vite-plugin'

export default defineConfig({
  build: { sourcemap: 'hidden' },
  plugins: [
    // after all others
    sentryVitePlugin({
${options(place, '      ')}
    }),
  ],
})`,
  },
  {
    id: 'webpack',
    name: 'webpack',
    install: 'npm install --save-dev @sentry/webpack-plugin',
    file: 'webpack.config.js',
    code: (place) => `const { sentryWebpackPlugin } = require('@sentry/webpack-plugin')

module.exports = {
  devtool: 'hidden-source-map',
  plugins: [
    sentryWebpackPlugin({
${options(place, '      ')}
    }),
  ],
}`,
  },
  {
    id: 'nextjs',
    name: 'Next.js',
    install: 'npm install @sentry/nextjs',
    file: 'next.config.ts',
    code: (place) => `import { withSentryConfig } from '@sentry/nextjs'

export default withSentryConfig(nextConfig, {
  sentryUrl: ${quote(place.url)},
  org: ${quote(place.org)},
  project: ${quote(place.project)},
  authToken: process.env.SENTRY_AUTH_TOKEN,
})`,
  },
  {
    id: 'esbuild',
    name: 'esbuild',
    install: 'npm install --save-dev @sentry/esbuild-plugin',
    file: 'build.js',
    code: (place) => `const { sentryEsbuildPlugin } = require('@sentry/esbuild-plugin')

require('esbuild').build({
  sourcemap: 'external',
  plugins: [
    sentryEsbuildPlugin({
${options(place, '      ')}
    }),
  ],
})`,
  },
]
