export { loadCompare as load } from './load-compare.server.ts'
