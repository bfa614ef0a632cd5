/** The commands that bring an organization in or take it along, in their order of the help. */
import type { Command } from '@sonde/cli'

const JSON_OPTION = { json: { type: 'boolean' } } as const

const IMPORT_OPTIONS = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  into: { type: 'string' },
  events: { type: 'string' },
  state: { type: 'string' },
  sonde: { type: 'string' },
  'send-invitations': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  ...JSON_OPTION,
} as const
const IMPORT_USAGE = '[--events N] [--dry-run] [--send-invitations] [--state DIR] [--sonde URL] [--json]'

export const MOVE_COMMANDS: readonly Command[] = [
  {
    words: ['import', 'sentry'],
    usage: `--url URL --org ORG --token-file FILE [--into ORG] ${IMPORT_USAGE}`,
    help: 'brings projects with their keys, teams, members, issues, releases, searches and alerts from Sentry into the Sonde that runs; run again, it goes on where it was',
    options: { ...IMPORT_OPTIONS, org: { type: 'string' } },
    positionals: { min: 0, max: 0 },
    load: async () => (await import('./import-commands.ts')).sentry,
  },
  {
    words: ['import', 'glitchtip'],
    usage: `--url URL --org ORG --token-file FILE [--into ORG] ${IMPORT_USAGE}`,
    help: 'the same from GlitchTip',
    options: { ...IMPORT_OPTIONS, org: { type: 'string' } },
    positionals: { min: 0, max: 0 },
    load: async () => (await import('./import-commands.ts')).glitchtip,
  },
  {
    words: ['import', 'bugsink'],
    usage: `--url URL --token-file FILE --into ORG ${IMPORT_USAGE}`,
    help: 'the same from Bugsink: what its API has',
    options: IMPORT_OPTIONS,
    positionals: { min: 0, max: 0 },
    load: async () => (await import('./import-commands.ts')).bugsink,
  },
  {
    words: ['export', 'list'],
    usage: 'ORG [--json]',
    help: 'lists the exports of an organization',
    options: JSON_OPTION,
    positionals: { min: 1, max: 1 },
    load: async () => (await import('./export-commands.ts')).list,
  },
  {
    words: ['export', 'cancel'],
    usage: 'ORG ID',
    help: 'ends an export that is on its way',
    options: {},
    positionals: { min: 2, max: 2 },
    load: async () => (await import('./export-commands.ts')).cancel,
  },
  {
    words: ['export', 'schedule'],
    usage: 'ORG [--daily HH:MM | --weekly "DAY HH:MM" | --off] [--zone Europe/Berlin] [--keep N] [--json]',
    help: 'shows when an organization is exported to SONDE_EXPORT_TO and how many of those are kept, or changes that',
    options: {
      daily: { type: 'string' },
      weekly: { type: 'string' },
      off: { type: 'boolean' },
      zone: { type: 'string' },
      keep: { type: 'string' },
      ...JSON_OPTION,
    },
    positionals: { min: 1, max: 1 },
    load: async () => (await import('./export-commands.ts')).schedule,
  },
  {
    words: ['export', 'verify'],
    usage: 'DIR|s3://BUCKET/PREFIX [--json]',
    help: 'reads an export and compares every file with its checksum; exit code 1 when something is not as it was written',
    options: JSON_OPTION,
    positionals: { min: 1, max: 1 },
    load: async () => (await import('./export-commands.ts')).verify,
  },
  {
    words: ['export'],
    usage: 'ORG [--to DIR|s3://BUCKET/PREFIX] [--no-wait] [--json]',
    help: 'writes everything of an organization into files (Parquet, JSON lines, attachments), while Sonde runs; goes on after a restart',
    options: { to: { type: 'string' }, 'no-wait': { type: 'boolean' }, ...JSON_OPTION },
    positionals: { min: 1, max: 1 },
    load: async () => (await import('./export-commands.ts')).run,
  },
]
