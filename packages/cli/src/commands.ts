/** What any machine can do: of a build, of a site, or of a Sonde by its address. In the order of the help. */
import type { Command } from './arguments.ts'

export const CLI_COMMANDS: readonly Command[] = [
  {
    words: ['sourcemaps', 'verify'],
    usage:
      'DIR|URL [--pages N] [--host HOST,…] [--manifest URL] [--url URL --org ORG --project PROJECT --token TOKEN] [--format text|json|github|gitlab] [--json]',
    help: 'says for each script of a build, or of a live site, whether errors in it will be readable; exit code 1 when one will not',
    options: {
      pages: { type: 'string' },
      host: { type: 'string' },
      manifest: { type: 'string' },
      url: { type: 'string' },
      org: { type: 'string' },
      project: { type: 'string' },
      token: { type: 'string' },
      format: { type: 'string' },
      json: { type: 'boolean' },
    },
    positionals: { min: 1, max: 1 },
    load: async () => (await import('./sourcemaps/verify-command.ts')).run,
  },
]
