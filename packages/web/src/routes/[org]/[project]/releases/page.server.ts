export { loadReleases as load } from './load-releases.server.ts'
