/** How the past is cut for a preview. */
export const PREVIEW_MS = 14 * 86_400_000

const MAX_OVERLAP = 6

/**
 * How often a preview looks at a window that really moves by the minute: about four times within its length, so that each row is
 * counted a few times and not a thousand. Divides the window; windows up to five minutes stand side by side.
 */
export function stepMinutesOf(windowMinutes: number): number {
  if (windowMinutes <= 5) return windowMinutes
  for (let step = Math.floor(windowMinutes / 4); step >= 1; step--)
    if (windowMinutes % step === 0) return windowMinutes / step <= MAX_OVERLAP ? step : windowMinutes
  return windowMinutes
}

/** In groups of so many; the last group is as long as what is left. */
export const barsOf = <Item>(items: readonly Item[], each: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / each) }, (_, at) => items.slice(at * each, (at + 1) * each))
