/**
 * Shows notifications in this browser, also while no page of Sonde is open, and opens what they are about. It is served as it
 * stands here, at a path that stays, so that its scope is all pages; it does nothing else, and reads no page.
 * What arrives: `PushContent` in packages/alerts/src/push/pusher.ts.
 */
/* global self */

const FALLBACK = { title: 'Sonde', body: 'Something happened.', path: '/settings/inbox', tag: 'sonde' }

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const { title, body, path, tag } = { ...FALLBACK, ...read(event.data) }
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, data: { path } }))
})

/** Browsers punish a push that shows nothing, so whatever cannot be read shows the fallback. */
function read(data) {
  try {
    return Object.fromEntries(Object.entries(data.json()).filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.path))
})

/** Of this Sonde alone, whatever the path says. The tab that shows it already comes to the front. */
async function open(path) {
  const { origin } = self.location
  const asked = new URL(path, origin)
  const url = asked.origin === origin ? asked.href : origin + FALLBACK.path
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find((client) => client.url === url)
  await (shown ? shown.focus() : self.clients.openWindow(url))
}
