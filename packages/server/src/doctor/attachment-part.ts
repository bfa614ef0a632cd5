/** The attachments as a line of the doctor: how much each organisation stores of what it may. */
import { attachmentUsages, type Records } from '@sonde/stores'
import type { PartReport } from './report.ts'

const MB = 1_000_000
/** Room for some days yet, where a week brings as much as the weeks before. */
const NEARLY_FULL = 0.9
const SHOWN = 5

export async function attachmentPart(records: Records, quotaBytes: number): Promise<PartReport> {
  const usages = await attachmentUsages(records)
  const used = usages.filter(({ bytes }) => bytes > 0)
  const name = 'attachments'
  const quota = sizeText(quotaBytes)
  if (used.length === 0) return { name, state: 'ok', detail: `none; an organisation may store ${quota}` }
  const list = used.slice(0, SHOWN).map(({ org, bytes }) => `${org} ${sizeText(bytes)}`)
  const more = used.length > SHOWN ? ` and ${used.length - SHOWN} more` : ''
  const detail = `${list.join(', ')}${more}; an organisation may store ${quota}`
  const full = used.filter(({ bytes }) => bytes >= quotaBytes * NEARLY_FULL)
  if (full.length === 0) return { name, state: 'ok', detail }
  return {
    name,
    state: 'degraded',
    detail: `${detail}. What does not fit is refused, its event is kept (reason attachment_quota): raise SONDE_ATTACHMENT_QUOTA_BYTES, or delete attachments of ${full.map(({ org }) => org).join(', ')}.`,
  }
}

const sizeText = (bytes: number): string => {
  if (bytes < MB) return `${(bytes / 1_000).toFixed(1)} kB`
  return bytes < 1_000 * MB ? `${(bytes / MB).toFixed(1)} MB` : `${(bytes / MB / 1_000).toFixed(1)} GB`
}
