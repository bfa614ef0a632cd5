import { LEVELS, type Level } from '@sonde/protocol/event'
import { invalid, type Scope } from './meta-remarks.ts'

const LEVEL_OF = new Map<string, Level>([
  ...LEVELS.map((level): [string, Level] => [level, level]),
  ['trace', 'debug'],
  ['verbose', 'debug'],
  ['log', 'info'],
  ['notice', 'info'],
  ['warn', 'warning'],
  ['err', 'error'],
  ['exception', 'error'],
  ['critical', 'fatal'],
  ['alert', 'fatal'],
  ['emergency', 'fatal'],
  ['panic', 'fatal'],
  // Python's logging sends its numbers.
  ['10', 'debug'],
  ['20', 'info'],
  ['30', 'warning'],
  ['40', 'error'],
  ['50', 'fatal'],
])

/** Unknown levels become `fallback` with a remark; absent ones without. */
export function readLevel(scope: Scope, value: unknown, fallback: Level): Level {
  if (value === undefined || value === null || value === '') return fallback
  if (typeof value === 'string' || typeof value === 'number') {
    const level = LEVEL_OF.get(typeof value === 'string' ? value : String(value))
    if (level) return level
    const lower = LEVEL_OF.get(String(value).trim().toLowerCase())
    if (lower) return lower
  }
  invalid(scope, 'level', value)
  return fallback
}
