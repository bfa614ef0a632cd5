/** What the adapters of routers do with an error that is shown in the place of the page. */
import { captureException } from '../api.ts'
import { failureReason } from '../navigation/failure-reason.ts'
import type { Navigations } from '../navigation/navigations.ts'
import type { OpenNavigation } from '../navigation/recorder.ts'

/** Ends the navigation, if one is under way, and reports the error where the app does not. */
export function showError(
  { client }: Navigations,
  router: string,
  open: OpenNavigation | undefined,
  error: unknown,
  captureErrors: boolean,
  isThere?: boolean,
): void {
  if (captureErrors) captureException(error, { mechanism: { type: router, handled: true } })
  client.emit('errorShown', error)
  open?.end('errored', failureReason(error), isThere)
}
