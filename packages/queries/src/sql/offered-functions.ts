/**
 * Functions that the console offers: an allow-list, because the engine has some fifteen hundred and every version brings
 * more. Left out are those that read files, settings, dictionaries or other tables, that tell about the machine, that wait,
 * those that name a function or a type in a text (`arrayReduce`, `initializeAggregation`, `JSONExtract`), and those that
 * take the square of the length of what they are given, or as long as a text says: distances between texts, Unicode's
 * normal forms, all beginnings of an address, `arrayFold`, patterns that are compiled (`multiMatch…`), `printf`. The engine
 * looks at its clock between blocks of rows, not inside of a function. Searches that are linear for what people write
 * (`extractAll`, `hasAny`) stay; the wall clock of the console ends them.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const ORDINARY = [
  // Numbers
  `abs avg2 divide divideDecimal divideOrNull gcd ifNotFinite intDiv intDivOrNull intDivOrZero isFinite
    isInfinite isNaN lcm max2 midpoint min2 minus modulo moduloOrNull moduloOrZero multiply multiplyDecimal
    negate plus positiveModulo positiveModuloOrNull sqr bitAnd bitCount bitHammingDistance bitNot bitOr
    bitRotateLeft bitRotateRight bitShiftLeft bitShiftRight bitSlice bitTest bitTestAll bitTestAny bitXor
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh degrees e erf erfc exp exp10 exp2 factorial hypot
    intExp10 intExp2 isPrime isProbablePrime lgamma log log10 log1p log2 pi pow radians sigmoid sign sin
    sinh sqrt tan tanh tgamma ceil floor round roundAge roundBankers roundDown roundDuration roundToExp2
    trunc`,
  // Comparing and choosing
  `equals greater greaterOrEquals in isDistinctFrom isNotDistinctFrom less lessOrEquals notEquals notIn
    notNullIn nullIn clamp greatest if least multiIf and not or xor assumeNotNull coalesce firstNonDefault
    ifNull isNotNull isNull isNullable isZeroOrNull nullIf toNullable transform exists lambda interval`,
  // Arrays, maps and tuples
  `array arrayAll arrayAvg arrayBottomK arrayCompact arrayConcat arrayCount arrayCumSum
    arrayCumSumNonNegative arrayDifference arrayDistinct arrayDotProduct arrayElement arrayElementOrNull
    arrayEnumerate arrayEnumerateDense arrayEnumerateDenseRanked arrayEnumerateUniq
    arrayEnumerateUniqRanked arrayExcept arrayExists arrayFill arrayFilter arrayFirst arrayFirstIndex
    arrayFirstOrNull arrayFlatten arrayIntersect arrayJaccardIndex arrayJoin arrayLast arrayLastIndex
    arrayLastOrNull arrayMap arrayMax arrayMin arrayPartialReverseSort arrayPartialSort arrayPopBack
    arrayPopFront arrayProduct arrayPushBack arrayPushFront arrayRemove arrayResize arrayReverse
    arrayReverseFill arrayReverseSort arrayReverseSplit arrayRotateLeft arrayRotateRight arrayShiftLeft
    arrayShiftRight arraySlice arraySort arraySplit arraySum arraySymmetricDifference arrayTopK
    arrayTranspose arrayUnion arrayUniq arrayWithConstant arrayZip arrayZipUnaligned countEqual empty has
    hasAll hasAny hasSubstr indexOf indexOfAssumeSorted length notEmpty range reverse extractKeyValuePairs
    extractKeyValuePairsWithEscaping map mapAdd mapAll mapApply mapConcat mapContainsKey mapContainsKeyLike
    mapContainsValue mapContainsValueLike mapExists mapExtractKeyLike mapExtractValueLike mapFilter
    mapFromArrays mapKeys mapPartialReverseSort mapPartialSort mapReverseSort mapSort mapSubtract mapUpdate
    mapValues tuple tupleElement tupleConcat tupleNames untuple dotProduct`,
  // Times
  `UTCTimestamp YYYYMMDDToDate YYYYMMDDToDate32 YYYYMMDDhhmmssToDateTime YYYYMMDDhhmmssToDateTime64 addDate
    addDays addHours addInterval addMicroseconds addMilliseconds addMinutes addMonths addNanoseconds
    addQuarters addSeconds addWeeks addYears age dateDiff dateName dateTrunc formatDateTime
    fromDaysSinceYearZero fromDaysSinceYearZero32 fromUTCTimestamp fromUnixTimestamp localtime makeDate
    makeDate32 makeDateTime makeDateTime64 monthName now now64 subDate subtractDays subtractHours
    subtractInterval subtractMicroseconds subtractMilliseconds subtractMinutes subtractMonths
    subtractNanoseconds subtractQuarters subtractSeconds subtractWeeks subtractYears timeDiff timeSlot
    timezone timezoneOf timezoneOffset toDayOfMonth toDayOfWeek toDayOfYear toDaysInMonth
    toDaysSinceYearZero toHour toISOWeek toISOYear toLastDayOfMonth toLastDayOfWeek toMicrosecond
    toMillisecond toMinute toMonday toMonth toMonthNumSinceEpoch toNanosecond toQuarter toRelativeDayNum
    toRelativeHourNum toRelativeMinuteNum toRelativeMonthNum toRelativeQuarterNum toRelativeSecondNum
    toRelativeWeekNum toRelativeYearNum toSecond toStartOfDay toStartOfFifteenMinutes toStartOfFiveMinutes
    toStartOfHour toStartOfISOYear toStartOfInterval toStartOfMicrosecond toStartOfMillisecond
    toStartOfMinute toStartOfMonth toStartOfNanosecond toStartOfQuarter toStartOfSecond toStartOfTenMinutes
    toStartOfWeek toStartOfYear toTimeWithFixedDate toTimezone toUTCTimestamp toUnixTimestamp toWeek
    toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss toYear toYearNumSinceEpoch toYearWeek today yesterday`,
  // Texts
  `appendTrailingCharIfAbsent ascii base32Decode base32Encode base64Decode base64Encode base64URLDecode
    base64URLEncode basename byteHammingDistance caseFoldUTF8 compareSubstrings concat concatWithSeparator
    conv decodeHTMLComponent decodeXMLComponent encodeXMLComponent endsWith endsWithCaseInsensitive
    endsWithCaseInsensitiveUTF8 endsWithUTF8 firstLine initcap initcapUTF8 isValidASCII isValidUTF8 left
    leftPad leftPadUTF8 leftUTF8 lengthUTF8 lower lowerUTF8 regexpExtract regexpPosition repeat reverseUTF8
    right rightPad rightPadUTF8 rightUTF8 soundex space startsWith startsWithCaseInsensitive
    startsWithCaseInsensitiveUTF8 startsWithUTF8 stringBytesEntropy stringBytesUniq stringJaccardIndex
    stringJaccardIndexUTF8 substring substringIndex substringIndexUTF8 substringUTF8 toValidUTF8 trimBoth
    trimLeft trimRight tryBase32Decode tryBase64Decode tryBase64URLDecode upper upperUTF8 format overlay
    overlayUTF8 regexpQuoteMeta replaceAll replaceOne replaceRegexpAll replaceRegexpOne translate
    translateUTF8 countMatches countMatchesCaseInsensitive countSubstrings countSubstringsCaseInsensitive
    countSubstringsCaseInsensitiveUTF8 extract extractAll extractAllGroupsHorizontal extractGroups
    hasAllTokens hasAnyTokens hasPhrase hasSubsequence hasSubsequenceCaseInsensitive
    hasSubsequenceCaseInsensitiveUTF8 hasSubsequenceUTF8 hasToken hasTokenCaseInsensitive
    hasTokenCaseInsensitiveOrNull hasTokenOrNull ilike like locate match multiSearchAllPositions
    multiSearchAllPositionsCaseInsensitive multiSearchAllPositionsCaseInsensitiveUTF8
    multiSearchAllPositionsUTF8 multiSearchAny multiSearchAnyCaseInsensitive
    multiSearchAnyCaseInsensitiveUTF8 multiSearchAnyUTF8 multiSearchFirstIndex
    multiSearchFirstIndexCaseInsensitive multiSearchFirstIndexCaseInsensitiveUTF8 multiSearchFirstIndexUTF8
    multiSearchFirstPosition multiSearchFirstPositionCaseInsensitive
    multiSearchFirstPositionCaseInsensitiveUTF8 multiSearchFirstPositionUTF8 ngramDistance
    ngramDistanceCaseInsensitive ngramDistanceCaseInsensitiveUTF8 ngramDistanceUTF8 ngramSearch
    ngramSearchCaseInsensitive ngramSearchCaseInsensitiveUTF8 ngramSearchUTF8 notILike notLike position
    positionCaseInsensitive positionCaseInsensitiveUTF8 positionUTF8 alphaTokens arrayStringConcat
    extractAllGroupsVertical ngrams reverseBySeparator splitByChar splitByNonAlpha splitByRegexp
    splitByString splitByWhitespace bin char hex unbin unhex`,
  // Addresses
  `cutFragment cutQueryString cutQueryStringAndFragment cutToFirstSignificantSubdomain
    cutToFirstSignificantSubdomainRFC cutToFirstSignificantSubdomainWithWWW
    cutToFirstSignificantSubdomainWithWWWRFC cutURLParameter cutWWW decodeURLComponent
    decodeURLFormComponent domain domainRFC domainWithoutWWW domainWithoutWWWRFC encodeURLComponent
    encodeURLFormComponent extractURLParameter extractURLParameterNames extractURLParameters
    firstSignificantSubdomain firstSignificantSubdomainRFC fragment netloc path pathFull port portRFC
    protocol queryString queryStringAndFragment topLevelDomain topLevelDomainRFC IPv4CIDRToRange
    IPv4NumToString IPv4NumToStringClassC IPv4StringToNum IPv4StringToNumOrDefault IPv4StringToNumOrNull
    IPv4ToIPv6 IPv6CIDRToRange IPv6NumToString IPv6StringToNum IPv6StringToNumOrDefault
    IPv6StringToNumOrNull cutIPv6 isIPAddressInRange isIPv4String isIPv6String toIPv4 toIPv4OrDefault
    toIPv4OrNull toIPv4OrZero toIPv6 toIPv6OrDefault toIPv6OrNull toIPv6OrZero`,
  // JSON
  `JSONArrayLength JSONExtractArrayRaw JSONExtractArrayRawCaseInsensitive JSONExtractBool
    JSONExtractBoolCaseInsensitive JSONExtractFloat JSONExtractFloatCaseInsensitive JSONExtractInt
    JSONExtractIntCaseInsensitive JSONExtractKeys JSONExtractKeysAndValues
    JSONExtractKeysAndValuesCaseInsensitive JSONExtractKeysAndValuesRaw
    JSONExtractKeysAndValuesRawCaseInsensitive JSONExtractKeysCaseInsensitive JSONExtractRaw
    JSONExtractRawCaseInsensitive JSONExtractString JSONExtractStringCaseInsensitive JSONExtractUInt
    JSONExtractUIntCaseInsensitive JSONHas JSONKey JSONLength JSONType JSON_EXISTS JSON_VALUE isValidJSON
    prettyPrintJSON simpleJSONExtractBool simpleJSONExtractFloat simpleJSONExtractInt simpleJSONExtractRaw
    simpleJSONExtractString simpleJSONExtractUInt simpleJSONHas toJSONString`,
  // Hashes and ids
  `MD5 SHA1 SHA256 URLHash cityHash64 farmHash64 halfMD5 intHash64 murmurHash3_64 sipHash128 sipHash64
    xxHash32 xxHash64 xxh3 UUIDNumToString UUIDStringToNum UUIDv7ToDateTime toUUIDOrDefault toUUIDOrNull`,
  // Conversion
  `CAST DATE fromUnixTimestamp64Micro fromUnixTimestamp64Milli fromUnixTimestamp64Nano
    fromUnixTimestamp64Second parseDateTime parseDateTime32BestEffort parseDateTime32BestEffortOrNull
    parseDateTime32BestEffortOrZero parseDateTime64 parseDateTime64BestEffort
    parseDateTime64BestEffortOrNull parseDateTime64BestEffortOrZero parseDateTime64OrNull
    parseDateTime64OrZero parseDateTimeBestEffort parseDateTimeBestEffortOrNull
    parseDateTimeBestEffortOrZero parseDateTimeOrNull parseDateTimeOrZero toBool toDate toDate32
    toDate32OrDefault toDate32OrNull toDate32OrZero toDateOrDefault toDateOrNull toDateOrZero toDateTime
    toDateTime32 toDateTime64 toDateTime64OrDefault toDateTime64OrNull toDateTime64OrZero
    toDateTimeOrDefault toDateTimeOrNull toDateTimeOrZero toDecimal128 toDecimal128OrDefault
    toDecimal128OrNull toDecimal128OrZero toDecimal32 toDecimal32OrDefault toDecimal32OrNull
    toDecimal32OrZero toDecimal64 toDecimal64OrDefault toDecimal64OrNull toDecimal64OrZero toDecimalString
    toFixedString toFloat32 toFloat32OrDefault toFloat32OrNull toFloat32OrZero toFloat64 toFloat64OrDefault
    toFloat64OrNull toFloat64OrZero toInt128 toInt128OrDefault toInt128OrNull toInt128OrZero toInt16
    toInt16OrDefault toInt16OrNull toInt16OrZero toInt32 toInt32OrDefault toInt32OrNull toInt32OrZero
    toInt64 toInt64OrDefault toInt64OrNull toInt64OrZero toInt8 toInt8OrDefault toInt8OrNull toInt8OrZero
    toInterval toIntervalDay toIntervalHour toIntervalMicrosecond toIntervalMillisecond toIntervalMinute
    toIntervalMonth toIntervalNanosecond toIntervalQuarter toIntervalSecond toIntervalWeek toIntervalYear
    toLowCardinality toString toStringCutToZero toTime toTime64 toTime64OrNull toTime64OrZero toTimeOrNull
    toTimeOrZero toUInt128 toUInt128OrDefault toUInt128OrNull toUInt128OrZero toUInt16 toUInt16OrDefault
    toUInt16OrNull toUInt16OrZero toUInt32 toUInt32OrDefault toUInt32OrNull toUInt32OrZero toUInt64
    toUInt64OrDefault toUInt64OrNull toUInt64OrZero toUInt8 toUInt8OrDefault toUInt8OrNull toUInt8OrZero
    toUUID toUUIDOrZero toUnixTimestamp64Micro toUnixTimestamp64Milli toUnixTimestamp64Nano
    toUnixTimestamp64Second`,
  // Showing
  `formatReadableDecimalSize formatReadableQuantity formatReadableSize formatReadableTimeDelta bar
    toTypeName toColumnTypeName identity ignore materialize byteSize rand rand64 grouping
    rowNumberInAllBlocks`,
  // Windows
  `row_number rank denseRank dense_rank percentRank percent_rank cume_dist ntile lag lead lagInFrame
    leadInFrame nth_value nonNegativeDerivative first_value last_value`,
  // Other names of these
  `BIT_AND BIT_OR BIT_XOR CARDINALITY CHARACTER_LENGTH CHAR_LENGTH COVAR_POP COVAR_SAMP DATE_DIFF
    DATE_FORMAT DATE_TRUNC DAY DAYOFMONTH DAYOFWEEK DAYOFYEAR FORMAT_BYTES FROM_BASE64 FROM_DAYS
    FROM_UNIXTIME HOUR INET6_ATON INET6_NTOA INET_ATON INET_NTOA LAST_DAY MAP_FROM_ARRAYS MICROSECOND
    MILLISECOND MINUTE MONTH NANOSECOND OCTET_LENGTH QUARTER REGEXP_EXTRACT REGEXP_MATCHES REGEXP_REPLACE
    REGEXP_SUBSTR SECOND STD STDDEV STDDEV_POP STDDEV_SAMP SUBSTRING_INDEX TIMESTAMP_DIFF TO_BASE64 TO_DAYS
    TO_UNIXTIME UTC_timestamp VAR_POP VAR_SAMP YEAR any_value array_agg array_remove array_to_string
    byteSlice caseWithoutExpr caseWithoutExpression ceiling concat_ws curdate current_date
    current_timestamp date_bin date_diff extractAllGroups flatten from_utc_timestamp group_concat
    hasAllToken hasAnyToken instr isASCII lcase ln localtimestamp lpad ltrim mapContains mapFromString
    matchPhrase max_by mid min_by mismatches mod modOrNull pmod pmodOrNull positive_modulo
    positive_modulo_or_null power rand32 regexpInstr regexp_instr replace rpad rtrim scalarProduct
    splitByAlpha str_to_date str_to_map string_agg substr time_bucket timestampDiff timestamp_diff
    toStartOfFiveMinute to_utc_timestamp trim truncate ucase unnest visitParamExtractBool
    visitParamExtractFloat visitParamExtractInt visitParamExtractRaw visitParamExtractString
    visitParamExtractUInt visitParamHas week yearweek`,
].flatMap(words)

const AGGREGATES = words(
  `any anyHeavy anyLast argAndMax argAndMin argMax argMin avg avgWeighted boundingRatio corr count covarPop
    covarSamp deltaSum deltaSumTimestamp entropy exponentialMovingAverage exponentialTimeDecayedAvg
    exponentialTimeDecayedCount exponentialTimeDecayedMax exponentialTimeDecayedSum groupArray
    groupArrayInsertAt groupArrayIntersect groupArrayLast groupArrayMovingAvg groupArrayMovingSum
    groupArraySample groupArraySorted groupBitAnd groupBitOr groupBitXor groupConcat groupUniqArray
    histogram intervalLengthSum kurtPop kurtSamp largestTriangleThreeBuckets max maxIntersections
    maxIntersectionsPosition maxMappedArrays min minMappedArrays rankCorr retention sequenceCount
    sequenceMatch sequenceMatchEvents simpleLinearRegression skewPop skewSamp sparkbar stddevPop stddevSamp
    sum sumCount sumKahan sumMapWithOverflow sumMappedArrays sumWithOverflow topK topKWeighted uniq
    uniqCombined uniqCombined64 uniqExact uniqHLL12 uniqUpTo varPop varSamp windowFunnel
    quantile quantiles quantileExact quantilesExact quantileExactLow quantilesExactLow quantileExactHigh
    quantilesExactHigh quantileExactInclusive quantilesExactInclusive quantileExactExclusive
    quantilesExactExclusive quantileExactWeighted quantilesExactWeighted quantileTDigest quantilesTDigest
    quantileTDigestWeighted quantilesTDigestWeighted quantileBFloat16 quantilesBFloat16
    quantileBFloat16Weighted quantilesBFloat16Weighted quantileTiming quantilesTiming quantileTimingWeighted
    quantilesTimingWeighted quantileInterpolatedWeighted quantilesInterpolatedWeighted median medianExact
    medianTDigest first_value last_value`,
)

/** What may stand behind the name of an aggregate, several times. Without `State` and `Merge`: states are bytes of the engine. */
const COMBINATORS = [
  'If',
  'Array',
  'Map',
  'ForEach',
  'Distinct',
  'OrDefault',
  'OrNull',
  'Resample',
  'ArgMin',
  'ArgMax',
] as const

// The engine knows some names in any case (`COUNT`), others in one; which, it says itself. A test looks that no
// dangerous function differs from an offered one by case alone.
const lowered = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => name.toLowerCase()))
const ALL = lowered([...ORDINARY, ...AGGREGATES])
const BASES = lowered(AGGREGATES)

export const OFFERED_FUNCTIONS: readonly string[] = [...new Set([...ORDINARY, ...AGGREGATES])]

export function isOfferedFunction(name: string): boolean {
  if (ALL.has(name.toLowerCase())) return true
  const combinator = COMBINATORS.find((suffix) => name.endsWith(suffix))
  if (combinator === undefined) return false
  const base = name.slice(0, -combinator.length)
  return BASES.has(base.toLowerCase()) || (base !== '' && isCombined(base))
}

const isCombined = (name: string): boolean =>
  COMBINATORS.some((suffix) => name.endsWith(suffix)) && isOfferedFunction(name)
