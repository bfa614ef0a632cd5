/** An issue tracker of acme, and what acme's issue is linked to there: each is taken away once. */
import assert from 'node:assert/strict'
import type { Asker, Names } from './addresses.ts'
import { SECRET } from './fill-acme.ts'

export async function trackerOf(
  { url, headers: signedIn }: Asker,
  { headers: withToken }: Asker,
  { issueId = '' }: Names,
  apiUrl: string,
): Promise<Names> {
  const connected = await fetch(`${url}/acme/settings/trackers`, {
    method: 'POST',
    headers: { ...signedIn, 'x-sonde-page': '1' },
    body: new URLSearchParams({
      form: 'new-tracker',
      kind: 'github',
      name: SECRET,
      places: 'acme/shop',
      apiUrl,
      'secret-token': SECRET,
    }),
  })
  const answer = await connected.text()
  const tracker = /"made":\{"id":(\d+)/.exec(answer)?.[1] ?? assert.fail(answer.slice(0, 2_000))
  const link = async (): Promise<string> => {
    const made = await fetch(`${url}/api/0/issues/${issueId}/external-issues/`, {
      method: 'POST',
      headers: { ...withToken, 'content-type': 'application/json' },
      body: JSON.stringify({ trackerId: tracker }),
    })
    const text = await made.text()
    assert.equal(made.status, 201, text)
    return (JSON.parse(text) as { id: string }).id
  }
  const [external, spareExternal, lastExternal] = [await link(), await link(), await link()]
  return { tracker, external, spareExternal, lastExternal }
}
