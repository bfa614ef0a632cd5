import { type LoadArgs, notFound } from '@sonde/router/server'
import type { SampleContext } from '../../context.ts'

export function load({ params }: LoadArgs<SampleContext, 'org'>) {
  if (params.org === 'missing') notFound()
  return { org: params.org, at: new Date(0) }
}
