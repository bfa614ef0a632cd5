/** The worst that strangers can put before a body: each as long as all headers together may be. */
import { EVENT_ID } from './send.ts'
import type { WorstRequest } from './worst-requests.ts'

const HEADER_BYTES = 24_000
const fill = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length))

export function worstHeads(project: number, key: string): WorstRequest[] {
  const path = `/api/${project}/envelope/`
  const own = `${path}?sentry_key=${key}`
  const body = (): string => `{"event_id":"${EVENT_ID}"}\n{"type":"event"}\n{}\n`
  const values: Readonly<Record<string, readonly string[]>> = {
    'X-Sentry-Auth': ['Sentry sentry_key=', ',', 'sentry_key=a,', ' =', 'Sentry '],
    Authorization: ['Bearer ', 'DSN https://', ' '],
    Cookie: ['a=b; ', ';', '='],
    Baggage: ['sentry-a=b,', ',', 'a;b=c,', '%41='],
    'Sentry-Trace': ['0', '-', ' a'],
    Traceparent: ['00-', '0'],
    'User-Agent': ['bot ', 'Mozilla/5.0 (', 'Version/0', 'Android 1; ', '1'],
    'X-Forwarded-For': ['1.1.1.1, ', '::, ', ','],
    Origin: ['https://a.', 'a', '/'],
    Referer: ['https://', 'a?', '#'],
    'Content-Type': ['a;', 'multipart/form-data; ', ' '],
    'Content-Encoding': ['gzip,', ',', ' '],
    'Access-Control-Request-Headers': ['a,', ' '],
  }
  const headers = Object.entries(values).flatMap(([header, units]) =>
    units.map((unit) => ({
      name: `header ${header} of ${JSON.stringify(unit)}`,
      path: own,
      headers: { [header]: `${fill(unit, HEADER_BYTES)}!` },
      body,
    })),
  )
  const queries = ['&', 'sentry_key=', 'a=b&', '%', '%41', '+', '=', '?'].map((unit) => ({
    name: `query of ${JSON.stringify(unit)}`,
    path: `${path}?${fill(unit, HEADER_BYTES)}`,
    body,
  }))
  const paths = ['/', '/api/', '//', '/api/1/', '.', '/..', '%2f', '/monitoring'].map((unit) => ({
    name: `path of ${JSON.stringify(unit)}`,
    path: `/${fill(unit, HEADER_BYTES)}`,
    body,
  }))
  return [...headers, ...queries, ...paths]
}
