/**
 * A percentile and its neighbours out of one sketch: the interval of a percentile ends at ranks that depend on how many
 * samples there are, and the engine wants all levels said beforehand. Reading a level more from a sketch costs nothing.
 */
export type QuantileGrid = {
  /** 0.75 for the 75th percentile. */
  readonly level: number
  /** One for each of `gridLevels(level)`. */
  readonly values: readonly number[]
}

/** Steps of a third, down to what half a million samples can tell apart. */
const DISTANCES = [
  0.24, 0.18, 0.135, 0.1, 0.075, 0.056, 0.049, 0.042, 0.031, 0.023, 0.0175, 0.013, 0.0098, 0.0073, 0.0055,
  0.0041, 0.003, 0.0022, 0.0017, 0.0012,
] as const

/** Ascending, from the least to the greatest value. */
export function gridLevels(level: number): readonly number[] {
  const below = DISTANCES.map((distance) => level - distance)
  const above = DISTANCES.map((distance) => level + distance).toReversed()
  return [0, ...below, level, ...above, 1].filter((each) => each >= 0 && each <= 1).map(rounded)
}

/** Between two levels of the grid in a straight line. */
export function quantileAt({ level, values }: QuantileGrid, at: number): number {
  const levels = gridLevels(level)
  const above = levels.findIndex((each) => each >= at)
  const [upper, lower] = [levels[above], levels[above - 1]]
  const [high, low] = [values[above] ?? values.at(-1) ?? Number.NaN, values[above - 1]]
  if (upper === undefined || lower === undefined || low === undefined || upper === at) return high
  return low + ((high - low) * (at - lower)) / (upper - lower)
}

/** 0.95 + 0.0012 has sixteen digits otherwise, and would be written so into every query. */
const rounded = (level: number): number => Math.round(level * 1e6) / 1e6
