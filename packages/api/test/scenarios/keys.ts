/** One client key, and the end of a project. In order: later ones look at what earlier ones did. */
import { type Scenario } from './scenario.ts'

const KEY = '/api/0/projects/acme/shop/keys/{key}/'
const LIMITED = { name: 'Web', rateLimit: { count: 100, window: 60 } }

export const KEYS: readonly Scenario[] = [
  { name: 'one key', as: 'acme', path: KEY, status: 200, has: ['"id":"{key}"', '"rateLimit":null'] },
  { name: 'one key to a stranger', as: 'nobody', path: KEY, status: 401 },
  {
    name: 'a key that is not there',
    as: 'acme',
    path: '/api/0/projects/acme/shop/keys/none/',
    status: 404,
  },
  {
    name: 'a key of another project',
    as: 'all',
    path: '/api/0/projects/rival/secret/keys/{key}/',
    status: 404,
  },
  {
    name: 'a key gets a name and a limit',
    as: 'acme',
    method: 'PUT',
    path: KEY,
    body: LIMITED,
    status: 200,
    has: ['"name":"Web"', '"rateLimit":{"window":60,"count":100}', '"isActive":true'],
  },
  {
    name: 'and loses the limit',
    as: 'acme',
    method: 'PUT',
    path: KEY,
    body: { rateLimit: null, isActive: false },
    status: 200,
    has: ['"name":"Web"', '"rateLimit":null', '"isActive":false'],
  },
  ...['x', { count: 'many', window: 60 }, { count: 1 }].map((rateLimit): Scenario => ({
    name: `no limit is ${JSON.stringify(rateLimit)}`,
    as: 'acme',
    method: 'PUT',
    path: KEY,
    body: { rateLimit },
    status: 400,
    has: ['"rateLimit":['],
  })),
  {
    name: 'changing a key needs project:write',
    as: 'projects-only',
    method: 'PUT',
    path: KEY,
    body: LIMITED,
    status: 403,
  },
  { name: 'deleting one too', as: 'projects-only', method: 'DELETE', path: KEY, status: 403 },
  { name: 'a key is deleted', as: 'acme', method: 'DELETE', path: KEY, status: 204 },
  { name: 'and gone', as: 'acme', path: KEY, status: 404 },
  {
    name: 'a project gets another name',
    as: 'all',
    method: 'PUT',
    path: '/api/0/projects/acme/spare/',
    body: { name: 'The spare' },
    status: 200,
    has: ['"name":"The spare"', '"slug":"spare"'],
  },
  {
    name: 'a slug that is taken is named',
    as: 'all',
    method: 'PUT',
    path: '/api/0/projects/acme/spare/',
    body: { slug: 'shop' },
    status: 400,
    has: ['"slug":['],
  },
  {
    name: 'deleting a project needs project:admin',
    as: 'all',
    method: 'DELETE',
    path: '/api/0/projects/acme/spare/',
    status: 403,
  },
  {
    name: 'a project is deleted',
    as: 'project-admin',
    method: 'DELETE',
    path: '/api/0/projects/acme/spare/',
    status: 204,
  },
  { name: 'and is gone', as: 'acme', path: '/api/0/projects/acme/spare/', status: 404 },
]
