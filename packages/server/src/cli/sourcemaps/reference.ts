/** What the reference of `sonde sourcemaps` is made from. */
import { COMMANDS } from '../commands.ts'

export { BUNDLE_PROBLEMS, PROBLEM_TEXTS } from '@sonde/cli'

export const SOURCEMAPS_COMMANDS = COMMANDS.filter(
  ({ words }) => words[0] === 'sourcemaps' && words[1] !== 'upload',
)

/** Every option of theirs. */
export const OPTION_TEXTS: Readonly<Record<string, string>> = {
  url: 'The Sonde; without it what the token says, or `SONDE_URL`, `SENTRY_URL`.',
  org: 'The organization; without it what the token says, or `SONDE_ORG`, `SENTRY_ORG`.',
  project: 'Not needed: debug ids are looked up in the organization.',
  token:
    'Better given as `SONDE_AUTH_TOKEN` or `SENTRY_AUTH_TOKEN`: others see command lines. Scope `org:ci`.',
  pages:
    'Of a site: how many pages are read, 1 without it, 1,000 at most: the one that was named, then those that links lead to. For sites whose pages load chunks of their own.',
  host: 'Of a page: other hosts whose scripts are read too, with commas between them.',
  manifest:
    'Of a page: the address of a manifest of its bundler, whose scripts are read too. `.vite/manifest.json` and `asset-manifest.json` beside the page are found without it.',
  format:
    '`text`, `json`; `github`: each problem as an annotation of a GitHub workflow; `gitlab`: a Code Quality report.',
  release: 'Only events of this release.',
  json: 'The answer as JSON, on standard output; all else goes to standard error.',
}
