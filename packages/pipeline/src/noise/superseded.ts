/** Whether the release of an event was replaced by another one: what a tab that is still open from before sends. Pure. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { compareVersions } from '@sonde/protocol/release-version'

/** The release that was deployed last, and since when it is. Times are Unix milliseconds. */
export type Deployed = { readonly version: string; readonly sinceMs: number }
/** Environment → what is deployed there. Environments without deployments are not in it. */
export type DeployedReleases = Readonly<Record<string, Deployed>>

/**
 * While a deployment goes on, servers of both builds answer, and a tab of the old one may well be the one that is right. Within
 * an hour the last server is replaced; what was looked up a minute ago is right too.
 */
const SUPERSEDED_AFTER_MS = 60 * 60_000

/** False also where nobody knows: without a release, and in an environment without deployments. */
export function isSuperseded(
  { release, environment }: Pick<NormalizedEvent, 'release' | 'environment'>,
  receivedMs: number,
  deployed: DeployedReleases | undefined,
): boolean {
  if (!release || !environment || !deployed || !Object.hasOwn(deployed, environment)) return false
  const now = deployed[environment]
  if (!now || now.version === release || receivedMs < now.sinceMs + SUPERSEDED_AFTER_MS) return false
  // A later version is of the next deployment, which nobody has told yet.
  return (compareVersions(release, now.version) ?? -1) < 0
}
