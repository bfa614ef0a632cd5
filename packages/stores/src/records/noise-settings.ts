/** What a project does with each class of noise, and how many events of an issue a day it keeps whole. */
import {
  NOISE_ACTIONS,
  NOISE_CLASSES,
  type NoiseAction,
  type NoiseClass,
  THIN_PER_DAY,
} from '@sonde/protocol/noise'

export type NoiseSettings = {
  /** Absent: `keep`. */
  readonly actions: Readonly<Partial<Record<NoiseClass, NoiseAction>>>
  /** Events of one issue and day (UTC) that are stored before it is thinned. 0: all of them. */
  readonly fullPerDay: number
}

/** docs/decisions/0075-noise-and-thinned-issues.md says why. */
export const DEFAULT_NOISE: NoiseSettings = { actions: {}, fullPerDay: 1_000 }
export const FULL_PER_DAY_LIMITS = { least: 100, most: 10_000_000 } as const

/** From the stored JSON; what makes no sense is as by default. */
export function noiseSettingsFrom(stored: unknown): NoiseSettings {
  const { actions, fullPerDay } = fieldsOf(stored)
  const chosen = fieldsOf(actions)
  return {
    actions: Object.fromEntries(
      NOISE_CLASSES.flatMap((name) => {
        const action = NOISE_ACTIONS.find((each) => each === chosen[name])
        return action === undefined || action === 'keep' ? [] : [[name, action]]
      }),
    ),
    fullPerDay: isNumber(fullPerDay) ? fullPerDay : DEFAULT_NOISE.fullPerDay,
  }
}

/** How many events of its issue and day are stored whole. Undefined: all. */
export function fullPerDayOf(
  { actions, fullPerDay }: NoiseSettings,
  noise: NoiseClass | undefined,
): number | undefined {
  const most = fullPerDay === 0 ? undefined : fullPerDay
  if (noise === undefined || actions[noise] !== 'thin') return most
  return Math.min(THIN_PER_DAY, most ?? THIN_PER_DAY)
}

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  (value === 0 || (value >= FULL_PER_DAY_LIMITS.least && value <= FULL_PER_DAY_LIMITS.most))

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
