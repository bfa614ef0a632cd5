/** A version that does not know what a later one wrote would read it wrongly, or write what that one cannot read. */
import { ConfigError } from '@sonde/base'

type StorePlace = { readonly setting: string; readonly place: 'folder' | 'database' }

/** Throws when a migration was applied that this version does not have. */
export function refuseLater(
  store: 'records' | 'telemetry',
  applied: readonly string[],
  migrations: readonly { readonly name: string }[],
  { setting, place }: StorePlace = { setting: 'SONDE_DATA_DIR', place: 'folder' },
): void {
  const known = new Set(migrations.map(({ name }) => name))
  const later = applied.filter((name) => !known.has(name)).sort()
  if (later.length === 0) return
  throw new ConfigError(
    setting,
    `a later version of Sonde has used this ${place}: the schema of its ${store} has the step ${later.join(', ')}, which this version does not know`,
    `Start that version or a newer one. To go back for good, restore a copy of the whole ${place} from before the upgrade.`,
  )
}
