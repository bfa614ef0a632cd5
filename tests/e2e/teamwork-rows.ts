/** What people who work together leave behind: a team, a comment, an open invitation, a shared, a merged and a discarded issue. */
import assert from 'node:assert/strict'
import type { APIResponse, Page } from 'playwright-core'
import { apiClient } from '../harness/api-client.ts'
import { OWNER, type RunningSonde } from '../harness/start-sonde.ts'
import { messageEvent, sendEvent } from './screens-events.ts'

export type SecretLinks = { readonly invitation: string; readonly shared: string }

/** In `acme/shop`, by its owner. `words`: what things are called. */
export async function fillTeamwork(
  sonde: RunningSonde,
  { request }: Page,
  dsn: string,
  words: string,
): Promise<SecretLinks> {
  const headers = { origin: sonde.url, 'x-sonde-page': '1' }
  const isDone = async (answer: APIResponse): Promise<string> => {
    const text = await answer.text()
    assert.ok(answer.status() < 400, `${answer.url()} answered ${answer.status()}: ${text.slice(0, 500)}`)
    return text
  }
  const post = async (path: string, form: Readonly<Record<string, string>>): Promise<string> =>
    isDone(await request.post(`${sonde.url}${path}`, { headers, form, maxRedirects: 0 }))
  const call = async (method: string, path: string, data: object): Promise<string> =>
    isDone(await request.fetch(`${sonde.url}/api/0${path}`, { method, headers, data }))

  await call('POST', '/organizations/acme/teams/', { name: words, slug: 'web' })
  await call('POST', '/projects/acme/shop/teams/web/', { role: 'member' })
  await post('/acme/settings/teams/web', { form: 'add-member', email: OWNER.email })
  await post('/acme/shop/issues/SHOP-1/activity', {
    does: 'add',
    text: `**${words}** is seen by \`${words}\``,
  })
  const api = apiClient(sonde)
  const [discarded, merged] = ['is discarded', 'is merged']
  for (const text of [discarded, merged]) {
    const event = { ...messageEvent(Date.now() - 7_200_000, `${words} ${text}`), fingerprint: [text] }
    const id = await sendEvent(dsn, event)
    await api.until(`/api/0/projects/acme/shop/events/${id}/`, () => true)
  }
  const issues = await api.until<{ id: string; title: string; shortId: string }[]>(
    '/api/0/projects/acme/shop/issues/?query=',
    (list) => [discarded, merged].every((text) => list.some(({ title }) => title.endsWith(text))),
  )
  const idOf = (is: (issue: (typeof issues)[number]) => boolean): string => issues.find(is)?.id ?? ''
  await post('/acme/shop/issues/delete', {
    does: 'discard',
    ids: idOf(({ title }) => title.endsWith(discarded)),
  })
  const [into, gone] = [
    idOf(({ shortId }) => shortId === 'SHOP-1'),
    idOf(({ title }) => title.endsWith(merged)),
  ]
  await call('PUT', `/organizations/acme/issues/?id=${into}&id=${gone}`, { merge: 1 })
  const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? assert.fail(text)
  const invited = await post('/acme/settings/invitations', {
    form: 'open-link',
    role: 'member',
    days: '7',
    maxUses: '2',
  })
  await post('/acme/settings', { form: 'public-links', allow: 'yes' })
  const shared = await post('/acme/shop/issues/SHOP-1/share', { does: 'share', days: '7' })
  return {
    invitation: found(/token=([\w-]+)/, invited),
    shared: found(/settings\/shared\/([\w-]+)/, shared),
  }
}
