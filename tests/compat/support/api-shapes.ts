/** What the tests read of `/api/0`. */
import assert from 'node:assert/strict'
import type { Harness } from './harness.ts'

export type Issue = {
  readonly id: string
  readonly shortId: string
  readonly title: string
  readonly culprit: string
  readonly level: string
  readonly platform: string
  readonly type: string
  /** A number as text. */
  readonly count: string
  readonly userCount: number
  readonly isUnhandled: boolean
  readonly metadata: Readonly<Record<string, unknown>>
  readonly permalink: string
  readonly firstSeen: string
  readonly lastSeen: string
}

export type Frame = {
  readonly function: string | null
  readonly filename: string | null
  readonly absPath: string | null
  readonly lineNo: number | null
  readonly inApp: boolean
  readonly context: readonly (readonly [number, string])[]
  readonly vars: Readonly<Record<string, unknown>> | null
}
export type Exception = {
  readonly type: string
  readonly value: string
  readonly mechanism: { readonly type: string; readonly handled?: boolean } | null
  readonly stacktrace: {
    readonly frames: readonly Frame[]
    readonly framesOmitted: readonly [number, number] | null
  } | null
}
export type Breadcrumb = {
  readonly category: string | null
  readonly message: string | null
  readonly level: string
  readonly data: Readonly<Record<string, unknown>> | null
}

export type EntryData = {
  readonly exception: { readonly values: readonly Exception[] }
  readonly breadcrumbs: { readonly values: readonly Breadcrumb[] }
  readonly message: { readonly formatted: string }
  readonly request: { readonly url: string; readonly method: string | null }
}

export type EventDetail = {
  readonly eventID: string
  readonly groupID: string
  readonly title: string
  readonly type: string
  readonly level: string
  readonly platform: string
  readonly dateCreated: string
  readonly release: { readonly version: string } | null
  readonly environment: string | null
  readonly sdk: { readonly name: string; readonly version: string } | null
  readonly user: Readonly<Record<string, unknown>> | null
  readonly tags: readonly { readonly key: string; readonly value: string }[]
  readonly contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly context: Readonly<Record<string, unknown>>
  readonly entries: readonly { readonly type: string; readonly data: unknown }[]
}

/** The data of one entry; fails when the event has none of that type. */
export function entry<K extends keyof EntryData>(event: EventDetail, type: K): EntryData[K] {
  const found = event.entries.find((each) => each.type === type)
  const types = event.entries.map((each) => each.type).join(', ')
  assert.ok(found, `event ${event.eventID} has no entry "${type}", only ${types}`)
  return found.data as EntryData[K]
}

export function exceptions(event: EventDetail): readonly Exception[] {
  return entry(event, 'exception').values
}

export function breadcrumbs(event: EventDetail): readonly Breadcrumb[] {
  return entry(event, 'breadcrumbs').values
}

/** The project's issues once they hold `events` events in all, by title. Fails when they never do. */
export async function issuesOnceThere(
  { api, project }: Harness,
  events: number,
): Promise<ReadonlyMap<string, Issue>> {
  const rows = await api.until<readonly Issue[]>(
    `/api/0/projects/${project.org}/${project.project}/issues/?limit=100`,
    (issues) => issues.reduce((sum, issue) => sum + Number(issue.count), 0) >= events,
  )
  return new Map(rows.map((issue) => [issue.title, issue]))
}

export function issueTitled(issues: ReadonlyMap<string, Issue>, title: string): Issue {
  const issue = issues.get(title)
  assert.ok(issue, `no issue is called "${title}", only ${[...issues.keys()].join(' | ')}`)
  return issue
}

export async function latestEvent({ api, project }: Harness, issue: Issue): Promise<EventDetail> {
  const { status, body } = await api.get<EventDetail>(
    `/api/0/organizations/${project.org}/issues/${issue.id}/events/latest/`,
  )
  assert.equal(status, 200)
  return body
}

export async function eventById({ api, project }: Harness, id: string): Promise<EventDetail> {
  return api.until<EventDetail>(`/api/0/projects/${project.org}/${project.project}/events/${id}/`, () => true)
}
