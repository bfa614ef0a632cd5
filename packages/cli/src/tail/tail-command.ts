/** `sonde tail errors|logs`: what arrives, a line each, until it is stopped. */
import { type CommandInput, countOf, UsageError } from '../arguments.ts'
import { connect } from '../client/connection.ts'
import { type Colour, note, onReaderGone, print, printParts, terminalLine, terminalWidth } from '../print.ts'
import { cutText } from '../text-width.ts'
import { follow, type TailAnswer } from './follow.ts'

const DATASETS: Readonly<Record<string, string>> = { errors: 'errors', logs: 'ourlogs' }
const EVERY_MS = 2_000
const MAX_LAST = 100
/** By convention 128 and the number of SIGINT. */
const INTERRUPTED = 130

type Row = {
  readonly id: string
  readonly project: string | null
  readonly timestamp: string
  readonly received: string
  readonly level: string
  readonly message: string
  readonly release: string | null
  readonly environment: string | null
  readonly trace: string | null
  readonly groupID?: string
  readonly culprit?: string
}

export async function run(input: CommandInput): Promise<number> {
  const [what = '', query] = input.positionals
  const dataset = DATASETS[what]
  if (dataset === undefined) throw new UsageError('sonde tail errors, or sonde tail logs')
  const last = countOf(input, 'last', { fallback: 10, min: 0, max: MAX_LAST })
  const connection = connect(input)
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  onReaderGone(stop)
  const { signal } = stopping
  const path = `/api/0/organizations/${encodeURIComponent(connection.org())}/tail/`
  const tell = input.flag('json') ? tellJson : tellLine
  try {
    await follow<Row>({
      everyMs: EVERY_MS,
      signal,
      async ask(cursor) {
        const place = cursor === undefined ? { last: String(last) } : { cursor }
        const asked = { dataset, query, project: connection.project, ...place }
        return (await connection.call<TailAnswer<Row>>({ path, query: asked, signal })).body
      },
      tell: (rows) => rows.forEach(tell),
      onTrouble(error) {
        note(
          error ? `sonde: ${error.message}; trying again` : 'sonde: it answers again, nothing was left out',
        )
      },
    })
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
  return INTERRUPTED
}

function tellJson({ timestamp, groupID, ...row }: Row): void {
  print(JSON.stringify({ ...row, at: timestamp, ...(groupID !== undefined && { issue: groupID }) }))
}

const COLOURS: Readonly<Record<string, Colour>> = {
  fatal: 'red',
  error: 'red',
  warning: 'yellow',
  warn: 'yellow',
}

function tellLine({ timestamp, level, project, message, culprit, groupID }: Row): void {
  const place = culprit ? ` (${culprit})` : ''
  const issue = groupID === undefined ? '' : `  issue ${groupID}`
  const head = `${timestamp.slice(0, 10)} ${timestamp.slice(11, 23)}  `
  const shown = terminalLine(level).padEnd(7)
  const rest = terminalLine(`  ${project ?? '?'}  ${message}${place}${issue}`)
  const width = terminalWidth()
  const left = width === undefined ? undefined : Math.max(20, width - head.length - shown.length)
  const colour = COLOURS[level]
  printParts([
    [head, 'dim'],
    colour === undefined ? shown : [shown, colour],
    left === undefined ? rest : cutText(rest, left),
  ])
}
