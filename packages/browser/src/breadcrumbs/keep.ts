/** The last things that happened before an event. */
import type { Breadcrumb, Client } from '../types.ts'

// R6. The server keeps as many.
const MAX_BREADCRUMBS = 100

/** `data` has to be safe to write as JSON. */
export function keepBreadcrumb({ scope, options }: Client, breadcrumb: Breadcrumb): void {
  const dated = { timestamp: Date.now() / 1000, ...breadcrumb }
  const kept = options.beforeBreadcrumb ? options.beforeBreadcrumb(dated) : dated
  if (kept && scope.breadcrumbs.push(kept) > MAX_BREADCRUMBS) scope.breadcrumbs.shift()
}
