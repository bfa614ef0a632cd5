/**
 * `/api/0/docs`: the document as a page, by Swagger UI. Everything comes from here, no script stands in the page, and nothing
 * is sent anywhere but to this Sonde, with the token that somebody types in.
 */
import type { Hono } from 'hono'
import type { ApiContext, ApiEnv } from '../api-context.ts'
import { publicFile } from './public-file.ts'
import { readerScript, readerStyles } from './reader-files.ts'

const PATH = '/api/0/docs'

/** Swagger UI sets styles of elements, and its pictures stand in its styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API · Sonde</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PATH}/swagger-ui.css">
<link rel="stylesheet" href="${PATH}/page.css">
<script src="${PATH}/swagger-ui.js" defer></script>
<script src="${PATH}/page.js" defer></script>
</head>
<body>
<div id="reader"></div>
<noscript>This page needs JavaScript. The document itself is at <a href="/api/0/openapi.json">/api/0/openapi.json</a>.</noscript>
</body>
</html>
`

const SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
SwaggerUIBundle({
  url: '/api/0/openapi.json',
  dom_id: '#reader',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
})
`

const STYLES = `body { margin: 0; overflow-wrap: break-word; }
html.dark-mode body { background: #1c2022; color: #e4e6e6; }
.dark-mode-toggle { display: none; }
noscript { display: block; padding: 1rem; font-family: sans-serif; }
@media (max-width: 600px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; padding: 4px 0; }
  .swagger-ui table.parameters, .swagger-ui table.responses-table { display: block; overflow-x: auto; }
}
`

export function readerRoutes(hono: Hono<ApiEnv>): void {
  const serve = (path: string, type: string, read: () => Promise<Uint8Array> | string): void => {
    const answer = publicFile(`${type}; charset=utf-8`, read, { 'content-security-policy': POLICY })
    hono.get(path, (c: ApiContext) => answer(c))
  }
  serve('/docs', 'text/html', () => PAGE)
  serve('/docs/page.js', 'text/javascript', () => SCRIPT)
  serve('/docs/page.css', 'text/css', () => STYLES)
  serve('/docs/swagger-ui.js', 'text/javascript', readerScript)
  serve('/docs/swagger-ui.css', 'text/css', readerStyles)
}
