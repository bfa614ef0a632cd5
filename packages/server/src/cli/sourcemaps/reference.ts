/** What the reference of `sonde sourcemaps` is made from. */
import { COMMANDS } from '../commands.ts'

export { BUNDLE_PROBLEMS, PROBLEM_TEXTS } from '@sonde/cli'

export const SOURCEMAPS_COMMANDS = COMMANDS.filter(
  ({ words }) => words[0] === 'sourcemaps' && words[1] !== 'upload',
)

/** What `--release` and `--json` of the server's own say; the others say it themselves. */
const OPTION_TEXTS: Readonly<Record<string, string>> = {
  release: 'Only events of this release.',
  json: 'The answer as JSON, on standard output; all else goes to standard error.',
}

/** A sentence for the table; empty: nobody wrote one. */
export const optionText = (name: string, { about }: { readonly about?: string }): string =>
  about ?? OPTION_TEXTS[name] ?? ''
