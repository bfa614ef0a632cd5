import type { LoadArgs } from '@sonde/router/server'
import type { SampleContext } from '../../../context.ts'

export async function load({ params, context }: LoadArgs<SampleContext, 'n'>) {
  await context.gate(`dynamic ${params.n}`)
  return { n: params.n }
}
