import type { LoadArgs } from '@sonde/router/server'
import type { SampleContext } from '../../../context.ts'

export const kind = 'static'

export async function load({ params, context }: LoadArgs<SampleContext, 'n'>) {
  await context.gate(`static ${params.n}`)
  return { n: params.n }
}
