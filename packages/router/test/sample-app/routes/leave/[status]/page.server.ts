import { type ActionArgs, type LoadArgs, redirect, type RedirectStatus } from '@sonde/router/server'
import type { SampleContext } from '../../../context.ts'

export function load({ params, context }: LoadArgs<SampleContext, 'status'>) {
  redirect(`${context.elsewhere}/landing`, Number(params.status) as RedirectStatus)
}

export function action({ context }: ActionArgs<SampleContext>) {
  context.posted.push('left')
  redirect(`${context.elsewhere}/landing`)
}
