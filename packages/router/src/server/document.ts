/** The HTML around the root element, and the fall-back page for when nothing can be rendered. */
import { digestLine, failureSentence } from '../shared/error-text.ts'
import { type PageError, ROOT_ELEMENT_ID } from '../shared/page-data.ts'
import type { InlineStyle } from './assets.ts'

export type DocumentOptions = {
  /** Default `en`. */
  readonly lang?: string
  /** Attributes of the html element: `{ 'data-theme': 'dark' }`. */
  readonly htmlAttributes?: Readonly<Record<string, string>>
  /** Put into the head as it is; give inline scripts and styles the nonce. */
  readonly head?: string
  /** Title of pages whose module has no `title`. */
  readonly title?: string
}

export type DocumentParts = DocumentOptions & {
  readonly nonce: string
  readonly styles: readonly string[]
  readonly inlineStyles: readonly InlineStyle[]
  readonly preloads: readonly string[]
}

export function documentStart(parts: DocumentParts & { readonly title: string }): string {
  const attributes = Object.entries({ lang: parts.lang ?? 'en', ...parts.htmlAttributes })
  return [
    `<!DOCTYPE html><html${attributes.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('')}><head>`,
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(parts.title)}</title>`,
    `<meta property="csp-nonce" nonce="${parts.nonce}">`,
    ...parts.styles.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`),
    ...parts.inlineStyles.map(
      ({ id, css }) =>
        `<style nonce="${parts.nonce}" data-vite-dev-id="${escapeHtml(id)}">${css.replaceAll('</', '<\\/')}</style>`,
    ),
    ...parts.preloads.map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}">`),
    parts.head ?? '',
    `</head><body><div id="${ROOT_ELEMENT_ID}">`,
  ].join('')
}

export const DOCUMENT_END = '</div></body></html>'

/** E1 and E2 without React: the same words in the same elements as the rendered fall-back page. */
export function staticFailure(host: string, error: PageError): string {
  const digest = error.digest === undefined ? '' : `<p>${escapeHtml(digestLine(error.digest))}</p>`
  return `<main><h1>${escapeHtml(failureSentence(host))}</h1>${digest}</main>`
}

/**
 * The same below a page whose shell was sent before its rest failed, for a browser without JavaScript; with it the
 * browser renders the rest again, and shows the fall-back page when that fails too.
 */
export function lateFailure(host: string, { digest }: PageError): string {
  const lines = [failureSentence(host), ...(digest === undefined ? [] : [digestLine(digest)])]
  return `<noscript><div role="alert">${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</div></noscript>`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
