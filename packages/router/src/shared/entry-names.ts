/** Names that building and serving share: the generated entry modules, and what lies beside them. */
export const CLIENT_ENTRY = 'virtual:sonde-router/entry-client'
export const SERVER_ENTRY = 'virtual:sonde-router/entry-server'

/** Development: the stream of edits for tabs that outlived a restart of the server. */
export const EDITS_PATH = '/@sonde-router/edits'

/** `build.json` beside the client and server folders of a build. */
export const BUILD_FILE = 'build.json'

export type BuildFile = { readonly buildId: string }
