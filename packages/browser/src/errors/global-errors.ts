/** Errors that nobody caught. Listeners and not `window.onerror`: the page's own handlers stay as they are. */
import type { Client } from '../types.ts'
import { captureThrown } from './capture.ts'
import type { Frame } from './stack.ts'

export function catchGlobalErrors(client: Client): void {
  const mechanism = (type: string) => ({ type: 'auto.browser.global_handlers.' + type, handled: false })
  addEventListener('error', ({ error, message, filename, lineno, colno }) => {
    const place: Frame[] = filename ? [{ filename, function: '?', lineno, colno, in_app: true }] : []
    captureThrown(client, error ?? message, { mechanism: mechanism('onerror') }, place)
  })
  addEventListener('unhandledrejection', ({ reason }) => {
    captureThrown(client, reason, { mechanism: mechanism('onunhandledrejection') })
  })
}
