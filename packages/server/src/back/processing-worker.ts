/** The entry of a worker thread, a file of its own in the bundle. */
import '@sonde/pipeline/processing-worker'
