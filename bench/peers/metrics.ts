/** What rivals and limits are both measured by: of one name, so that they stand in one line of the table. */
import type { Better, Metric } from './findings.ts'
import type { Payload } from './payloads.ts'

export const FLOOD_MS = 3_000
export const CONNECTIONS = 32

export const metric = (name: string, unit: string, better: Better): Metric => ({ name, unit, better })

export const CPU_TIME = metric('processor time per 10,000 events', 's', 'less')
export const accepted = ({ name }: Payload): Metric => metric(`flood of ${name}: accepted`, '/s', 'more')
export const persisted = ({ name }: Payload): Metric => metric(`flood of ${name}: persisted`, '/s', 'more')
