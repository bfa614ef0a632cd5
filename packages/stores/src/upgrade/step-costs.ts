/**
 * Which steps read or write rows of before, and for how long: every other step takes milliseconds, however much is stored.
 * `bench/upgrade.ts` measures; docs/internals/upgrades.md has the rule.
 */
export type RowCost = {
  /** The table whose rows are read or written. */
  readonly table: string
  readonly msPerMillionRows: number
}

/** Of the records: while a start waits for them. Those of issues are measured; the others are judged by their statements. */
export const RECORDS_COSTS: Readonly<Record<string, readonly RowCost[]>> = {
  '0013-issue-text': [{ table: 'issue', msPerMillionRows: 6_000 }],
  '0014-issues-by-events': [{ table: 'issue', msPerMillionRows: 2_000 }],
  '0017-releases': [{ table: 'issue', msPerMillionRows: 1_500 }],
  '0023-attachment-usage': [{ table: 'attachment', msPerMillionRows: 3_000 }],
  '0024-log-partition': [
    { table: 'attachment', msPerMillionRows: 12_000 },
    { table: 'dead_letter', msPerMillionRows: 3_000 },
  ],
  '0036-alert-rule-owner': [{ table: 'issue', msPerMillionRows: 2_000 }],
  '0040-triage': [{ table: 'issue', msPerMillionRows: 600 }],
  '0043-review': [{ table: 'issue', msPerMillionRows: 6_000 }],
  '0045-comments': [{ table: 'issue_change', msPerMillionRows: 3_000 }],
  '0059-audit-log': [{ table: 'audit_entry', msPerMillionRows: 2_000 }],
  '0066-feedback': [{ table: 'issue', msPerMillionRows: 400 }],
  '0093-built-names': [{ table: 'artifact_file', msPerMillionRows: 1_500 }],
}

/** Of the telemetry: columns that rows of before are given in the background, while Sonde runs. */
export const TELEMETRY_FILLS: Readonly<Record<string, string>> = {
  '0007-searched-columns': 'events',
  '0011-vital-weeks': 'vitals',
  '0014-normalized-names': 'spans',
  '0015-span-links': 'spans',
  '0019-span-weeks': 'spans',
}
/** Parts of what a table takes that the new columns and, for a while, the parts before them take. */
const FILLED_SHARE = 0.25

export const fillBytes = (steps: readonly string[], bytesOf: (table: string) => number): number =>
  steps.reduce((sum, step) => sum + FILLED_SHARE * bytesOf(TELEMETRY_FILLS[step] ?? ''), 0)
