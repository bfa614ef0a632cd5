import type { LoadArgs } from '@sonde/router/server'
import { requireViewer } from '../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export function load(args: LoadArgs<AppContext>) {
  requireViewer(args)
  return { address: `${args.context.publicUrl}/mcp` }
}
