/** Errors that nobody caught. Listeners and not `window.onerror`: the page's own handlers stay as they are. */
import type { Client } from '../types.ts'
import { captureThrown } from './capture.ts'

export function catchGlobalErrors(client: Client): void {
  for (const type of ['error', 'unhandledrejection'])
    addEventListener(type, (event) => {
      captureThrown(client, event, {
        mechanism: { type: 'auto.browser.global_handlers.on' + type, handled: false },
      })
    })
}
