/**
 * The crash-report modal that `Sentry.showReportDialog` loads from `/api/embed/error-page/?dsn=…&eventId=…`. It reads
 * everything from its own address, sends the form back there, and tells the page when it is closed, as the SDK listens for.
 * Labels: https://docs.sentry.io/platforms/javascript/user-feedback/configuration/#crash-report-modal
 */
import { type Outcome, showFormDialog } from '../dialog/form-dialog.ts'

const CLOSED = '__sentry_reportdialog_closed__'

// Set only while a classic script runs for the first time.
const { currentScript } = document
if (currentScript instanceof HTMLScriptElement && document.body) show(new URL(currentScript.src))

function show(address: URL): void {
  const { searchParams: params } = address
  const text = (name: string, usual: string): string => params.get(name) || usual
  showFormDialog({
    lang: params.get('lang') ?? undefined,
    title: text('title', 'It looks like we’re having issues.'),
    lines: [
      text('subtitle', 'Our team has been notified.'),
      text('subtitle2', 'If you’d like to help, tell us what happened below.'),
    ],
    fields: [
      { name: 'name', label: text('labelName', 'Name'), kind: 'text', isRequired: false, ...at('name') },
      { name: 'email', label: text('labelEmail', 'Email'), kind: 'email', isRequired: false, ...at('email') },
      {
        name: 'comments',
        label: text('labelComments', 'What happened?'),
        kind: 'textarea',
        isRequired: true,
      },
    ],
    submit: text('labelSubmit', 'Submit'),
    close: text('labelClose', 'Close'),
    said: {
      sent: text('successMessage', 'Your feedback has been sent. Thank you!'),
      invalid: text('errorFormEntry', 'Some fields were invalid. Please correct the errors and try again.'),
      failed: text(
        'errorGeneric',
        'An unknown error occurred while submitting your report. Please try again.',
      ),
    },
    send: (values) => post(address, values),
    onClose: () => postMessage(CLOSED, location.origin === 'null' ? '*' : location.origin),
  })

  function at(name: string): { readonly value?: string } {
    const value = params.get(name)
    return value ? { value } : {}
  }
}

async function post(address: URL, values: Readonly<Record<string, string>>): Promise<Outcome> {
  const to = new URL(address.pathname, address)
  for (const name of ['dsn', 'eventId']) to.searchParams.set(name, address.searchParams.get(name) ?? '')
  const answer = await fetch(to, { method: 'POST', body: new URLSearchParams(values) })
  if (answer.ok) return 'sent'
  return answer.status === 400 ? 'invalid' : 'failed'
}
