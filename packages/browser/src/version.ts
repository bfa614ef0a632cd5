/** Kept equal to package.json by a test; importing JSON would put the whole file into the bundle. */
export const SDK_NAME = 'sonde.javascript.browser'
export const SDK_VERSION = '0.1.0'
