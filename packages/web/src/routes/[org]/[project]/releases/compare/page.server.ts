export { loadCompare as load } from '../../../../../releases/load-compare.server.ts'
