/** The entry of the SQL console's process, a file of its own in the bundle. */
import '@sonde/stores/console-process'
