/** Why events were not stored, in words, with the way to the rule that decides it. */
import { NOISE_CLASSES, NOISE_NAMES } from '@sonde/protocol/noise'
import { OUTCOME_REASONS } from '@sonde/protocol/outcome'
import type { NotStored } from '@sonde/queries'
import { paths } from '../../../../paths.ts'

export type ReasonRow = NotStored & {
  readonly says: string
  /** Undefined: no rule of the project decides it. */
  readonly rule?: { readonly name: string; readonly to: string }
}

/** Sections of the project's settings. */
const SECTIONS: Readonly<Record<string, readonly [section: string, name: string]>> = {
  browser_extension: ['filters', 'Inbound filters'],
  crawler: ['filters', 'Inbound filters'],
  error_message: ['filters', 'Inbound filters'],
  localhost: ['filters', 'Inbound filters'],
  release: ['filters', 'Inbound filters'],
  allowed_domains: ['domains', 'Allowed domains'],
  sampled: ['sampling', 'Sampling'],
  spike: ['spikes', 'Spike protection'],
  key_quota: ['keys', 'Client keys'],
  project_quota: ['limit', 'Rate limit'],
  spike_events: ['limit', 'Rate limit'],
  spike_bytes: ['limit', 'Rate limit'],
  spike_spans: ['limit', 'Rate limit'],
  new_issues: ['limit', 'Rate limit'],
  span_cap: ['caps', 'Span quotas'],
  span_burst: ['caps', 'Span quotas'],
}

export function reasonRow(row: NotStored, org: string, project: string): ReasonRow {
  const [reason = '', of = ''] = row.outcome === 'client_discard' ? ['', ''] : row.reason.split(':')
  const says = wordsOf(row, reason, of)
  if (reason === 'thinned' || reason === 'noise')
    return { ...row, says, rule: { name: 'Noise rules', to: `${paths.noise(org, project)}#rules` } }
  if (reason === 'discarded_hash')
    return { ...row, says, rule: { name: 'Discarded issues', to: paths.discarded(org, project) } }
  const section = Object.hasOwn(SECTIONS, reason) ? SECTIONS[reason] : undefined
  if (!section) return { ...row, says }
  const [id, name] = section
  return { ...row, says, rule: { name, to: `${paths.projectSettings(org, project)}#${id}` } }
}

function wordsOf({ outcome, reason }: NotStored, own: string, of: string): string {
  if (outcome === 'client_discard') return `The SDK did not send it: ${reason}`
  if (own === 'noise') {
    const name = NOISE_CLASSES.find((each) => each === of)
    return `Class of noise that is dropped: ${name === undefined ? of : NOISE_NAMES[name]}`
  }
  const texts: Readonly<Record<string, string>> = OUTCOME_REASONS[outcome]
  return (Object.hasOwn(texts, own) ? texts[own] : undefined) ?? reason
}
