/** `sonde export …`: everything of an organization as files. A running Sonde writes them. */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandInput, note, print, table, UsageError } from '@sonde/cli'
import type { ExportPlan, ExportPlanInput } from '@sonde/commands'
import type { ExportRow } from '@sonde/queries'
import type { ExportQuestion } from '../back/export-routes.ts'
import { readConfig } from '../config/config.ts'
import { openExportPlace, readExportTarget } from '../export/export-place.ts'
import { verifyExport } from '../export/verify-export.ts'
import { askBack } from '../internal/ask-back.ts'

const LOOK_EVERY_MS = 500
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

async function ask<Answer>(path: string, question: ExportQuestion): Promise<Answer> {
  const answer = await askBack(readConfig().paths.internalSocket, 'POST', `/-/export/${path}`, {
    body: JSON.stringify(question),
  })
  if (answer === undefined) throw new UsageError('no Sonde runs on this data folder: start it first')
  return JSON.parse(answer) as Answer
}

const orgOf = ({ positionals: [org = ''] }: CommandInput): string => org

/** The Sonde that runs may have another working folder. */
const placeOf = (text: string): string => (/^[a-z0-9+.-]+:\/\//i.test(text) ? text : resolve(text))

/** `sonde export ORG`: waits for the end unless told otherwise. */
export async function run(input: CommandInput): Promise<number> {
  const org = orgOf(input)
  const to = input.text('to')
  const { id } = await ask<{ id: number }>('start', { org, ...(to !== undefined && { to: placeOf(to) }) })
  if (input.flag('no-wait')) {
    print(input.flag('json') ? JSON.stringify({ id }) : `export ${id} goes on in the background`)
    return 0
  }
  for (let told = ''; ;) {
    const row = await ask<ExportRow | null>('look', { org, id })
    if (!row || row.finishedMs !== undefined) return tellEnd(input, row, id)
    const line = row.trouble === '' ? progressOf(row) : `tried again later: ${row.trouble}`
    if (line !== told) note(line)
    told = line
    await sleep(LOOK_EVERY_MS)
  }
}

function tellEnd(input: CommandInput, row: ExportRow | null, id: number): number {
  const isGood = row?.state === 'done'
  if (input.flag('json')) print(JSON.stringify(row ?? { id, state: 'gone' }))
  else if (!isGood) note(`export ${id} ${row?.state ?? 'is gone'}${row?.trouble ? `: ${row.trouble}` : ''}`)
  else {
    print(`Exported: ${row.files} files, ${row.bytes} bytes, ${row.rows} rows of telemetry`)
    print(whereOf(row))
    if (row.trouble !== '') note(row.trouble)
  }
  return isGood ? 0 : 1
}

const whereOf = ({ place, folder }: ExportRow): string =>
  place === '' ? `in ${folder}, below the place of exports` : `in ${place}`

const progressOf = ({ step, files, rows, totalRows }: ExportRow): string =>
  step === ''
    ? 'waits for its turn'
    : `${totalRows === 0 ? 0 : Math.floor((100 * rows) / totalRows)} % of ${totalRows} rows, ${files} files: ${step}`

export async function list(input: CommandInput): Promise<number> {
  const rows = await ask<readonly ExportRow[]>('list', { org: orgOf(input) })
  if (input.flag('json')) print(JSON.stringify(rows))
  else
    print(
      table([
        ['id', 'asked', 'by', 'state', 'files', 'bytes', 'where'],
        ...rows.map((row) => [
          String(row.id),
          new Date(row.requestedMs).toISOString(),
          row.by,
          row.isRemoved ? 'deleted' : row.state,
          String(row.files),
          String(row.bytes),
          row.place === '' ? row.folder : row.place,
        ]),
      ]),
    )
  return 0
}

export async function cancel(input: CommandInput): Promise<number> {
  const id = Number(input.positionals[1])
  if (!Number.isSafeInteger(id))
    throw new UsageError('the id of an export is a number: `sonde export list ORG`')
  await ask('cancel', { org: orgOf(input), id })
  print(`export ${id} is cancelled; what it wrote stays where it is`)
  return 0
}

/** `sonde export schedule ORG`: shows it, or changes what options name. */
export async function schedule(input: CommandInput): Promise<number> {
  const org = orgOf(input)
  const plan = planOf(input)
  const saved = await ask<ExportPlan>('plan', { org, ...(Object.keys(plan).length > 0 && { plan }) })
  print(input.flag('json') ? JSON.stringify(saved) : scheduleText(saved))
  return 0
}

function planOf(input: CommandInput): Partial<ExportPlanInput> {
  const [daily, weekly, zone, keep] = ['daily', 'weekly', 'zone', 'keep'].map((name) => input.text(name))
  if ([daily, weekly, input.flag('off') ? 'off' : undefined].filter((each) => each !== undefined).length > 1)
    throw new UsageError('one of --daily, --weekly and --off')
  const [day = '', at = ''] = weekly?.trim().split(/\s+/) ?? []
  const weekday = DAYS.indexOf(day.toLowerCase())
  if (weekly !== undefined && weekday < 0) throw new UsageError('--weekly is as in "sunday 04:30"')
  if (keep !== undefined && !/^\d+$/.test(keep)) throw new UsageError('--keep is a number')
  return {
    ...(daily !== undefined && { schedule: 'daily', at: daily }),
    ...(weekly !== undefined && { schedule: 'weekly', weekday, at }),
    ...(input.flag('off') && { schedule: 'off' }),
    ...(zone !== undefined && { zone }),
    ...(keep !== undefined && { keep: Number(keep) }),
  }
}

function scheduleText({ schedule: kind, at, weekday, zone, keep }: ExportPlan): string {
  if (kind === 'off') return 'no schedule'
  const day = kind === 'weekly' ? `every ${DAYS[weekday]}` : 'every day'
  return `${day} at ${at} (${zone}); ${keep === 0 ? 'all are kept' : `the last ${keep} are kept`}`
}

/** `sonde export verify FOLDER`: needs no Sonde that runs. */
export async function verify(input: CommandInput): Promise<number> {
  const target = readExportTarget(input.positionals[0], readConfig())
  const verified = await verifyExport(await openExportPlace(target))
  const { problems } = verified
  if (input.flag('json')) print(JSON.stringify(verified))
  else if (problems.length === 0)
    print(
      `${verified.organization}, until ${verified.until}: ${verified.files} files, ${verified.bytes} bytes and ${verified.rows} rows are as they were written`,
    )
  else for (const problem of problems) print(problem)
  return problems.length === 0 ? 0 : 1
}
