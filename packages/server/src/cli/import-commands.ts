/** `sonde import …`: from another product's public API into the Sonde that runs. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { operatorViewer } from '@sonde/access'
import { type CommandInput, note, print, UsageError } from '@sonde/cli'
import { createOrganization } from '@sonde/commands'
import { frontUrlOf } from '../back/test-event.ts'
import { createApiClient } from '../import/api-client.ts'
import { bugsinkSource } from '../import/bugsink-source.ts'
import { openImportJournal } from '../import/import-journal.ts'
import { reportOf, writeReport } from '../import/import-report.ts'
import { openImportTarget } from '../import/import-target.ts'
import { runImport } from '../import/run-import.ts'
import { sentrySource } from '../import/sentry-source.ts'
import type { ImportSource } from '../import/source.ts'
import { withCommands } from './with-commands.ts'

const EVENTS = 20
const MAX_EVENTS = 1_000

type Product = 'sentry' | 'glitchtip' | 'bugsink'

export const sentry = (input: CommandInput): Promise<number> => run('sentry', input)
export const glitchtip = (input: CommandInput): Promise<number> => run('glitchtip', input)
export const bugsink = (input: CommandInput): Promise<number> => run('bugsink', input)

async function run(product: Product, input: CommandInput): Promise<number> {
  const url = urlOf(input.need('url'))
  const org = product === 'bugsink' ? '' : input.need('org')
  const into = input.text('into') ?? org
  if (into === '') throw new UsageError('--into ORG says where to')
  const events = Number(input.text('events') ?? EVENTS)
  if (!Number.isInteger(events) || events < 0 || events > MAX_EVENTS)
    throw new UsageError(`--events is a whole number up to ${MAX_EVENTS}`)
  const token = tokenIn(input.need('token-file'))
  const isDryRun = input.flag('dry-run')
  const onWait = (why: string): void => note(why)
  const api = createApiClient({ url, token, onWait })
  const source = sourceOf(product, api, org)
  // Throws before anything is made here.
  const { name } = await source.organization()
  return withCommands(async (deps, config) => {
    const mark = createHash('sha256').update(`${product} ${url} ${org} ${into}`).digest('hex').slice(0, 12)
    const dir = resolve(input.text('state') ?? join(config.dataDir, 'imports', `${product}-${mark}`))
    const journal = openImportJournal(isDryRun ? join(dir, `dry-run-${deps.clock.nowMs()}`) : dir)
    const { id } = await createOrganization(deps, operatorViewer, { slug: into, name })
    const target = await openImportTarget({
      deps,
      url: input.text('sonde') ?? frontUrlOf(config),
      org: { id, slug: into },
      onWait,
    })
    try {
      const { missing } = await runImport({
        source,
        target,
        deps,
        journal,
        events,
        isDryRun,
        sendsInvitations: input.flag('send-invitations'),
        onProgress: (line) => note(line),
      })
      const about = {
        product: source.product,
        from: org === '' ? url : `${url} ${org}`,
        into,
        isDryRun,
        missing,
      }
      const report = reportOf(journal, { ...about, notes: notesOf(events) })
      const path = writeReport(journal.dir, report)
      if (input.flag('json')) print(JSON.stringify({ ...report, path }))
      else {
        for (const [kind, { done, partly, left }] of Object.entries(report.counts))
          print(`${kind}: ${done} here, ${partly} partly, ${left} not`)
        print(`report: ${path}`)
      }
      return 0
    } finally {
      await target.close()
    }
  })
}

const sourceOf = (product: Product, api: ReturnType<typeof createApiClient>, org: string): ImportSource =>
  product === 'bugsink'
    ? bugsinkSource(api)
    : sentrySource(api, org, product === 'sentry' ? 'Sentry' : 'GlitchTip')

const notesOf = (events: number): readonly string[] => [
  `Of each issue the newest ${events} events were read. Counts of events and users, and when an issue was last seen, are of what is stored here.`,
  'Passwords, tokens, integrations, dashboards, replays, profiles, traces and source maps are not read by this import.',
]

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('--url is as in https://sentry.example.com')
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url has no password in it: see --token-file')
  return url.href
}

/** In a file, since other users of the machine see a command line. */
function tokenIn(path: string): string {
  let token: string
  try {
    token = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`--token-file ${path}: ${(error as Error).message}`)
  }
  if (!/^[\x21-\x7e]{1,4096}$/.test(token)) throw new UsageError(`--token-file ${path} has no token in it`)
  return token
}
