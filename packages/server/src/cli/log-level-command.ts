/** `sonde log-level [LEVEL] [--for TIME]`: how much the running Sonde writes into its log, told or changed. */
import { LOG_LEVELS, type LogLevel } from '@sonde/base'
import { type CommandInput, note, print, table, UsageError } from '@sonde/cli'
import { readConfig } from '../config/config.ts'
import { askBack } from '../internal/ask-back.ts'
import {
  LOG_LEVEL_PATH,
  type LogLevelChange,
  type LogLevelState,
  MAX_LEVEL_MS,
} from '../internal/log-control.ts'

type States = Readonly<Record<string, LogLevelState>>

export async function run({ positionals: [word], text, flag }: CommandInput): Promise<number> {
  const change = readChange(word, text('for'))
  const { paths } = readConfig()
  const body = change === undefined ? '' : JSON.stringify(change)
  const answer = await askBack(paths.frontSocket, 'POST', LOG_LEVEL_PATH, { body })
  if (answer === undefined) {
    note('sonde: no Sonde of this data folder runs here; SONDE_LOG_LEVEL is the level of the next start')
    return 1
  }
  print(flag('json') ? answer : statesText(JSON.parse(answer) as States))
  return 0
}

function readChange(word: string | undefined, time: string | undefined): LogLevelChange | undefined {
  if (word === undefined) {
    if (time !== undefined)
      throw new UsageError('--for needs a level, such as `sonde log-level debug --for 15m`')
    return undefined
  }
  const level: LogLevel | undefined = LOG_LEVELS.find((each) => each === word)
  if (level === undefined) throw new UsageError(`"${word}" is no level; levels are ${LOG_LEVELS.join(', ')}`)
  return { level, forMs: time === undefined ? undefined : readTime(time) }
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function readTime(text: string): number {
  const [, number, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const forMs = Number(number) * UNIT_MS[unit as keyof typeof UNIT_MS]
  if (forMs > 0 && forMs <= MAX_LEVEL_MS) return forMs
  throw new UsageError('--for is a time such as 30s, 15m or 2h, at most 7d')
}

function statesText(states: States): string {
  return table(
    Object.entries(states).map(([name, { level, configured, forMs }]) => [
      name,
      level,
      forMs === undefined ? '' : `for ${Math.ceil(forMs / 1_000)} s more, then ${configured}`,
    ]),
  )
}
