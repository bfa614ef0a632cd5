import type { JsonObject } from '@sonde/protocol/event'
import { KeyValues } from '../../ui/key-values.tsx'
import { Section } from '../../ui/section.tsx'

const REPORTS = {
  csp: 'Content security policy report',
  hpkp: 'Public key pinning report',
  expectct: 'Certificate transparency report',
  expectstaple: 'OCSP stapling report',
  nel: 'Network error report',
  template: 'Template',
} as const

/** What browsers report by themselves, and other parts of an event that are kept as they came. */
export function ReportSections({ unknown }: { readonly unknown: JsonObject }) {
  return (Object.keys(REPORTS) as (keyof typeof REPORTS)[]).map((key) => {
    const report = unknown[key]
    if (typeof report !== 'object' || report === null) return null
    return (
      <Section key={key} id={key} title={REPORTS[key]}>
        <KeyValues caption={REPORTS[key]} rows={Object.entries(report)} />
      </Section>
    )
  })
}
