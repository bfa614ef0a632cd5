import type { LoadArgs } from '@sonde/router/server'
import type { SampleContext } from '../../context.ts'

export async function load({ context }: LoadArgs<SampleContext>) {
  await context.gate('slow')
  return { done: true }
}
