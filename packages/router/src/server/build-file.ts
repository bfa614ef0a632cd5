/** `build.json` beside the client and server folders of a build. */
export const BUILD_FILE = 'build.json'

export type BuildFile = { readonly buildId: string }
