/** What the HTML of every screen has around it: `document` of the page handler. */
import { themeFromCookies } from '../shell/theme.ts'

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

/** With the theme that this browser has chosen. */
export function documentOf({ request }: { readonly request: Request }) {
  const theme = themeFromCookies(request.headers.get('cookie'))
  return { ...DOCUMENT, htmlAttributes: theme === 'system' ? {} : { 'data-theme': theme } }
}
