/** Names of the generated entry modules, for Vite's plugin and for the server in development. */
export const CLIENT_ENTRY = 'virtual:sonde-router/entry-client'
export const SERVER_ENTRY = 'virtual:sonde-router/entry-server'

/** Development: the stream of edits for tabs that outlived a restart of the server. */
export const EDITS_PATH = '/@sonde-router/edits'
