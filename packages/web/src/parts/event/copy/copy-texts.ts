/** What buttons and keys copy of an event: made when somebody copies, so its code comes after the page. */
import type { RequestInfo } from '@sonde/protocol/event'

// A request as a command for a shell: to send it again.

/** Set by curl itself, or wrong for a body that is sent anew. */
const LEFT_OUT: ReadonlySet<string> = new Set(['host', 'content-length', 'connection', 'accept-encoding'])

/** Undefined without a web address. Values that were scrubbed stay as they are shown. */
export function requestCurl(request: RequestInfo): string | undefined {
  const { url, method = 'GET', query_string = [], headers = [], cookies = [], data } = request
  if (url === undefined || !/^https?:\/\//i.test(url)) return undefined
  const query = new URLSearchParams(query_string.map(([key, value]) => [key, value])).toString()
  const target = query !== '' && !url.includes('?') ? `${url}?${query}` : url
  const hasCookieHeader = headers.some(([name]) => name.toLowerCase() === 'cookie')
  const body = data === undefined || data === null || data === '' ? undefined : bodyText(data)
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  const parts = [
    method.toUpperCase() === 'GET' && body === undefined ? '' : `-X ${quoted(method.toUpperCase())}`,
    quoted(target),
    ...headers
      .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    cookies.length > 0 && !hasCookieHeader
      ? `-b ${quoted(cookies.map(([name, value]) => `${name}=${value}`).join('; '))}`
      : '',
    body !== undefined && !hasType && typeof data === 'object'
      ? `-H ${quoted('Content-Type: application/json')}`
      : '',
    body === undefined ? '' : `--data-raw ${quoted(body)}`,
  ].filter((part) => part !== '')
  return `curl ${parts.join(' \\\n  ')}`
}

const bodyText = (data: RequestInfo['data']): string =>
  typeof data === 'string' ? data : JSON.stringify(data)

/** Within single quotes nothing means anything to the shell. Line breaks in a header would begin another one. */
const quoted = (text: string): string =>
  /^[A-Za-z0-9_./:=@%+,-]+$/.test(text)
    ? text
    : `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`

export { copyEvent, stackMarkdown } from './event-markdown.ts'
export { stackText } from './stack-text.ts'
