import { DEFAULT_QUERY } from '@sonde/queries/contract'
import { type UsualSearch, VIEWS } from './list-search.ts'

/** Searches that everybody has, below those that were saved. */
export const RECOMMENDED = [
  { name: 'Unresolved issues', query: DEFAULT_QUERY, sort: 'date' },
  { name: 'For review', query: VIEWS[0].query, sort: 'date' },
  { name: 'Assigned to me', query: VIEWS[1].query, sort: 'date' },
  { name: 'High priority', query: 'is:unresolved issue.priority:high', sort: 'priority' },
  { name: 'New in the last 24 hours', query: 'is:unresolved firstSeen:-24h', sort: 'new' },
  { name: 'Came back', query: 'is:unresolved is:regressed', sort: 'date' },
  { name: 'Escalating', query: 'is:unresolved is:escalating', sort: 'freq' },
  { name: 'Unhandled errors', query: 'is:unresolved is:unhandled', sort: 'freq' },
  { name: 'Nobody has it', query: 'is:unresolved is:unassigned', sort: 'priority' },
  { name: 'My bookmarks', query: 'bookmarks:me', sort: 'date' },
] as const satisfies readonly (UsualSearch & { readonly name: string })[]
