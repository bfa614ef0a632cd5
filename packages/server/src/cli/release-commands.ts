/** `sonde release …`: releases, for builds and deployments. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SondeError, systemClock } from '@sonde/base'
import { type CommandInput, note, print, readProjectPath, table, terminalText, UsageError } from '@sonde/cli'
import { type JudgedMeasure, type JudgedRelease, MAX_VERDICT_DAYS, VERDICT_DAYS } from '@sonde/queries'
import { absentSentences, changeFigure, verdictSentence } from '@sonde/queries/contract'
import { answerVerdict, type VerdictQuestion } from '../back/answer-verdict.ts'
import { type Config, readConfig } from '../config/config.ts'
import { askBack } from '../internal/ask-back.ts'
import { withEngines } from './with-commands.ts'

const ASK_EVERY_MS = 15_000
const MAX_WAIT_MS = 24 * 3_600_000
/** Of very many sessions; a busy Sonde takes longer. */
const TIMEOUT_MS = 60_000

/** `sonde release verdict`: ends with 1 for worse, with 2 without a verdict, else with 0. */
export async function verdict(input: CommandInput): Promise<number> {
  try {
    return await judge(input)
  } catch (error) {
    if (!(error instanceof SondeError)) throw error
    const { kind, message, hint } = error
    if (input.flag('json')) print(JSON.stringify({ error: message, kind }))
    note(`sonde: ${message}${hint === undefined ? '' : `\n       ${hint}`}`)
    // Not 1: whoever stops a deployment for a release that is worse must not stop it for a name that is wrong.
    return 2
  }
}

async function judge({ need, text, flag }: CommandInput): Promise<number> {
  const [org, project] = readProjectPath(need('project'))
  const question: VerdictQuestion = {
    org,
    project,
    release: need('release'),
    before: text('before'),
    days: daysOf(text('days')),
    environment: (text('environment') ?? '').split(',').filter((name) => name !== ''),
  }
  const endMs = performance.now() + waitOf(text('wait'))
  const config = readConfig()
  let judged = await ask(config, question)
  while (judged.verdict === 'not_enough_data' && performance.now() < endMs) {
    await sleep(Math.min(ASK_EVERY_MS, endMs - performance.now()))
    judged = await ask(config, question)
  }
  print(flag('json') ? JSON.stringify(judged) : verdictText(judged))
  return judged.verdict === 'worse' ? 1 : 0
}

async function ask(config: Config, question: VerdictQuestion): Promise<JudgedRelease> {
  const body = JSON.stringify(question)
  const answer = await askBack(config.paths.internalSocket, 'POST', '/-/release/verdict', {
    body,
    timeoutMs: TIMEOUT_MS,
  })
  return JSON.parse(answer ?? (await askStopped(body))) as JudgedRelease
}

/** Nothing runs: this process opens the stores. */
const askStopped = (body: string): Promise<string> =>
  withEngines(['telemetry'], ({ engines: { records, telemetry }, access }) =>
    answerVerdict(access, { records: records.db, telemetry, clock: systemClock }, body),
  )

function daysOf(text: string | undefined): number {
  if (text === undefined) return VERDICT_DAYS
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= MAX_VERDICT_DAYS) return days
  throw new UsageError(`--days is a whole number from 1 to ${MAX_VERDICT_DAYS}`)
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** Milliseconds of `30m`. */
export function waitOf(text: string | undefined): number {
  if (text === undefined) return 0
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  const waitMs = Number(count) * (UNITS[unit] ?? Number.NaN)
  if (waitMs >= 0 && waitMs <= MAX_WAIT_MS) return waitMs
  throw new UsageError('--wait is a time such as 90s, 30m or 2h, at most 24h')
}

export function verdictText(judged: JudgedRelease): string {
  const { before, measures, absent } = judged
  const sentence = terminalText(verdictSentence(judged))
  if (before === undefined) return sentence
  if (measures.length === 0) return `${sentence}\nNothing was measured of either in this time.`
  const rows = table([
    ['measure', 'verdict', 'change', '95 %', 'of this', 'of before', 'needed'],
    ...measures.map((each) => [
      each.name,
      each.verdict,
      each.by === undefined ? '-' : changeFigure(each, each.by),
      each.low === undefined || each.high === undefined
        ? '-'
        : `${changeFigure(each, each.low)} to ${changeFigure(each, each.high)}`,
      `${each.release} ${each.of}`,
      String(each.before),
      neededText(each),
    ]),
  ])
  return [`${sentence}\n\n${rows}`, ...absentSentences(absent)].join('\n')
}

function neededText({ verdict: said, needed }: JudgedMeasure): string {
  if (said !== 'not_enough_data') return '-'
  return needed === undefined ? 'those of more people' : `about ${needed} more`
}
