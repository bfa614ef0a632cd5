/** Where a repair may be interrupted: each step may be the last one before a crash. */
export const REPAIR_STEPS = [
  'begun',
  'read',
  'planned',
  'events',
  'event_index',
  'index_deleted',
  'events_deleted',
  'counted',
  'merged',
  'pass_ended',
  'finished',
] as const
export type RepairStep = (typeof REPAIR_STEPS)[number]
