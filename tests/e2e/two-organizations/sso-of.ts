/** A sign-in provider of each organization, and a group of acme's: a group is taken away by its own organization alone. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Asker, Names } from './addresses.ts'
import { SECRET } from './fill-acme.ts'

export async function ssoOf(ann: Asker, bob: Asker, dataDir: string): Promise<Names> {
  await providerOf(ann, 'acme', SECRET)
  await providerOf(bob, 'globex', 'of globex')
  await post(ann, 'acme', { form: 'new-group', group: SECRET, role: 'viewer' })
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'), { readOnly: true })
  const { id } = records.prepare('SELECT id FROM sso_group').get() as { id: number }
  records.close()
  return { ssoGroup: String(id) }
}

const providerOf = (asker: Asker, org: string, name: string): Promise<void> =>
  post(asker, org, {
    form: 'provider',
    kind: 'oidc',
    name,
    issuer: `https://${org}.example`,
    clientId: name,
    clientSecret: name,
    defaultRole: 'member',
    sessionHours: '24',
  })

async function post({ url, headers }: Asker, org: string, form: Names): Promise<void> {
  const answer = await fetch(`${url}/${org}/settings/single-sign-on`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(form),
  })
  assert.equal(answer.status, 303, await answer.text())
}
