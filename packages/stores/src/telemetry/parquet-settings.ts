/**
 * How the engine writes Parquet: one row group is in memory at a time, and each is small, because readers of the file have as little
 * memory as we do. Texts are texts, also those of a fixed length. https://clickhouse.com/docs/interfaces/formats/Parquet
 */
export const PARQUET_SETTINGS = {
  output_format_parquet_row_group_size: '50000',
  output_format_parquet_row_group_size_bytes: String(32 * 1024 * 1024),
  output_format_parquet_parallel_encoding: 0,
  output_format_parquet_compression_method: 'zstd',
  output_format_parquet_string_as_string: 1,
  output_format_parquet_fixed_string_as_fixed_byte_array: 0,
  max_threads: 1,
  // A week of a busy site takes minutes.
  max_execution_time: 0,
} as const
