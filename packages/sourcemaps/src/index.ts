export { debugIdOf, debugIdOfCode } from './debug-id.ts'
export { MAP_PROBLEMS, MapError, type MapProblem } from './map-problem.ts'
export {
  MAX_MAP_BYTES,
  type OriginalPosition,
  readSourceMap,
  type Source,
  type SourceMap,
} from './source-map.ts'
export { type ContextLines, contextLines, type ContextOptions } from './context-lines.ts'
export { sourceName } from './source-name.ts'
export { functionName } from './function-name.ts'
export { createFunctionIndex, type FunctionIndex } from './functions/function-index.ts'
