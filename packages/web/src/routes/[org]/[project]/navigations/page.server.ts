import type { LoadArgs } from '@sonde/router/server'
import { loadNavigations } from './load-navigations.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export const load = (args: LoadArgs<AppContext, 'org' | 'project'>) => loadNavigations(args)
