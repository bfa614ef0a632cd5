/** The server's half of the sample app: in one bundle with its pages. */
export { type ErrorReport, type PageServer, serveBuilt, type ServerBuild } from '@sonde/router/server'
