/** Comments on acme's issue: by its owner, for the forms, and by a token, for the API. Each is taken away once. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Asker, Names } from './addresses.ts'
import { SECRET } from './fill-acme.ts'

export async function commentsOf(
  signedIn: Asker,
  withToken: Asker,
  { issueId = '' }: Names,
  dataDir: string,
): Promise<Names> {
  const write = async ({ url, headers }: Asker): Promise<string> => {
    const made = await fetch(`${url}/api/0/issues/${issueId}/comments/`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ text: SECRET }),
    })
    const text = await made.text()
    assert.equal(made.status, 201, text)
    return (JSON.parse(text) as { id: string }).id
  }
  const ownComment = await write(signedIn)
  await allLookedAt(dataDir)
  // Nobody is told of the others, also not who commented: a browser that cannot be reached would be tried again all the time.
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'))
  records.exec('PRAGMA busy_timeout = 10000; DELETE FROM issue_subscription')
  records.close()
  const [comment, comment0, comment1, comment2, comment3] = [
    await write(withToken),
    await write(withToken),
    await write(withToken),
    await write(withToken),
    await write(withToken),
  ]
  await allLookedAt(dataDir)
  return { ownComment, comment, comment0, comment1, comment2, comment3 }
}

/** Whom changes concern is found by a job: afterwards nothing changes by itself. */
async function allLookedAt(dataDir: string): Promise<void> {
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'))
  records.exec('PRAGMA busy_timeout = 10000')
  const untold = records.prepare('SELECT count(*) AS n FROM issue_change WHERE is_untold = 1')
  const endMs = Date.now() + 20_000
  while ((untold.get() as { n: number }).n > 0) {
    assert.ok(Date.now() < endMs, 'changes wait to be told')
    await new Promise((resolve) => setImmediate(resolve))
  }
  records.close()
}
