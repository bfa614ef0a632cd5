import { type ActionArgs, invalid, redirect } from '@sonde/router/server'
import type { SampleContext } from '../../context.ts'

export async function action({ context, formData, appendHeader }: ActionArgs<SampleContext>) {
  const form = await formData()
  const entry = form.get('name')
  const name = typeof entry === 'string' ? entry : ''
  context.posted.push(name)
  if (name === 'crash') throw new Error('the action failed with secret detail')
  if (name === 'leave') redirect(`${context.elsewhere}/landing`)
  if (name.length < 3) return invalid({ problem: `"${name}" is too short` })
  if (name === 'stay') return { saved: name }
  appendHeader('set-cookie', `who=${encodeURIComponent(name)}; Path=/; HttpOnly; SameSite=Lax`)
  appendHeader('set-cookie', 'second=2; Path=/')
  return redirect('/acme')
}
