/** What any machine can do: of a build, of a site, or of a Sonde by its address. In the order of the help. */
import type { Command, CommandOption } from './arguments.ts'
import { PROJECT_OPTION, SERVER_OPTIONS } from './client/server-options.ts'

const JSON_OPTION = {
  json: {
    type: 'boolean',
    about: 'The answer as JSON, on standard output; all else goes to standard error.',
  },
} as const
const SERVER = { ...SERVER_OPTIONS, ...JSON_OPTION } as const
const IN_PROJECT = { ...SERVER_OPTIONS, ...PROJECT_OPTION, ...JSON_OPTION } as const
const PERSON = {
  url: SERVER_OPTIONS.url,
  org: SERVER_OPTIONS.org,
  email: { type: 'string', about: 'Whose password it is. Without it `SONDE_EMAIL`.' },
  ...JSON_OPTION,
} as const
const ENVIRONMENT = { type: 'string', multiple: true, about: 'Only this one; again for more.' } as const
const NONE = { min: 0, max: 0 } as const
const ONE = { min: 1, max: 1 } as const
/** More in one call nobody types. */
const SEVERAL = { min: 1, max: 100 } as const

const ISSUE_TYPE =
  '{ id, shortId, title, culprit, level, status, project, firstSeen, lastSeen, url: string; substatus, priority, assignedTo: string | null; events, users: number }'
const TOKEN_TYPE =
  '{ id, name, created: string; scopes: string[]; lastUsed, expires: string | null; createdBy: { id: string; name: string | null } | null }'
const RELEASE_TYPE =
  '{ version, status, created: string; released, firstEvent, lastEvent: string | null; newIssues, commits, deploys: number; lastDeploy: { environment, at: string } | null; projects: string[] }'
const CHANGE_TYPE = '{ issues: { id, shortId: string }[]; change: object }'
const SCRIPTS_TYPE = '{ name: string; debugId: string | null }[]'

const change = (
  word: string,
  help: string,
  usage: string,
  options: Readonly<Record<string, CommandOption>>,
  load: Command['load'],
): Command => ({
  words: ['issues', word],
  usage: `ISSUE … ${usage}[--json]`,
  help,
  options: { ...options, ...SERVER },
  positionals: SEVERAL,
  scope: 'event:write',
  json: CHANGE_TYPE,
  load,
})

/** Of the server's own command line too. */
export const SHARED_COMMANDS: readonly Command[] = [
  {
    words: ['sourcemaps', 'verify'],
    usage:
      'DIR|URL [--pages N] [--host HOST,…] [--manifest URL] [--url URL --org ORG --project PROJECT --token TOKEN] [--format text|json|github|gitlab] [--json]',
    help: 'says for each script of a build, or of a live site, whether errors in it will be readable; exit code 1 when one will not',
    options: {
      pages: {
        type: 'string',
        about:
          'Of a site: how many pages are read, 1 without it, 1,000 at most: the one that was named, then those that links lead to. For sites whose pages load chunks of their own.',
      },
      host: {
        type: 'string',
        about: 'Of a page: other hosts whose scripts are read too, with commas between them.',
      },
      manifest: {
        type: 'string',
        about:
          'Of a page: the address of a manifest of its bundler, whose scripts are read too. `.vite/manifest.json` and `asset-manifest.json` beside the page are found without it.',
      },
      url: {
        type: 'string',
        about: 'The Sonde; without it what the token says, or `SONDE_URL`, `SENTRY_URL`.',
      },
      org: {
        type: 'string',
        about: 'The organization; without it what the token says, or `SONDE_ORG`, `SENTRY_ORG`.',
      },
      project: { type: 'string', about: 'Not needed: debug ids are looked up in the organization.' },
      token: {
        type: 'string',
        about:
          'Better given as `SONDE_AUTH_TOKEN` or `SENTRY_AUTH_TOKEN`: others see command lines. Scope `org:ci`.',
      },
      format: {
        type: 'string',
        about:
          '`text`, `json`; `github`: each problem as an annotation of a GitHub workflow; `gitlab`: a Code Quality report.',
        choices: ['text', 'json', 'github', 'gitlab'],
      },
      ...JSON_OPTION,
    },
    positionals: ONE,
    scope: 'org:ci',
    exits: { 1: 'errors of a script will not be readable' },
    json: '{ bundles: { file: string; debugId?: string; problems: { problem, detail: string }[] }[]; publicMaps, elsewhere: string[] }',
    load: async () => (await import('./sourcemaps/verify-command.ts')).run,
  },
]

