/** Where exports lie: a folder or a bucket. The machine says which, as it does for backups (decision 0087). */
import { resolve } from 'node:path'
import { ConfigError, silentLogger } from '@sonde/base'
import type { Blobs, BlobsPlace } from '@sonde/stores'
import { openEngines, readS3Url } from '@sonde/stores/engines'
import { troubleOf } from '../backup/backup-place.ts'
import type { Config } from '../config/config.ts'
import { SETTINGS } from '../config/settings.ts'

export type ExportTarget = {
  readonly place: BlobsPlace
  /** For people. */
  readonly name: string
}

export type ExportPlace =
  | { readonly kind: 'set'; readonly target: ExportTarget }
  | { readonly kind: 'unset' }
  /** It is set, and cannot be used. */
  | { readonly kind: 'refused'; readonly trouble: string }

type Settings = Pick<Config, 'exports'>

/** `to`: as a person typed it. Throws `ConfigError` for an address that is none, or a bucket without keys. */
export function readExportTarget(to: string | undefined, { exports }: Settings): ExportTarget {
  const text = to ?? exports.to
  if (text === undefined)
    throw new ConfigError(
      SETTINGS.exportTo.name,
      'is not set, and no place for exports was named',
      'Name one: --to DIR or --to s3://BUCKET/PREFIX.',
    )
  if (!/^[a-z0-9+.-]+:\/\//i.test(text)) return { place: { dir: resolve(text) }, name: resolve(text) }
  const option = to === undefined ? SETTINGS.exportTo.name : text
  const address = readS3Url(text)
  if (!address) throw new ConfigError(option, `is not allowed; allowed is ${SETTINGS.exportTo.allowed}`)
  if (!exports.keys)
    throw new ConfigError(
      option,
      'is a bucket, and its keys are not set',
      `Set ${SETTINGS.exportAccessKey.name} and ${SETTINGS.exportSecretKey.name}.`,
    )
  return { place: { url: text, keys: exports.keys }, name: `s3://${address.bucket}/${address.prefix}` }
}

export function exportPlace(settings: Settings): ExportPlace {
  if (settings.exports.to === undefined) return { kind: 'unset' }
  try {
    return { kind: 'set', target: readExportTarget(undefined, settings) }
  } catch (error) {
    return { kind: 'refused', trouble: troubleOf(error) }
  }
}

/** Throws `SondeError` for a place that does not answer. */
export async function openExportPlace({ place }: ExportTarget): Promise<Blobs> {
  const dir = { dir: '' }
  const engines = { records: { file: '' }, telemetry: dir, log: dir, blobs: place }
  const { blobs } = await openEngines(engines, ['blobs'], { logger: silentLogger })
  return blobs
}
