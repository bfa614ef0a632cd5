/**
 * The entry of `sonde-feedback.js`, for pages without an SDK: a button that opens a form, and `feedback` for what people write.
 * `<script src="…/sonde-feedback.js" data-dsn="…" defer>`; the attributes: docs/feedback.md.
 */
import { parseDsn } from '../api.ts'
import { type Outcome, showFormDialog, styleSheet } from '../dialog/form-dialog.ts'
import { randomHex } from '../random-hex.ts'
import { endpointsOf } from '../transport/transport.ts'
import type { Dsn, Options } from '../types.ts'
import { SDK_NAME, SDK_VERSION } from '../version.ts'

// Set only while a classic script runs for the first time; `async` and `defer` make no difference.
const { currentScript } = document
const attributes: Readonly<Record<string, string | undefined>> = currentScript?.dataset ?? {}
const dsn = parseDsn(attributes['dsn'] ?? '')
let isOpen = false

/** `SondeFeedback.open()`: for a button of the page's own. */
export function open(): void {
  if (!dsn || isOpen) return
  isOpen = true
  const text = (name: string, usual: string): string => attributes[name] || usual
  showFormDialog({
    lang: attributes['lang'],
    title: text('title', 'Send feedback'),
    lines: [text('subtitle', '')],
    fields: [
      {
        name: 'name',
        label: text('labelName', 'Name'),
        kind: 'text',
        isRequired: false,
        value: attributes['name'],
      },
      {
        name: 'email',
        label: text('labelEmail', 'Email, if you want an answer'),
        kind: 'email',
        isRequired: false,
        value: attributes['email'],
      },
      { name: 'message', label: text('labelMessage', 'Message'), kind: 'textarea', isRequired: true },
    ],
    submit: text('labelSubmit', 'Send'),
    close: text('labelClose', 'Close'),
    said: {
      sent: text('success', 'Thank you! Your feedback was sent.'),
      invalid: text('invalid', 'Please check the fields that are marked.'),
      failed: text('failed', 'Your feedback could not be sent. Please try again.'),
    },
    send: (values) => post(dsn, values),
    onClose: () => (isOpen = false),
  })
}

type Values = Readonly<Record<string, string>>

async function post(to: Dsn, { name = '', email = '', message = '' }: Values): Promise<Outcome> {
  const { tunnel, release, environment } = attributes
  const sdk = { name: SDK_NAME, version: SDK_VERSION }
  const eventId = randomHex(16)
  const url = location.href
  const event = {
    type: 'feedback',
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'info',
    release: release || undefined,
    environment: environment || undefined,
    sdk: { ...sdk, settings: { infer_ip: 'never' } },
    request: { url, headers: { 'User-Agent': navigator.userAgent } },
    user: { email: email || undefined, username: name || undefined },
    contexts: {
      feedback: {
        message,
        name: name || undefined,
        contact_email: email || undefined,
        url,
        source: 'widget',
      },
    },
  }
  const header = { event_id: eventId, sent_at: new Date().toISOString(), dsn: attributes['dsn'], sdk }
  const body = [header, { type: 'feedback' }, event].map((part) => JSON.stringify(part)).join('\n')
  const options = { ...(tunnel !== undefined && { tunnel: tunnel || '/monitoring' }) } as Options
  const answer = await fetch(endpointsOf(to, options)[0]!, { method: 'POST', body })
  if (answer.ok) return 'sent'
  return answer.status === 400 ? 'invalid' : 'failed'
}

/** In a corner of the page, above what it shows; none when the page names elements of its own. */
function addButton(label: string): void {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [
    styleSheet(
      '#open{position:fixed;inset:auto 1rem 1rem auto;z-index:2147483000;background:light-dark(#fff,#1b2129);color:light-dark(#14202c,#eef2f6);font:1rem/1.2 system-ui,sans-serif;box-shadow:0 1px 6px #0005}@media print{#open{display:none}}',
    ),
  ]
  const button = document.createElement('button')
  button.id = 'open'
  button.type = 'button'
  button.textContent = label
  button.addEventListener('click', open)
  root.append(button)
  document.body.append(host)
}

function start(): void {
  const { trigger, label } = attributes
  if (trigger === undefined) addButton(label || 'Feedback')
  // On the document: elements that come later count too.
  else
    document.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest(trigger)) open()
    })
}

// Without a DSN that can be read there is nobody to send to, and no button that promises it.
if (!dsn) reportError(new Error('Sonde: data-dsn is missing or cannot be read'))
else if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
else start()
