/** Reads what `ZonedTimeField` posts. */
import { zonedTime } from '../../format/person-zone.ts'

/** By the clock that the field named; without scripts that of the profile, or UTC. Undefined: no time, or of no zone. */
export function readZonedTime(
  { at, zone }: { readonly at: string; readonly zone: string },
  viewer: { readonly timeZone?: string | undefined } | undefined,
): number | undefined {
  return zonedTime(at, zone || viewer?.timeZone || 'UTC')
}
