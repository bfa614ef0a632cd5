/** Since which release something costs what it costs. Pure. */

/** One release: what each of its page views was made to wait by it, on average. */
export type ReleaseCost = {
  readonly release: string
  /** Page views that were measured; with few the mean is an accident. */
  readonly samples: number
  readonly mean: number
}

export type Since = {
  readonly release: string
  /** Mean of a page view before; 0: it was not there. */
  readonly before: number
  readonly after: number
}

/** Releases with fewer measured page views are passed over. */
const MIN_SAMPLES = 20
/** A release that changes less than this changed something else. */
const MIN_GROWTH = 1.5

/**
 * `releases`: in the order in which they came. The one step that explains the means best (least squares, by page views);
 * undefined where it is no growth by half or more, and where there is nothing to compare with.
 */
export function sinceRelease(releases: readonly ReleaseCost[]): Since | undefined {
  const counted = releases.filter(({ samples, release }) => samples >= MIN_SAMPLES && release !== '')
  let best: (Since & { readonly explained: number }) | undefined
  for (let at = 1; at < counted.length; at++) {
    const [before, after] = [weigh(counted.slice(0, at)), weigh(counted.slice(at))]
    const step = after.mean - before.mean
    const explained = (step * step * before.samples * after.samples) / (before.samples + after.samples)
    const { release = '' } = counted[at] ?? {}
    if (best === undefined || explained > best.explained)
      best = { release, before: before.mean, after: after.mean, explained }
  }
  if (best === undefined || best.after <= 0 || best.after < best.before * MIN_GROWTH) return undefined
  const { release, before, after } = best
  return { release, before, after }
}

function weigh(list: readonly ReleaseCost[]): { readonly samples: number; readonly mean: number } {
  const samples = list.reduce((sum, each) => sum + each.samples, 0)
  return { samples, mean: list.reduce((sum, each) => sum + each.mean * each.samples, 0) / samples }
}
