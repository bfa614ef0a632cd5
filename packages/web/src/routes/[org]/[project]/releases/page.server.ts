export { loadReleases as load } from '../../../../releases/load-releases.server.ts'
