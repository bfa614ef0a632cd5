import { type LoadArgs, redirect, type RedirectStatus } from '@sonde/router/server'
import type { SampleContext } from '../../../context.ts'

export function load({ params }: LoadArgs<SampleContext, 'status'>) {
  redirect(`/dynamic/${params.status}`, Number(params.status) as RedirectStatus)
}
