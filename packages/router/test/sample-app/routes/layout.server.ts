import type { LoadArgs } from '@sonde/router/server'
import type { SampleContext } from '../context.ts'

export function load({ context }: LoadArgs<SampleContext>) {
  return { cookie: context.cookie }
}
