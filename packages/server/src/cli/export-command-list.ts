/** The commands that take an organization along: in their order of the help. */
import type { Command } from '@sonde/cli'

const JSON_OPTION = { json: { type: 'boolean' } } as const

export const EXPORT_COMMANDS: readonly Command[] = [
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
