/** Tags over projects, and suggestions for the search field. */
import { type Scenario } from './scenario.ts'

export const TAGS: readonly Scenario[] = [
  {
    name: 'tags of an organization',
    as: 'acme',
    path: '/api/0/organizations/acme/tags/',
    status: 200,
    has: ['{"key":"browser.name","name":"Browser.name","totalValues":2}'],
  },
  {
    name: 'tags of a project',
    as: 'events-only',
    path: '/api/0/projects/acme/shop/tags/',
    status: 200,
    has: ['"key":"browser.name"'],
  },
  {
    name: 'tags of another organization',
    as: 'acme',
    path: '/api/0/organizations/rival/tags/',
    status: 403,
  },
  {
    name: 'tags need event:read',
    as: 'projects-only',
    path: '/api/0/organizations/acme/tags/',
    status: 403,
  },
  {
    name: 'tags of a period that is none',
    as: 'acme',
    path: '/api/0/organizations/acme/tags/?statsPeriod=soon',
    status: 400,
    has: ['not a period'],
  },
  {
    name: 'values of a tag',
    as: 'acme',
    path: '/api/0/projects/acme/shop/tags/browser.name/values/?query=fire',
    status: 200,
    has: ['"value":"Firefox","count":1,"firstSeen":"2026-01-31T11:00:00.000000Z"'],
    hasNot: ['Safari'],
  },
  {
    name: 'values of a tag that nobody has',
    as: 'acme',
    path: '/api/0/organizations/acme/tags/nothing/values/',
    status: 200,
    has: ['[]'],
  },
  {
    name: 'suggestions of keys, with a cookie',
    as: 'viewer',
    path: '/api/0/organizations/acme/search-suggestions/?q=is:new%20brow',
    status: 200,
    has: ['"offers":"keys"', '"from":7,"to":11', '"text":"browser.name:"', '"count":2'],
  },
  {
    name: 'suggestions of values at a cursor',
    as: 'acme',
    path: '/api/0/projects/acme/shop/search-suggestions/?q=browser.name:Saf%20is:new&cursor=16',
    status: 200,
    has: ['"offers":"values","key":"browser.name","from":13,"to":16', '"text":"Safari"'],
  },
  {
    name: 'suggestions of another organization',
    as: 'acme',
    path: '/api/0/organizations/rival/search-suggestions/?q=',
    status: 403,
  },
]
