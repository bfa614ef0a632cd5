/** Lets the tests see what the router does, before anything renders. */
import './app.css' // oxlint-disable-line import/no-unassigned-import
import { onRouterEvent, type RouterEvent } from '@sonde/router'

declare global {
  var routerEvents: RouterEvent[]
}

globalThis.routerEvents = []
onRouterEvent((event) => {
  globalThis.routerEvents.push(event)
  // The document that the browser loads instead begins with no events: why it came must outlive this one.
  if (event.type === 'full-load') sessionStorage.setItem('left-because', event.reason)
})
