/** What the HTML of every screen has around it: `document` of the page handler. */
import { REPORT_META } from '../reporter/report-meta.ts'
import { themeFromCookies } from '../shell/theme.ts'
import type { AppContext } from './app-context.server.ts'
import type { PageReport } from './self-report.server.ts'

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="4.5" fill="#0d5c6b"/><path d="M3.5 11.5h3l2-6 3 9 2-5.5 1 2.5h2" fill="none" stroke="#fff" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/></svg>`

const DOCUMENT = {
  lang: 'en',
  title: 'Sonde',
  head: [
    '<meta name="color-scheme" content="light dark">',
    '<meta name="robots" content="noindex">',
    `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">`,
  ].join(''),
} as const

type Requested = {
  readonly request: Request
  readonly context: Pick<AppContext, 'viewer'> | undefined
}

/**
 * With the theme that this browser has chosen, and with where to report to, if the screens may. Only people who are signed
 * in are told: the DSN lets anybody send who reads it.
 */
export function createDocument(reportFor: () => PageReport | undefined) {
  return ({ request, context }: Requested) => {
    const theme = themeFromCookies(request.headers.get('cookie'))
    const report = context?.viewer === undefined ? undefined : reportFor()
    return {
      ...DOCUMENT,
      head: report ? DOCUMENT.head + reportMeta(report) : DOCUMENT.head,
      htmlAttributes: theme === 'system' ? {} : { 'data-theme': theme },
    }
  }
}

function reportMeta(report: PageReport): string {
  const content = JSON.stringify(report)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
  return `<meta name="${REPORT_META}" content="${content}">`
}
