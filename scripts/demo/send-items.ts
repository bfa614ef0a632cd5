/** Items of one envelope through the public door, as an SDK sends them. */
export type Item = readonly [header: Readonly<Record<string, unknown>>, payload: unknown]

export async function sendItems(dsn: string, items: readonly Item[]): Promise<void> {
  const { protocol, host, username, pathname } = new URL(dsn)
  const lines = items.map(([header, payload]) => `${JSON.stringify(header)}\n${JSON.stringify(payload)}\n`)
  const answer = await fetch(
    `${protocol}//${host}/api${pathname}/envelope/?sentry_version=7&sentry_key=${username}`,
    { method: 'POST', body: `{"sent_at":"${new Date().toISOString()}"}\n${lines.join('')}` },
  )
  if (!answer.ok) throw new Error(`Sonde did not take an envelope: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}
