/** How much an organisation may keep of uploads. */
import { SondeError } from '@sonde/base'
import { artifactUsage, type Records } from '@sonde/stores'

export type Quota = { readonly records: Records; readonly quotaBytes: number }

/** What more of files fits. Their chunks do not count: those go when the files are there. */
export async function roomForFiles({ records, quotaBytes }: Quota, orgId: number): Promise<number> {
  return quotaBytes - (await artifactUsage(records, orgId)).fileBytes
}

/** What more of chunks fits beside everything else. */
export async function roomForChunks({ records, quotaBytes }: Quota, orgId: number): Promise<number> {
  const { fileBytes, chunkBytes } = await artifactUsage(records, orgId)
  return quotaBytes - fileBytes - chunkBytes
}

export const noRoom = (quotaBytes: number): SondeError =>
  new SondeError(
    'invalid',
    `no room for the upload: the organization may keep ${mib(quotaBytes)} of source maps; delete old uploads on its Source maps screen, or raise SONDE_ARTIFACT_QUOTA_BYTES`,
    { operation: 'store an upload' },
  )

const mib = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MiB`
