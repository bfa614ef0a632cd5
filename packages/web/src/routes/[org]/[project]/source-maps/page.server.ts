export { changeUploads as action } from './change-uploads.server.ts'
export { loadSourceMaps as load } from './load-source-maps.server.ts'
