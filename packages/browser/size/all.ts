/** Budget "everything": with web vitals, their attribution, and the navigation ledger. */
import {
  breadcrumbs,
  captureException,
  captureMessage,
  init,
  navigations,
  setTag,
  setUser,
  tracing,
  vitals,
} from '@sonde/browser'

init({
  dsn: 'https://0123456789abcdef0123456789abcdef@sonde.example/1',
  tunnel: '/monitoring',
  features: [breadcrumbs(), tracing(), navigations(), vitals()],
})
export { captureException, captureMessage, setTag, setUser }
