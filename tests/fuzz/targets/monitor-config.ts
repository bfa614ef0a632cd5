/** `monitor_config` of check-ins: a schedule with its next runs and its words, or none; crontabs reach a library. */
import assert from 'node:assert/strict'
import { readSentConfig } from '../../../packages/alerts/src/crons/monitor.ts'
import { scheduleWords } from '../../../packages/alerts/src/crons/schedule-words.ts'
import { upcomingRuns } from '../../../packages/alerts/src/crons/schedule.ts'
import type { Random } from '../engine/random.ts'
import type { Target } from '../engine/target.ts'
import { mutateJson } from '../mutators/json.ts'

const FROM_MS = Date.UTC(2026, 9, 24, 23, 30)
const RUNS = 5

export const monitorConfig: Target = {
  name: 'monitor-config',
  seeds: () =>
    [
      { schedule: { type: 'crontab', value: '0 3 * * *' }, timezone: 'Europe/Berlin', checkin_margin: 5 },
      { schedule: { type: 'crontab', value: '*/5 9-17/2 1,15 jan-jun 1-5' }, max_runtime: 30 },
      { schedule: { type: 'crontab', value: '0 0 L * 5#2' }, timezone: 'America/New_York' },
      { schedule: { type: 'crontab', value: '@daily' }, owner: 'team:7', failure_issue_threshold: 2 },
      { schedule: { type: 'interval', value: 2, unit: 'month' }, recovery_threshold: 2, timezone: null },
    ].map((config) => Buffer.from(JSON.stringify(config))),
  mutate,
  maxBytes: 4 * 1024,
  open: () => ({ run }),
}

/** Of fields of crontabs. */
const PIECES = [
  '*',
  '/',
  '-',
  ',',
  '0',
  '5',
  '7',
  '23',
  '29',
  '31',
  '59',
  'L',
  'W',
  '#',
  '?',
  '+',
  'jan',
  'SUN',
  '@daily',
  ' ',
]

/** Every other time one piece of the crontab becomes others. */
function mutate(input: Buffer, random: Random, other: Buffer): Buffer {
  const [, before, value, after] =
    /^(.*"type":"crontab","value":")([^"]*)(".*)$/s.exec(input.toString('utf8')) ?? []
  if (value === undefined || random.oneIn(2)) return mutateJson(input, random, other)
  const parts = value.split(/(?<=[ ,/-])|(?=[ ,/-])/)
  parts[random.int(parts.length)] = Array.from({ length: 1 + random.int(3) }, () => random.pick(PIECES)).join(
    '',
  )
  return Buffer.from(`${before}${parts.join('')}${after}`)
}

function run(input: Buffer): void {
  const read = readSentConfig(input.toString('utf8'))
  if (!read) return
  const runs = upcomingRuns(read.config, FROM_MS, RUNS)
  let before = FROM_MS
  for (const at of runs) {
    assert.ok(Number.isSafeInteger(at) && at > before, `run at ${at} after ${before}`)
    before = at
  }
  assert.ok(scheduleWords(read.config).length > 0)
}