export const CLIENT_COMMANDS: readonly Command[] = [
  {
    words: ['login'],
    usage: '[--url URL] [--org ORG] [--no-browser | --token] [--json]',
    help: 'logs in by the browser, or with a token that is pasted',
    options: {
      url: { type: 'string', about: 'The Sonde. Without it `SONDE_URL`, or the one logged in to last.' },
      org: { type: 'string', about: 'The organization of commands that name none.' },
      'no-browser': { type: 'boolean', about: 'Shows the address and opens nothing.' },
      token: {
        type: 'boolean',
        about:
          'Reads a token from standard input, for machines without a browser. Never as an argument: others see those.',
      },
      ...JSON_OPTION,
    },
    positionals: NONE,
    json: '{ url: string; kind: "oauth" | "token"; org: string | null; organizations: string[] }',
    load: async () => (await import('./auth/login-command.ts')).login,
  },
  {
    words: ['logout'],
    usage: '[--url URL] [--json]',
    help: 'ends the login, in Sonde and on this machine',
    options: { url: SERVER_OPTIONS.url, ...JSON_OPTION },
    positionals: NONE,
    exits: { 1: 'forgotten here, and Sonde did not end it' },
    json: '{ url: string; revoked: boolean }',
    load: async () => (await import('./auth/login-command.ts')).logout,
  },
  {
    words: ['whoami'],
    usage: '[--json]',
    help: 'says who is logged in where, and what the login may',
    options: SERVER,
    positionals: NONE,
    json: '{ url: string; login: "oauth" | "token" | "given"; user: { email, name: string } | null; scopes: string[] | null; organizations: string[]; expires: string | null }',
    load: async () => (await import('./auth/login-command.ts')).whoami,
  },
  {
    words: ['projects'],
    usage: '[--org ORG] [--json]',
    help: 'lists the projects that the login sees',
    options: SERVER,
    positionals: NONE,
    scope: 'project:read',
    json: '{ id, org, slug, name, created: string; platform, firstEvent: string | null }[]',
    load: async () => (await import('./projects/projects-command.ts')).listProjects,
  },
  {
    words: ['tokens', 'list'],
    usage: '[--email EMAIL] [--json]',
    help: 'lists the tokens of the organization; asks for your password',
    options: PERSON,
    positionals: NONE,
    json: `(${TOKEN_TYPE})[]`,
    load: async () => (await import('./projects/tokens-command.ts')).list,
  },
  {
    words: ['tokens', 'create'],
    usage: '--name NAME [--scopes SCOPE,…] [--expires-days DAYS|never] [--email EMAIL] [--json]',
    help: 'makes a token of the organization and prints it once; asks for your password',
    options: {
      name: { type: 'string', about: 'What it is for.' },
      scopes: { type: 'string', about: '`org:ci` unless given: for builds.' },
      'expires-days': { type: 'string', about: '90 unless given, or `never`.' },
      ...PERSON,
    },
    positionals: NONE,
    json: `${TOKEN_TYPE} & { token: string }`,
    load: async () => (await import('./projects/tokens-command.ts')).create,
  },
  {
    words: ['tokens', 'revoke'],
    usage: 'ID [--email EMAIL] [--json]',
    help: 'revokes a token: the next request with it is refused; asks for your password',
    options: PERSON,
    positionals: ONE,
    json: '{ id: string }',
    load: async () => (await import('./projects/tokens-command.ts')).revoke,
  },
  {
    words: ['issues', 'list'],
    usage:
      '[SEARCH] [--project PROJECT] [--sort SORT] [--period TIME] [--environment NAME …] [--limit N] [--json]',
    help: 'lists the issues that a search matches, those that are unresolved without one',
    options: {
      sort: {
        type: 'string',
        about: '`date` (last seen) unless given, `new`, `freq`, `user`, `priority`.',
        choices: ['date', 'new', 'freq', 'user', 'priority'],
      },
      period: { type: 'string', about: 'Seen within this time: `24h`, `14d`.' },
      environment: ENVIRONMENT,
      limit: { type: 'string', about: '25 unless given, 1,000 at most.' },
      ...IN_PROJECT,
    },
    positionals: { min: 0, max: 1 },
    scope: 'event:read',
    json: `(${ISSUE_TYPE})[]`,
    load: async () => (await import('./issues/list-command.ts')).list,
  },
  {
    words: ['issues', 'show'],
    usage: 'ISSUE [--json]',
    help: 'shows an issue, by its id or short id, and the stack of its newest event',
    options: SERVER,
    positionals: ONE,
    scope: 'event:read',
    json: `${ISSUE_TYPE} & { firstRelease, lastRelease: string | null; event: { id, at, message: string; release, environment: string | null; exceptions: { type, value: string | null; frames: { file, function, code: string | null; line, column: number | null; inApp: boolean }[] }[]; tags: Record<string, string> } | null }`,
    load: async () => (await import('./issues/show-command.ts')).show,
  },
  change(
    'resolve',
    'resolves issues: of several all, or none',
    '[--in-release R | --in-next-release] ',
    {
      'in-release': {
        type: 'string',
        about: 'They come back as regressions in later ones only; `latest` is one too.',
      },
      'in-next-release': { type: 'boolean', about: 'The same with the release that comes next.' },
    },
    async () => (await import('./issues/change-commands.ts')).resolve,
  ),
  change(
    'ignore',
    'ignores issues',
    '[--for TIME | --until-escalating] ',
    {
      for: { type: 'string', about: 'A time such as `30m` or `24h`; for good without it.' },
      'until-escalating': { type: 'boolean', about: 'Until there are far more than usual.' },
    },
    async () => (await import('./issues/change-commands.ts')).ignore,
  ),
  change(
    'reopen',
    'makes issues unresolved again',
    '',
    {},
    async () => (await import('./issues/change-commands.ts')).reopen,
  ),
  change(
    'assign',
    'assigns issues',
    '--to EMAIL|#TEAM|me|nobody ',
    {
      to: { type: 'string', about: 'A member by address, a team by its name behind `#`, `me`, or `nobody`.' },
    },
    async () => (await import('./issues/change-commands.ts')).assign,
  ),
  {
    words: ['tail'],
    usage: 'errors|logs [SEARCH] [--project PROJECT] [--last N] [--json]',
    help: 'writes errors or lines of logs as they arrive, each once, until it is stopped',
    options: {
      last: {
        type: 'string',
        about: 'So many of those that are there already: 10 unless given, 100 at most.',
      },
      ...IN_PROJECT,
    },
    positionals: { min: 1, max: 2 },
    choices: ['errors', 'logs'],
    scope: 'event:read',
    exits: { 130: 'stopped by Ctrl-C or SIGTERM' },
    json: '{ id, at, received, level, message: string; project, release, environment, trace: string | null; issue?, culprit?: string }, one a line',
    load: async () => (await import('./tail/tail-command.ts')).run,
  },
  {
    words: ['releases', 'list'],
    usage: '[VERSION] [--project PROJECT] [--limit N] [--json]',
    help: 'lists releases, the newest first; VERSION is looked for inside of the names',
    options: { limit: { type: 'string', about: '25 unless given, 1,000 at most.' }, ...IN_PROJECT },
    positionals: { min: 0, max: 1 },
    scope: 'project:read',
    json: `(${RELEASE_TYPE})[]`,
    load: async () => (await import('./releases/releases-command.ts')).list,
  },
  {
    words: ['releases', 'show'],
    usage: 'VERSION [--project PROJECT] [--json]',
    help: 'shows a release with its last commits and its deploys',
    options: IN_PROJECT,
    positionals: ONE,
    scope: 'project:read',
    json: `${RELEASE_TYPE} & { lastCommits: { id, at: string; message, author: string | null }[]; allDeploys: { environment, at: string }[] }`,
    load: async () => (await import('./releases/releases-command.ts')).show,
  },
  {
    words: ['releases', 'verdict'],
    usage: 'VERSION --project PROJECT [--before R] [--environment NAME …] [--days N] [--wait TIME] [--json]',
    help: 'says whether a release is better, same or worse than the one before it, or that there is not enough data; exit code 1 when it is worse',
    options: {
      before: { type: 'string', about: 'What to compare with; else the release before it.' },
      environment: ENVIRONMENT,
      days: { type: 'string', about: 'Data of so many days: 14 unless given, 90 at most.' },
      wait: {
        type: 'string',
        about: 'A time such as `30m`: while there is not enough data it asks again every 15 seconds.',
      },
      ...IN_PROJECT,
    },
    positionals: ONE,
    scope: 'event:read',
    exits: { 1: 'the release is worse' },
    json: '{ verdict: "better" | "same" | "worse" | "not_enough_data"; release, sentence, start, end: string; before: string | null; measures: { name, verdict, sentence: string; … }[]; absent: string[]; absentReasons: string[] }',
    load: async () => (await import('./releases/releases-command.ts')).verdict,
  },
  {
    words: ['sourcemaps', 'inject'],
    usage: 'DIR [--json]',
    help: 'gives each script of a build and its map a debug id; changes the files, and none twice',
    options: JSON_OPTION,
    positionals: ONE,
    json: `{ scripts: ${SCRIPTS_TYPE}; injected: number }`,
    load: async () => (await import('./sourcemaps/upload-command.ts')).inject,
  },
  {
    words: ['sourcemaps', 'upload'],
    usage:
      'DIR --project PROJECT [--release R [--dist D] [--url-prefix ~/PATH]] [--no-inject] [--delete-maps] [--json]',
    help: 'injects debug ids and uploads the scripts of a build with their maps; ends when Sonde can use them',
    options: {
      release: { type: 'string', about: 'The release that the SDK sends. Needed only without debug ids.' },
      dist: { type: 'string', about: 'The `dist` that the SDK sends.' },
      'url-prefix': {
        type: 'string',
        about: 'Where the site serves the folder: `~/static`. Needed only without debug ids.',
      },
      'no-inject': { type: 'boolean', about: 'Leaves the files as they are.' },
      'delete-maps': {
        type: 'boolean',
        about: 'Deletes the maps after the upload, so that they are not deployed.',
      },
      ...IN_PROJECT,
    },
    positionals: ONE,
    scope: 'org:ci',
    json: `{ url, org, project: string; release: string | null; scripts: ${SCRIPTS_TYPE}; injected, files, bytes, sentBytes, deletedMaps: number }`,
    load: async () => (await import('./sourcemaps/upload-command.ts')).upload,
  },
  ...SHARED_COMMANDS,
  {
    words: ['sourcemaps', 'explain'],
    usage: 'EVENT [FRAME] [--json]',
    help: 'says of each frame of an event, or of one, why it is readable or not, and what to do',
    options: SERVER,
    positionals: { min: 1, max: 2 },
    scope: 'event:read',
    exits: { 1: 'a frame is not readable' },
    json: '{ event: string; release, dist: string | null; frames: { index: number; exception, file, function: string | null; line, column: number | null; inApp, readable: boolean; map, ran, reason, detail, why, todo: string | null }[] }',
    load: async () => (await import('./sourcemaps/explain-command.ts')).run,
  },
  {
    words: ['completions'],
    usage: 'bash|zsh|fish|powershell',
    help: 'prints a script that completes commands and options in the shell',
    options: {},
    positionals: ONE,
    choices: ['bash', 'zsh', 'fish', 'powershell'],
    load: async () => (await import('./completions-command.ts')).writeScript,
  },
]
