import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../server/app-context.ts'

/** Never redirects: the sign-in page is inside this layout too. */
export function load({ context }: LoadArgs<AppContext>) {
  const { viewer, clock } = context
  return {
    nowMs: clock.nowMs(),
    viewer: viewer && { name: viewer.name, email: viewer.email },
  }
}
