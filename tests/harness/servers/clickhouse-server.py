"""A ClickHouse server out of the library that the npm package `chdb` brings: `clickhouse local` can listen.

    clickhouse-server.py LIBRARY CONFIG_FILE SECONDS

Listens as CONFIG_FILE says until it is ended, SECONDS at most, or until who started it is gone. Node cannot do this:
chDB's own bindings start no listener.
"""
import ctypes
import os
import signal
import sys

library, config, seconds = sys.argv[1:]
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
if os.getppid() == 1:
    sys.exit('who started this is gone')
query = (
    'SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; '
    f'SELECT sum(sleepEachRow(1)) FROM numbers({int(seconds)}) '
    'SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 1000000000000'
)
arguments = [b'clickhouse', b'--config-file=' + config.encode(), b'--query=' + query.encode()]
chdb = ctypes.CDLL(library)
chdb.chdb_query_cmdline.restype = ctypes.c_void_p
chdb.chdb_query_cmdline.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
chdb.chdb_result_error.restype = ctypes.c_char_p
chdb.chdb_result_error.argtypes = [ctypes.c_void_p]
result = chdb.chdb_query_cmdline(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments))
error = chdb.chdb_result_error(result) if result else None
if error:
    sys.exit(error.decode())
