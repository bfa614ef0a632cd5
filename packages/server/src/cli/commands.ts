/** Every command, in the order of the help. */
import type { Command } from './arguments.ts'

const NONE = { min: 0, max: 0 } as const
const JSON_OPTION = { json: { type: 'boolean' } } as const

export const COMMANDS: readonly Command[] = [
  {
    words: ['start'],
    usage: '',
    help: 'runs Sonde until SIGINT or SIGTERM',
    options: {},
    positionals: NONE,
    load: () => import('./start-command.ts'),
  },
  {
    words: ['project', 'create'],
    usage: 'ORG/PROJECT [--platform NAME] [--json]',
    help: 'makes a project and prints its DSN; one that exists is returned as it is',
    options: { platform: { type: 'string' }, ...JSON_OPTION },
    positionals: { min: 1, max: 1 },
    load: () => import('./project-command.ts'),
  },
  {
    words: ['token', 'create'],
    usage: '--name NAME --scopes SCOPE,… [--org ORG] [--json]',
    help: 'makes an API token, with scopes such as project:read,event:read,org:read',
    options: {
      name: { type: 'string' },
      scopes: { type: 'string' },
      org: { type: 'string' },
      ...JSON_OPTION,
    },
    positionals: NONE,
    load: () => import('./token-command.ts'),
  },
  {
    words: ['user', 'create'],
    usage: '--email EMAIL [--org ORG] [--role ROLE] [--name NAME] [--password PASSWORD] [--json]',
    help: 'adds a person as owner, admin, member or viewer; a random password is printed once',
    options: {
      email: { type: 'string' },
      org: { type: 'string' },
      role: { type: 'string' },
      name: { type: 'string' },
      password: { type: 'string' },
      ...JSON_OPTION,
    },
    positionals: NONE,
    load: () => import('./user-command.ts'),
  },
  {
    words: ['user', 'set-password'],
    usage: '--email EMAIL [--password PASSWORD] [--json]',
    help: 'for who forgot it: sets a new one, or prints a random one once, and ends all sessions',
    options: { email: { type: 'string' }, password: { type: 'string' }, ...JSON_OPTION },
    positionals: NONE,
    load: () => import('./set-password-command.ts'),
  },
  {
    words: ['user', 'reset-two-factor'],
    usage: '--email EMAIL [--json]',
    help: 'for who lost phone and backup codes: turns two-factor sign-in off',
    options: { email: { type: 'string' }, ...JSON_OPTION },
    positionals: NONE,
    load: () => import('./reset-two-factor-command.ts'),
  },
  {
    words: ['doctor'],
    usage: '[--json]',
    help: 'says whether each part is well, what waits, and what became of everything received',
    options: JSON_OPTION,
    positionals: NONE,
    load: () => import('./doctor-command.ts'),
  },
  {
    words: ['dead', 'list'],
    usage: '[--json]',
    help: 'lists the items that could not be digested, each with its reason',
    options: JSON_OPTION,
    positionals: NONE,
    load: () => import('./dead-list-command.ts'),
  },
  {
    words: ['dead', 'replay'],
    usage: '[ID …] [--json]',
    help: 'digests them again: those named, or all',
    options: JSON_OPTION,
    positionals: { min: 0, max: 10_000 },
    load: () => import('./dead-replay-command.ts'),
  },
  {
    words: ['sourcemaps', 'verify'],
    usage: 'DIR|URL [--host HOST,…] [--url URL --org ORG --token TOKEN] [--json]',
    help: 'says for each bundle whether errors in it will be readable; exit code 1 when one will not',
    options: {
      host: { type: 'string' },
      url: { type: 'string' },
      org: { type: 'string' },
      project: { type: 'string' },
      token: { type: 'string' },
      ...JSON_OPTION,
    },
    positionals: { min: 1, max: 1 },
    load: () => import('./sourcemaps/verify-command.ts'),
  },
]
