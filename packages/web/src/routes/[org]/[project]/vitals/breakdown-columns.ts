/** By what a vital is broken down, and how that is called. */
import type { BreakdownColumn, BreakdownRow, VitalBreakdown } from '@sonde/queries'

export type { BreakdownColumn, BreakdownRow, VitalBreakdown }

export const BREAKDOWN_COLUMNS = [
  { id: 'device', title: 'Device' },
  { id: 'browser', title: 'Browser' },
  { id: 'connection', title: 'Connection' },
  { id: 'country', title: 'Country' },
  { id: 'release', title: 'Release' },
] as const satisfies readonly { readonly id: BreakdownColumn; readonly title: string }[]
