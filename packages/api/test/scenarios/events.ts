/** Events of an issue and of a project. */
import { type Scenario } from './scenario.ts'

export const EVENTS: readonly Scenario[] = [
  {
    name: 'events of an issue',
    as: 'acme',
    path: '/api/0/organizations/acme/issues/{issue}/events/',
    status: 200,
    has: ['"eventID":"{event}"', '"user":{"id":"2"}'],
  },
  {
    name: 'the latest event',
    as: 'acme',
    path: '/api/0/organizations/acme/issues/{issue}/events/latest/',
    status: 200,
    has: ['"eventID":"{event}"', '"nextEventID":null'],
  },
  {
    name: 'the oldest event',
    as: 'acme',
    path: '/api/0/organizations/acme/issues/{issue}/events/oldest/',
    status: 200,
    has: ['"previousEventID":null', '"nextEventID":"{event}"'],
  },
  {
    name: 'an event of another issue',
    as: 'acme',
    path: '/api/0/organizations/acme/issues/{issue}/events/{quiet-event}/',
    status: 404,
  },
  {
    name: 'an event of the project',
    as: 'acme',
    path: '/api/0/projects/acme/shop/events/{event}/',
    status: 200,
    has: ['"groupID":"{issue}"', '"entries":[', '"dateCreated":"2026-01-31T11:59:00.000000Z"'],
  },
  {
    name: 'an event that is not there yet',
    as: 'acme',
    path: '/api/0/projects/acme/shop/events/ffffffffffffffffffffffffffffffff/',
    status: 404,
  },
  {
    name: 'an event of another project',
    as: 'acme',
    path: '/api/0/projects/acme/shop/events/{other-event}/',
    status: 404,
    hasNot: ['Secret'],
  },
  {
    name: 'the raw event',
    as: 'acme',
    path: '/api/0/projects/acme/shop/events/{event}/json/',
    status: 200,
    has: ['"datetime":"2026-01-31T11:59:00.000000Z"'],
  },
  {
    name: 'an event of the organization, as it is stored',
    as: 'acme',
    path: '/api/0/organizations/acme/events/{event}/json/',
    status: 200,
    has: ['"event_id":"{event}"'],
  },
  {
    name: 'an event of another organization, as it is stored',
    as: 'acme',
    path: '/api/0/organizations/acme/events/{other-event}/json/',
    status: 404,
  },
]
