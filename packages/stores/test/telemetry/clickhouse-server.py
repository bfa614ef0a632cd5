"""A ClickHouse server out of the library that the npm package `chdb` brings: `clickhouse local` can listen.

    clickhouse-server.py LIBRARY FOLDER HTTP_PORT

Listens on 127.0.0.1 until it is ended, ten minutes at most. Node cannot do this: chDB's own bindings start no listener.
"""
import ctypes
import os
import sys

library, folder, port = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
config = os.path.join(folder, 'config.xml')
with open(config, 'w') as file:
    file.write(
        f'<clickhouse><listen_host>127.0.0.1</listen_host><http_port>{port}</http_port><path>{folder}/data/</path></clickhouse>'
    )
query = (
    'SYSTEM START LISTEN HTTP; SELECT sum(sleepEachRow(1)) FROM numbers(600) '
    'SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 1000000000000'
)
arguments = [b'clickhouse', b'--config-file=' + config.encode(), b'--query=' + query.encode()]
chdb = ctypes.CDLL(library)
chdb.chdb_query_cmdline.restype = ctypes.c_void_p
chdb.chdb_query_cmdline.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
chdb.chdb_query_cmdline(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments))
