/** `sonde sourcemaps upload` is a command of builds, not of the machine of a Sonde: it says what to run there. */
import { type CommandInput, note } from '@sonde/cli'

export function run({ positionals }: CommandInput): Promise<number> {
  const folder = positionals[0] ?? 'dist'
  note(
    [
      'sonde sourcemaps upload was removed here: builds run elsewhere, with @sonde/cli or sentry-cli.',
      '',
      `  npx @sonde/cli sourcemaps upload ${folder}`,
      '',
      `  npx @sentry/cli sourcemaps inject ${folder}`,
      `  npx @sentry/cli sourcemaps upload ${folder}`,
      '',
      'Both read SENTRY_URL, SENTRY_AUTH_TOKEN, SENTRY_ORG and SENTRY_PROJECT. docs/operate/source-maps.md says more.',
    ].join('\n'),
  )
  return Promise.resolve(2)
}
