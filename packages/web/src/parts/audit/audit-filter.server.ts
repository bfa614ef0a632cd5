/** The filter of the audit log as its address has it. */
import type { AuditFilter } from '@sonde/queries'
import { AUDIT_ACTIONS } from '@sonde/stores'
import { objectOf } from './audit-words.ts'

const DAY_MS = 86_400_000

export type ShownFilter = {
  readonly who: string
  /** An action, or `token.*`: all of an object. */
  readonly action: string
  /** Days in UTC, `2026-11-23`; both included. */
  readonly start: string
  readonly end: string
}

/** `read` gives the empty text for what is not there. What is not understood narrows nothing, and is not shown as if it did. */
export function readAuditFilter(read: (name: string) => string): {
  readonly shown: ShownFilter
  readonly filter: AuditFilter
} {
  const text = (name: string): string => read(name).trim().slice(0, 200)
  const actions = actionsOf(text('action'))
  const [fromMs, lastMs] = [dayOf(text('start')), dayOf(text('end'))]
  const before = Number(read('before'))
  return {
    shown: {
      who: text('who'),
      action: actions ? text('action') : '',
      start: fromMs === undefined ? '' : text('start'),
      end: lastMs === undefined ? '' : text('end'),
    },
    filter: {
      who: text('who'),
      actions,
      fromMs,
      toMs: lastMs === undefined ? undefined : lastMs + DAY_MS,
      beforeId: Number.isSafeInteger(before) && before > 0 ? before : undefined,
    },
  }
}

function actionsOf(text: string): AuditFilter['actions'] {
  const found = AUDIT_ACTIONS.filter((action) => action === text || `${objectOf(action)}.*` === text)
  return found.length === 0 ? undefined : found
}

function dayOf(text: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
  return Number.isNaN(ms) ? undefined : ms
}
