export { loadRelease as load } from '../../../../../releases/load-release.server.ts'
