/** Addresses of the screens, whole: an answer is read far away from Sonde. */

export type Links = {
  readonly issues: (org: string, project?: string) => string
  readonly issue: (org: string, project: string, shortId: string) => string
  readonly event: (org: string, project: string, shortId: string, eventId: string) => string
  readonly trace: (org: string, traceId: string) => string
  readonly vitals: (org: string, project: string, route?: string) => string
  readonly navigations: (org: string, project: string, navigationId?: string) => string
  readonly release: (org: string, project: string, version: string) => string
  readonly project: (org: string, project: string) => string
  readonly sql: (org: string) => string
}

export function createLinks(publicUrl: string): Links {
  const to = (...segments: readonly string[]): string =>
    [publicUrl, ...segments.map((segment) => encodeURIComponent(segment))].join('/')
  const query = (fields: Readonly<Record<string, string | undefined>>): string => {
    const present = Object.entries(fields).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    return present.length === 0 ? '' : `?${new URLSearchParams(present)}`
  }
  return {
    issues: (org, project) => (project === undefined ? to(org, 'issues') : to(org, project, 'issues')),
    issue: (org, project, shortId) => to(org, project, 'issues', shortId),
    event: (org, project, shortId, eventId) => to(org, project, 'issues', shortId, 'events', eventId),
    trace: (org, traceId) => to(org, 'traces', traceId),
    vitals: (org, project, route) => to(org, project, 'vitals') + query({ route }),
    navigations: (org, project, navigation) => to(org, project, 'navigations') + query({ navigation }),
    release: (org, project, version) => to(org, project, 'releases', version),
    project: (org, project) => to(org, project),
    sql: (org) => to(org, 'sql'),
  }
}
