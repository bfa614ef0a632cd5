/** The entry of the thread that looks at uploaded source maps, a file of its own in the bundle. */
import '@sonde/commands/inspect-worker'
