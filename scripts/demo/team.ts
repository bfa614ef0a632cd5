/**
 * Who works on the shop: three people, what their teams own, and what they do with an error. They act as themselves, through
 * `/api/0` with the session of who has signed in, so that activity and audit log name them.
 */
import type { Mailbox } from './mailbox.ts'
import { DEMO_OWNER, type DemoSonde } from './sonde.ts'

/** Those who wrote the commits of `releases.ts`. Everybody in the demo has the owner's password. */
export const TEAM = {
  mara: { name: 'Mara Lind', email: 'mara.lind@shop.example' },
  tomas: { name: 'Tomás Silva', email: 'tomas.silva@shop.example' },
  ines: { name: 'Ines Faro', email: 'ines.faro@shop.example' },
} as const

const TEAMS = [
  { slug: 'checkout', name: 'Checkout', people: [TEAM.mara, TEAM.ines], projects: ['shop', 'api'] },
  { slug: 'warehouse', name: 'Warehouse', people: [TEAM.tomas, TEAM.ines], projects: ['api'] },
] as const

/** What each project's teams own. The last line that fits decides. */
const OWNERSHIP = {
  shop: ['path:*  #checkout', `path:src/ui/*  ${TEAM.mara.email}`],
  api: ['path:*  #checkout', 'tags.area:stock  #warehouse'],
} as const

/** Before anything comes in, so that it has an owner from the start. Of data that was kept all of it is there already. */
export async function gatherTeam(sonde: DemoSonde): Promise<void> {
  for (const { name, email } of Object.values(TEAM)) {
    const who = ['--name', name, '--email', email, '--password', DEMO_OWNER.password]
    sonde.json(['user', 'create', '--org', 'default', ...who])
  }
  const known = sonde.json(['team', 'list']) as readonly { readonly slug: string }[]
  for (const { slug, name, people, projects } of TEAMS) {
    if (known.some((team) => team.slug === slug)) continue
    const team = ['--team', slug]
    sonde.json(['team', 'create', '--name', name, '--slug', slug])
    for (const { email } of people) sonde.json(['team', 'add-member', ...team, '--email', email])
    for (const project of projects)
      sonde.json(['team', 'set-project', ...team, '--project', `default/${project}`, '--role', 'member'])
  }
  const owner = await personOf(sonde, DEMO_OWNER)
  for (const [project, rules] of Object.entries(OWNERSHIP))
    await owner('PUT', `projects/default/${project}/ownership/`, {
      raw: rules.join('\n'),
      autoAssignment: 'Auto Assign to Issue Owner',
    })
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>

/** For the requests of somebody who has signed in: the cookie, and where they come from. */
export async function signedIn(
  sonde: DemoSonde,
  { email }: { readonly email: string },
): Promise<{ readonly cookie: string; readonly origin: string }> {
  const answer = await fetch(`${sonde.url}/sign-in`, {
    method: 'POST',
    headers: { origin: sonde.url },
    body: new URLSearchParams({ email, password: DEMO_OWNER.password }),
    redirect: 'manual',
  })
  await answer.body?.cancel()
  const cookie = answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  if (answer.status !== 303) throw new Error(`${email} could not sign in: ${answer.status}`)
  return { cookie, origin: sonde.url }
}

/** Asks as somebody who has signed in. */
async function personOf(sonde: DemoSonde, person: { readonly email: string }): Promise<Call> {
  const { email } = person
  const headers = await signedIn(sonde, person)
  return async (method, path, body) => {
    const answer = await fetch(`${sonde.url}/api/0/${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${email}: ${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? undefined : answer.json()
  }
}

type Work = {
  readonly sonde: DemoSonde
  readonly mailbox: Mailbox
  /** Of the project `api`, newest first. */
  readonly issueId: string
  readonly line: (text: string) => void
}

type Merged = { readonly merge: { readonly parent: string }; readonly undo: string }

// Behind ten other messages it waits for a minute, and then for its turn.
const MAIL_WITHIN_MS = 90_000
const ISSUES = 'organizations/default/issues/'

/** Somebody of the team that owns it takes an issue and asks; who was asked merges, and takes one merge back. */
export async function workOnIssue({ sonde, mailbox, issueId, line }: Work): Promise<void> {
  const [tomas, ines] = [await personOf(sonde, TEAM.tomas), await personOf(sonde, TEAM.ines)]
  const { assignedTo } = (await tomas('GET', `${ISSUES}${issueId}/`)) as { assignedTo?: { name: string } }
  line(`Ownership has assigned it to #${assignedTo?.name ?? 'nobody'}; ${TEAM.tomas.name} takes it`)
  await tomas('PUT', `${ISSUES}${issueId}/`, { assignedTo: 'me' })
  const askedMs = Date.now()
  await tomas('POST', `${ISSUES}${issueId}/comments/`, {
    text: 'The counter goes **below zero** when two carts take the last kettle at once. @ines.faro, are the suppliers that do not answer related?',
  })
  const mail = await mailbox.until(
    askedMs,
    ({ by, to, text }) => by === 'mail' && to === TEAM.ines.email && /mentioned/.test(text),
    MAIL_WITHIN_MS,
  )
  line(`Mail to ${TEAM.ines.name}: ${mail.text}`)
  const found = (await ines('GET', 'projects/default/api/issues/?query=supplier&limit=5')) as {
    readonly id: string
  }[]
  const [first, second, third] = found
  if (!first || !second || !third) return
  const merge = async (...ids: readonly string[]) => {
    const search = ids.map((id) => `id=${id}`).join('&')
    return (await ines('PUT', `${ISSUES}?${search}`, { merge: 1 })) as Merged
  }
  const { parent } = (await merge(first.id, second.id)).merge
  const { undo } = await merge(parent, third.id)
  await ines('PUT', ISSUES, { undo })
  await ines('POST', `${ISSUES}${issueId}/comments/`, {
    text: 'No: that is the network. I merged two of those, and took a third back: it is another supplier.',
  })
  line(`${TEAM.ines.name} merges two issues of suppliers, takes a third back, and answers`)
}

/** By the one who took it; resolves with who that is. */
export async function resolveInNextRelease(
  sonde: DemoSonde,
  issueId: string,
): Promise<{ readonly email: string; readonly name: string }> {
  const tomas = await personOf(sonde, TEAM.tomas)
  await tomas('PUT', `${ISSUES}${issueId}/`, {
    status: 'resolved',
    statusDetails: { inNextRelease: true },
  })
  return TEAM.tomas
}
