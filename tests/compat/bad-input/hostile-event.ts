/** HTML, script URLs and right-to-left text in every field that is shown. */

/** Set by a script that ran. */
export const RAN = 'sondeRanForeignCode'
const SCRIPT = `<script>window.${RAN}=1</script>`
const IMAGE = `<img src=x onerror="window.${RAN}=1">`
/** An override turns what follows around: `gpj.exe` reads as `exe.jpg`. */
export const RIGHT_TO_LEFT = 'مرحبا \u202Egpj.exe'

/** The field's name stands in it, so that a missing one can be named. */
const html = (field: string): string => `${field}"'>${IMAGE}${SCRIPT}</title></script>`
const text = (field: string): string => `${html(field)} ${RIGHT_TO_LEFT}`

const frame = {
  function: text('function'),
  module: text('module'),
  filename: text('filename'),
  abs_path: text('abs_path'),
  lineno: 2,
  context_line: text('context_line'),
  pre_context: [text('pre_context')],
  post_context: [text('post_context')],
  vars: { [text('var')]: text('var-value') },
  in_app: true,
}

export const HOSTILE_EVENT = {
  platform: 'python',
  level: 'error',
  logger: text('logger'),
  transaction: text('transaction'),
  server_name: text('server'),
  release: 'hostile@<b>1</b>',
  environment: '<b>prod</b>',
  dist: '<i>7</i>',
  message: text('message'),
  exception: {
    values: [
      {
        type: text('type'),
        value: text('value'),
        module: text('exception-module'),
        mechanism: { type: text('mechanism'), handled: false, help_link: `javascript:window.${RAN}=1` },
        stacktrace: { frames: [frame] },
      },
    ],
  },
  user: { id: text('user-id'), email: text('email'), username: text('username') },
  tags: { plain: html('tag-value'), [`<b>tag</b>`]: 'x', rtl: RIGHT_TO_LEFT },
  contexts: {
    [html('context')]: { [html('context-key')]: text('context-value') },
    browser: { name: html('browser'), version: text('version') },
    cart: { link: `javascript:window.${RAN}=1` },
  },
  extra: { [html('extra-key')]: text('extra-value') },
  breadcrumbs: [
    { category: text('category'), message: text('crumb'), level: 'info', data: { url: `javascript:${RAN}` } },
  ],
  request: {
    url: `javascript:window.${RAN}=1//${html('url')}`,
    method: html('method'),
    query_string: [[html('query'), text('query-value')]],
    headers: [[html('header'), text('header-value')]],
    data: text('body'),
  },
  sdk: { name: html('sdk'), version: html('sdk-version') },
  modules: { [html('package')]: html('package-version') },
  fingerprint: [text('fingerprint')],
}

/** Fields whose text the issue page must show as it is. */
export const SHOWN_FIELDS = [
  'message',
  'type',
  'value',
  'exception-module',
  'function',
  'pre_context',
  'context_line',
  'post_context',
  'var',
  'var-value',
  'category',
  'crumb',
  'user-id',
  'username',
  'tag-value',
  'query-value',
  'header-value',
  'body',
  'context',
  'context-key',
  'context-value',
  'extra-key',
  'extra-value',
  'sdk',
  'server',
  'package',
  'fingerprint',
] as const
export const shownText = (field: string): string => `${field}"'>${IMAGE}`
