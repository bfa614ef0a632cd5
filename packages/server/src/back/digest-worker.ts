/** The entry of a digest thread, a file of its own in the bundle. */
import '@sonde/pipeline/digest-worker'
