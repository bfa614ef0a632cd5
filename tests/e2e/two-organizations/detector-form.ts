/** The whole form of a project's detectors: a field that is missing is refused. */
import type { Names } from './addresses.ts'

export const DETECTOR_FORM: Names = {
  does: 'save',
  performance_n_plus_one_db_queries: 'on',
  'performance_n_plus_one_db_queries.min_count': '6',
  'performance_n_plus_one_db_queries.min_total_ms': '50',
  'performance_n_plus_one_api_calls.min_count': '10',
  'performance_n_plus_one_api_calls.min_total_ms': '300',
  'performance_slow_db_query.min_duration_ms': '1000',
  'performance_large_http_payload.min_bytes': '1024',
  'performance_render_blocking_asset_span.min_duration_ms': '500',
  'performance_consecutive_db_queries.min_count': '2',
  'performance_consecutive_db_queries.min_saved_ms': '100',
  'performance_consecutive_http.min_count': '3',
  'performance_consecutive_http.min_duration_ms': '500',
  'performance_consecutive_http.min_saved_ms': '2000',
  'performance_uncompressed_assets.min_bytes': '500',
  'performance_uncompressed_assets.min_duration_ms': '300',
  'performance_slow_page_data.min_duration_ms': '1000',
  'performance_hung_navigation.min_duration_ms': '5000',
  'performance_long_animation_frame.min_duration_ms': '500',
  'performance_layout_thrashing.min_forced_ms': '100',
}
