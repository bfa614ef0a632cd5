export { changeUploads as action } from '../../../../source-maps/change-uploads.server.ts'
export { loadSourceMaps as load } from '../../../../source-maps/load-source-maps.server.ts'
