import type { LoadArgs } from '@sonde/router/server'
import type { SampleContext } from '../../../../../context.ts'

export function load({ params, url }: LoadArgs<SampleContext, 'org' | 'project' | 'issue'>) {
  return { ...params, tab: url.searchParams.get('tab') }
}
