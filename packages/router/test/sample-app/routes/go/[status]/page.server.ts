import { type LoadArgs, redirect, type RedirectStatus } from '@sonde/router/server'
import type { SampleContext } from '../../../context.ts'

export function load({ params }: LoadArgs<SampleContext, 'status'>) {
  const status = Number(params.status)
  const target = `/dynamic/${params.status}`
  if (status === 301 || status === 302) {
    return new Response(null, { status, headers: { location: target } })
  }
  return redirect(target, status as RedirectStatus)
}
