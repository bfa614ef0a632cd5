/** What stands on a chart where a release came: its deploy, or when it was first seen. Pure. */
export type ReleaseMarker = {
  readonly release: string
  /** Unix milliseconds: of the deploy, else of the first row that carried the release among what retention has kept. */
  readonly atMs: number
  /** The environment; absent: nobody told a deploy, it was first seen then. */
  readonly deployedTo?: string
}

/** More lines than this hide the chart; the newest are kept. */
export const MAX_MARKERS = 40

/**
 * Oldest first. Of a release that was deployed meanwhile its deploys are shown and not when it was first seen: that is
 * the same again, a moment later.
 */
export function withDeploys(
  firstSeen: readonly ReleaseMarker[],
  deploys: readonly ReleaseMarker[],
): readonly ReleaseMarker[] {
  const told = new Set(deploys.map(({ release }) => release))
  return [...firstSeen.filter(({ release }) => !told.has(release)), ...deploys]
    .toSorted((a, b) => a.atMs - b.atMs || (a.release < b.release ? -1 : 1))
    .slice(-MAX_MARKERS)
}
