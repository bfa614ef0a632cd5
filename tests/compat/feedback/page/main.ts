/**
 * A shop that asks for feedback through @sentry/browser as its documentation says: the widget in the corner, and the
 * crash-report modal after an error. Where to report stands in the page's own address.
 */
import * as Sentry from '@sentry/browser'

declare const SHOP_RELEASE: string

const params = new URLSearchParams(location.search)
Sentry.init({
  dsn: params.get('dsn') ?? '',
  release: SHOP_RELEASE,
  integrations: [Sentry.feedbackIntegration({ enableScreenshot: true, colorScheme: 'system' })],
})

document.querySelector('#fail')?.addEventListener('click', () => {
  const eventId = Sentry.captureException(new Error('the card was declined'))
  Sentry.showReportDialog({
    eventId,
    user: { name: 'Ada', email: 'ada@example.com' },
    title: '<img src=x onerror="document.title=`pwned`">',
    labelComments: 'What did you do?',
    successMessage: 'Thanks from the shop',
    onLoad: () => (document.body.dataset['loaded'] = 'yes'),
    onClose: () => (document.body.dataset['closed'] = 'yes'),
  })
})
