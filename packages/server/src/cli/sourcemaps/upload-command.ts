/** `sonde sourcemaps upload` was a second sentry-cli: it says what to run instead. */
import { type CommandInput, note } from '@sonde/cli'

export function run({ positionals }: CommandInput): Promise<number> {
  const folder = positionals[0] ?? 'dist'
  note(
    [
      'sonde sourcemaps upload was removed: sentry-cli does the same.',
      '',
      `  npx @sentry/cli sourcemaps inject ${folder}`,
      `  npx @sentry/cli sourcemaps upload ${folder}`,
      '',
      'It reads SENTRY_URL, SENTRY_AUTH_TOKEN, SENTRY_ORG and SENTRY_PROJECT. docs/operate/source-maps.md says more.',
    ].join('\n'),
  )
  return Promise.resolve(2)
}
