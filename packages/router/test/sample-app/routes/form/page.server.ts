import { type ActionArgs, invalid, redirect, type RedirectStatus } from '@sonde/router/server'
import type { SampleContext } from '../../context.ts'

export async function action({ context, formData, appendHeader }: ActionArgs<SampleContext>) {
  const form = await formData()
  const entry = form.get('name')
  const name = typeof entry === 'string' ? entry : ''
  context.posted.push(name)
  if (name === 'crash') throw new Error('the action failed with secret detail')
  if (name.startsWith('leave ')) {
    redirect(`${context.elsewhere}/landing`, Number(name.slice('leave '.length)) as RedirectStatus)
  }
  if (name === 'found') return new Response(null, { status: 302, headers: { location: '/acme' } })
  if (name.length < 3) return invalid({ problem: `"${name}" is too short` })
  if (name.startsWith('stay')) {
    await context.gate(name)
    return { saved: name }
  }
  appendHeader('set-cookie', `who=${encodeURIComponent(name)}; Path=/; HttpOnly; SameSite=Lax`)
  appendHeader('set-cookie', 'second=2; Path=/')
  return redirect('/acme')
}
