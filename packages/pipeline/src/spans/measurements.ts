/** `measurements`: name → `{value, unit}`, or the bare value. Times become milliseconds, sizes stay as they are. */
import { isObject } from '../normalize/read.ts'

const MS_PER: Readonly<Record<string, number>> = {
  nanosecond: 1e-6,
  microsecond: 1e-3,
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
}
/** A value whose unit is no time stays as it is. */
export function inMs(value: number, unit: unknown): number {
  return typeof unit === 'string' && Object.hasOwn(MS_PER, unit) ? value * (MS_PER[unit] ?? 1) : value
}

// SDKs send a dozen; custom ones are a person's, and bounded.
const MAX_MEASUREMENTS = 40

export function readMeasurements(raw: unknown): Record<string, number> {
  if (!isObject(raw)) return {}
  const entries: [string, number][] = []
  for (const [name, value] of Object.entries(raw)) {
    const given: unknown = isObject(value) ? value['value'] : value
    const unit: unknown = isObject(value) ? value['unit'] : undefined
    if (typeof given !== 'number' || !Number.isFinite(given) || name === '__proto__') continue
    entries.push([name.slice(0, 200), inMs(given, unit)])
    if (entries.length === MAX_MEASUREMENTS) break
  }
  return Object.fromEntries(entries)
}
