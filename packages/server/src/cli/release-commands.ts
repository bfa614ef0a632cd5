/** `sonde release …`: releases, for builds and deployments. */
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@sonde/base'
import type { JudgedMeasure, JudgedRelease } from '@sonde/queries'
import { answerVerdict, type VerdictQuestion } from '../back/answer-verdict.ts'
import { type Config, readConfig } from '../config/config.ts'
import { askBack } from '../internal/ask-back.ts'
import { type CommandInput, readProjectPath, UsageError } from './arguments.ts'
import { print, table, terminalText } from './print.ts'
import { withEngines } from './with-commands.ts'

const DEFAULT_DAYS = 14
const MAX_DAYS = 90
const ASK_EVERY_MS = 15_000
const MAX_WAIT_MS = 24 * 3_600_000
/** Of very many sessions; a busy Sonde takes longer. */
const TIMEOUT_MS = 60_000

/** `sonde release verdict`: ends with 1 for worse, else with 0. */
export async function verdict({ need, text, flag }: CommandInput): Promise<number> {
  const [org, project] = readProjectPath(need('project'))
  const question: VerdictQuestion = {
    org,
    project,
    release: need('release'),
    before: text('before'),
    days: daysOf(text('days')),
    environment: (text('environment') ?? '').split(',').filter((name) => name !== ''),
  }
  const endMs = Date.now() + waitOf(text('wait'))
  const config = readConfig()
  let judged = await ask(config, question)
  while (judged.verdict === 'not_enough_data' && Date.now() < endMs) {
    await sleep(Math.min(ASK_EVERY_MS, endMs - Date.now()))
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
  if (text === undefined) return DEFAULT_DAYS
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days
  throw new UsageError(`--days is a whole number from 1 to ${MAX_DAYS}`)
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

const SENTENCES: Readonly<Record<JudgedRelease['verdict'], string>> = {
  better: 'is better than',
  same: 'is as good as',
  worse: 'is worse than',
  not_enough_data: 'has not enough data yet to be compared with',
}

export function verdictText({ verdict: said, release, before, measures }: JudgedRelease): string {
  if (before === undefined)
    return terminalText(`${release} is the first release: there is nothing to compare it with.`)
  const sentence = terminalText(`${release} ${SENTENCES[said]} ${before}.`)
  if (measures.length === 0) return `${sentence}\nNothing was measured of either in this time.`
  return `${sentence}\n\n${table([
    ['measure', 'verdict', 'change', '95 %', 'of this', 'of before', 'needed'],
    ...measures.map((each) => [
      each.name,
      each.verdict,
      each.by === undefined ? '-' : changeText(each, each.by),
      each.low === undefined || each.high === undefined
        ? '-'
        : `${changeText(each, each.low)} to ${changeText(each, each.high)}`,
      `${each.release} ${each.of}`,
      String(each.before),
      neededText(each),
    ]),
  ])}`
}

function neededText({ verdict: said, needed }: JudgedMeasure): string {
  if (said !== 'not_enough_data') return '-'
  return needed === undefined ? 'those of more people' : `about ${needed} more`
}

/** Shares differ by points, vitals by a part of what they were. */
const changeText = ({ isRelative }: JudgedMeasure, by: number): string =>
  `${by < 0 ? '−' : '+'}${Math.abs(by * 100).toFixed(1)} ${isRelative ? '%' : 'points'}`
