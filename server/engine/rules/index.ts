/** Every rule, in the order and under the titles in which `docs/RULES.md` lists them. */
import { aliasInParameterQuery } from './alias-in-parameter-query.ts';
import { aliasRequired } from './alias-required.ts';
import { aliasedOutputTable } from './aliased-output-table.ts';
import { alphaStreams } from './alpha-streams.ts';
import { ambiguousReference } from './ambiguous-reference.ts';
import { argumentNotRequestData } from './argument-not-request-data.ts';
import { blobOutput } from './blob-output.ts';
import { bucketDefinitionNotAMap } from './bucket-definition-not-a-map.ts';
import { bucketDefinitionsInEdition3 } from './bucket-definitions-in-edition-3.ts';
import { bucketParametersMismatch } from './bucket-parameters-mismatch.ts';
import { complexKey } from './complex-key.ts';
import { configNotAMap } from './config-not-a-map.ts';
import { connectionTagIgnored } from './connection-tag-ignored.ts';
import { constantCondition } from './constant-condition.ts';
import { constantFails } from './constant-fails.ts';
import { cteInCte } from './cte-in-cte.ts';
import { cteRequiresEdition3 } from './cte-requires-edition-3.ts';
import { cteShadowsTable } from './cte-shadows-table.ts';
import { cteSingleColumn } from './cte-single-column.ts';
import { defaultStreamWithSubscriptionParameter } from './default-stream-with-subscription-parameter.ts';
import { dottedKey } from './dotted-key.ts';
import { duplicateColumn } from './duplicate-column.ts';
import { duplicateDefinition } from './duplicate-definition.ts';
import { duplicateTableName } from './duplicate-table-name.ts';
import { envNotAScalar } from './env-not-a-scalar.ts';
import { envUnknownSuffix } from './env-unknown-suffix.ts';
import { envWithoutPrefix } from './env-without-prefix.ts';
import { envWrongType } from './env-wrong-type.ts';
import { eventNotAMap } from './event-not-a-map.ts';
import { eventPayloadNotAString } from './event-payload-not-a-string.ts';
import { eventPayloadsNotAList } from './event-payloads-not-a-list.ts';
import { eventWhereIgnored } from './event-where-ignored.ts';
import { expectedBoolean } from './expected-boolean.ts';
import { expectedMap } from './expected-map.ts';
import { expectedNumber } from './expected-number.ts';
import { expectedScalar } from './expected-scalar.ts';
import { expectedSequence } from './expected-sequence.ts';
import { expectedString } from './expected-string.ts';
import { filterOnNull } from './filter-on-null.ts';
import { filterTooComplex } from './filter-too-complex.ts';
import { functionChained } from './function-chained.ts';
import { functionInputs } from './function-inputs.ts';
import { functionModifier } from './function-modifier.ts';
import { functionNotEvaluable } from './function-not-evaluable.ts';
import { functionPartition } from './function-partition.ts';
import { idNotText } from './id-not-text.ts';
import { identifierLowercased } from './identifier-lowercased.ts';
import { ignoredArguments } from './ignored-arguments.ts';
import { ignoredDistinct } from './ignored-distinct.ts';
import { ignoredStatement } from './ignored-statement.ts';
import { inSingleValue } from './in-single-value.ts';
import { internalError } from './internal-error.ts';
import { invalidCast } from './invalid-cast.ts';
import { invalidPriority } from './invalid-priority.ts';
import { invalidSchemaName } from './invalid-schema-name.ts';
import { isTrueNumber } from './is-true-number.ts';
import { joinUsing } from './join-using.ts';
import { largeBucketKey } from './large-bucket-key.ts';
import { likeNotSupported } from './like-not-supported.ts';
import { manyBuckets } from './many-buckets.ts';
import { matchNotAllowed } from './match-not-allowed.ts';
import { metadataOnSubquery } from './metadata-on-subquery.ts';
import { missingDefinitions } from './missing-definitions.ts';
import { missingId } from './missing-id.ts';
import { missingIdColumn } from './missing-id-column.ts';
import { missingKey } from './missing-key.ts';
import { missingStreams } from './missing-streams.ts';
import { mixedRowAndParameter } from './mixed-row-and-parameter.ts';
import { mixedTables } from './mixed-tables.ts';
import { multipleArrayParameters } from './multiple-array-parameters.ts';
import { multipleInExpressions } from './multiple-in-expressions.ts';
import { multipleOutputTables } from './multiple-output-tables.ts';
import { multipleStatements } from './multiple-statements.ts';
import { negatedInExpansion } from './negated-in-expansion.ts';
import { negatedMatch } from './negated-match.ts';
import { negatedSubquery } from './negated-subquery.ts';
import { noOutputColumns } from './no-output-columns.ts';
import { noOutputTable } from './no-output-table.ts';
import { nondeterministicFunction } from './nondeterministic-function.ts';
import { notASelect } from './not-a-select.ts';
import { notEqualNull } from './not-equal-null.ts';
import { operatorNotEvaluable } from './operator-not-evaluable.ts';
import { orInSubquery } from './or-in-subquery.ts';
import { orParametersMismatch } from './or-parameters-mismatch.ts';
import { outputFromFunction } from './output-from-function.ts';
import { overlapLeftNotRow } from './overlap-left-not-row.ts';
import { parameterInExpression } from './parameter-in-expression.ts';
import { parameterInOutput } from './parameter-in-output.ts';
import { parameterQueriesDiffer } from './parameter-queries-differ.ts';
import { parameterRightOfIn } from './parameter-right-of-in.ts';
import { parametersOnBothSides } from './parameters-on-both-sides.ts';
import { parametersUnresolved } from './parameters-unresolved.ts';
import { parametersWrongType } from './parameters-wrong-type.ts';
import { priorityIgnored } from './priority-ignored.ts';
import { priorityNotLiteral } from './priority-not-literal.ts';
import { prioritySetTwice } from './priority-set-twice.ts';
import { queriesRequiresEdition3 } from './queries-requires-edition-3.ts';
import { queryOrQueries } from './query-or-queries.ts';
import { readsRowsOfOthers } from './reads-rows-of-others.ts';
import { requestFunctionInDataQuery } from './request-function-in-data-query.ts';
import type { Rule } from './rule.ts';
import { sameParameterTwice } from './same-parameter-twice.ts';
import { schemaInColumnReference } from './schema-in-column-reference.ts';
import { schemaViolation } from './schema-violation.ts';
import { serviceCacertUnused } from './service-cacert-unused.ts';
import { serviceCloud } from './service-cloud.ts';
import { serviceDeployRefused } from './service-deploy-refused.ts';
import { serviceDeprecatedKey } from './service-deprecated-key.ts';
import { serviceEmbeddedOnly } from './service-embedded-only.ts';
import { serviceFileNotFound } from './service-file-not-found.ts';
import { serviceIgnoredKey } from './service-ignored-key.ts';
import { serviceIgnoredSslmode } from './service-ignored-sslmode.ts';
import { serviceIncompleteConnection } from './service-incomplete-connection.ts';
import { serviceInvalidUri } from './service-invalid-uri.ts';
import { serviceLiteralSecret } from './service-literal-secret.ts';
import { serviceMissingCacert } from './service-missing-cacert.ts';
import { serviceMissingKey } from './service-missing-key.ts';
import { serviceMissingStorage } from './service-missing-storage.ts';
import { serviceMissingValue } from './service-missing-value.ts';
import { serviceNoAudience } from './service-no-audience.ts';
import { serviceNoClientKeys } from './service-no-client-keys.ts';
import { serviceNoProbes } from './service-no-probes.ts';
import { serviceNoSyncConfig } from './service-no-sync-config.ts';
import { serviceNotEmbedded } from './service-not-embedded.ts';
import { serviceOutOfRange } from './service-out-of-range.ts';
import { servicePathAndContent } from './service-path-and-content.ts';
import { servicePrivateKey } from './service-private-key.ts';
import { serviceSecretNotBase64url } from './service-secret-not-base64url.ts';
import { serviceSeveralConnections } from './service-several-connections.ts';
import { serviceSupabaseOff } from './service-supabase-off.ts';
import { serviceSyncConfigTwice } from './service-sync-config-twice.ts';
import { serviceUnknownAlias } from './service-unknown-alias.ts';
import { serviceUnknownKey } from './service-unknown-key.ts';
import { serviceUnknownValue } from './service-unknown-value.ts';
import { serviceWrongType } from './service-wrong-type.ts';
import { singleTableRequired } from './single-table-required.ts';
import { sqlParameter } from './sql-parameter.ts';
import { sqlSyntax } from './sql-syntax.ts';
import { sqliteEngineNeedsEdition3 } from './sqlite-engine-needs-edition-3.ts';
import { sqliteEngineNeedsJsonFix } from './sqlite-engine-needs-json-fix.ts';
import { starInSubquery } from './star-in-subquery.ts';
import { starNotAllowed } from './star-not-allowed.ts';
import { starOverridesAlias } from './star-overrides-alias.ts';
import { starSubquery } from './star-subquery.ts';
import { staticLeftOfSubquery } from './static-left-of-subquery.ts';
import { streamsRequireEdition2 } from './streams-require-edition-2.ts';
import { subqueryColumnCount } from './subquery-column-count.ts';
import { subqueryCondition } from './subquery-condition.ts';
import { subqueryInFrom } from './subquery-in-from.ts';
import { subqueryPosition } from './subquery-position.ts';
import { subquerySingleColumn } from './subquery-single-column.ts';
import { subqueryWithoutParameter } from './subquery-without-parameter.ts';
import { tableNotInFrom } from './table-not-in-from.ts';
import { tableSuffixAlwaysEmpty } from './table-suffix-always-empty.ts';
import { timePrecisionNeedsIso8601 } from './time-precision-needs-iso8601.ts';
import { tooManyBuckets } from './too-many-buckets.ts';
import { typeMismatch } from './type-mismatch.ts';
import { unaryMinus } from './unary-minus.ts';
import { unauthenticatedParameter } from './unauthenticated-parameter.ts';
import { undefinedReference } from './undefined-reference.ts';
import { unknownColumn } from './unknown-column.ts';
import { unknownFunction } from './unknown-function.ts';
import { unknownFunctionColumn } from './unknown-function-column.ts';
import { unknownFunctionSchema } from './unknown-function-schema.ts';
import { unknownKey } from './unknown-key.ts';
import { unknownRequestFunction } from './unknown-request-function.ts';
import { unknownSchema } from './unknown-schema.ts';
import { unknownSubqueryColumn } from './unknown-subquery-column.ts';
import { unknownTable } from './unknown-table.ts';
import { unknownTableFunction } from './unknown-table-function.ts';
import { unknownTag } from './unknown-tag.ts';
import { unknownTimePrecision } from './unknown-time-precision.ts';
import { unnamedColumn } from './unnamed-column.ts';
import { unrelatedFilter } from './unrelated-filter.ts';
import { unresolvableFilter } from './unresolvable-filter.ts';
import { unstableStorageVersion } from './unstable-storage-version.ts';
import { unsupportedClause } from './unsupported-clause.ts';
import { unsupportedExpression } from './unsupported-expression.ts';
import { unsupportedJoin } from './unsupported-join.ts';
import { unsupportedJsonPath } from './unsupported-json-path.ts';
import { unsupportedOperator } from './unsupported-operator.ts';
import { unsupportedStorageVersion } from './unsupported-storage-version.ts';
import { unusedCte } from './unused-cte.ts';
import { unusedIgnore } from './unused-ignore.ts';
import { unusedJoin } from './unused-join.ts';
import { userIdWrongSchema } from './user-id-wrong-schema.ts';
import { wildcardFilter } from './wildcard-filter.ts';
import { wrongArgumentCount } from './wrong-argument-count.ts';
import { yamlDuplicateKey } from './yaml-duplicate-key.ts';
import { yamlMultipleDocuments } from './yaml-multiple-documents.ts';
import { yamlSyntax } from './yaml-syntax.ts';
import { yamlTooDeep } from './yaml-too-deep.ts';
import { yamlTooLong } from './yaml-too-long.ts';

export interface RuleGroup {
  readonly title: string;
  readonly rules: readonly Rule[];
}

export const ruleGroups: readonly RuleGroup[] = [
  {
    title: 'YAML',
    rules: [yamlSyntax, yamlDuplicateKey, yamlMultipleDocuments, yamlTooDeep, yamlTooLong],
  },
  {
    title: 'The structure of a sync config',
    rules: [
      configNotAMap,
      missingStreams,
      missingDefinitions,
      expectedMap,
      expectedSequence,
      expectedScalar,
      expectedString,
      expectedNumber,
      expectedBoolean,
      unknownKey,
      complexKey,
      missingKey,
      queryOrQueries,
      bucketDefinitionNotAMap,
      bucketDefinitionsInEdition3,
      streamsRequireEdition2,
      alphaStreams,
      cteRequiresEdition3,
      queriesRequiresEdition3,
      duplicateDefinition,
      invalidPriority,
      schemaViolation,
    ],
  },
  {
    title: 'Options under `config`',
    rules: [
      unsupportedStorageVersion,
      unstableStorageVersion,
      unknownTimePrecision,
      timePrecisionNeedsIso8601,
      sqliteEngineNeedsEdition3,
      sqliteEngineNeedsJsonFix,
    ],
  },
  {
    title: 'Statements and syntax',
    rules: [
      sqlSyntax,
      notASelect,
      multipleStatements,
      singleTableRequired,
      unsupportedJoin,
      joinUsing,
      unsupportedClause,
      sqlParameter,
    ],
  },
  {
    title: 'Tables, names and columns',
    rules: [
      invalidSchemaName,
      duplicateTableName,
      tableNotInFrom,
      ambiguousReference,
      undefinedReference,
      schemaInColumnReference,
      identifierLowercased,
      unnamedColumn,
      aliasRequired,
      missingIdColumn,
      starOverridesAlias,
      starNotAllowed,
      multipleOutputTables,
      outputFromFunction,
      parameterInOutput,
      noOutputTable,
      aliasedOutputTable,
      tableSuffixAlwaysEmpty,
    ],
  },
  {
    title: 'Expressions and functions',
    rules: [
      unknownFunction,
      nondeterministicFunction,
      wrongArgumentCount,
      functionModifier,
      unknownFunctionSchema,
      unknownRequestFunction,
      userIdWrongSchema,
      argumentNotRequestData,
      metadataOnSubquery,
      likeNotSupported,
      unsupportedOperator,
      unaryMinus,
      invalidCast,
      constantFails,
      unsupportedJsonPath,
      unsupportedExpression,
    ],
  },
  {
    title: 'Request values and filters',
    rules: [
      mixedRowAndParameter,
      mixedTables,
      filterTooComplex,
      tooManyBuckets,
      unresolvableFilter,
      unrelatedFilter,
      functionPartition,
      functionInputs,
      functionChained,
      unauthenticatedParameter,
    ],
  },
  {
    title: 'CTEs and subqueries',
    rules: [
      subqueryPosition,
      subquerySingleColumn,
      cteSingleColumn,
      starInSubquery,
      duplicateColumn,
      subqueryColumnCount,
      unknownSubqueryColumn,
      unusedCte,
    ],
  },
  {
    title: 'Legacy bucket definitions',
    rules: [
      parametersWrongType,
      parametersUnresolved,
      parameterQueriesDiffer,
      bucketParametersMismatch,
      parameterInExpression,
      parameterRightOfIn,
      parametersOnBothSides,
      matchNotAllowed,
      orParametersMismatch,
      multipleInExpressions,
      multipleArrayParameters,
      requestFunctionInDataQuery,
      aliasInParameterQuery,
      subqueryInFrom,
      unknownTableFunction,
      priorityNotLiteral,
      prioritySetTwice,
      internalError,
    ],
  },
  {
    title: 'Streams of edition 2',
    rules: [
      negatedMatch,
      orInSubquery,
      subqueryCondition,
      staticLeftOfSubquery,
      overlapLeftNotRow,
      subqueryWithoutParameter,
      defaultStreamWithSubscriptionParameter,
    ],
  },
  {
    title: 'Events',
    rules: [eventNotAMap, eventPayloadsNotAList, eventPayloadNotAString],
  },
  {
    title: 'With a known source schema',
    rules: [unknownSchema, unknownTable, unknownColumn, cteShadowsTable, typeMismatch, blobOutput],
  },
  {
    title: 'What a service accepts in silence',
    rules: [
      ignoredStatement,
      ignoredArguments,
      ignoredDistinct,
      noOutputColumns,
      missingId,
      idNotText,
      unknownFunctionColumn,
      operatorNotEvaluable,
      functionNotEvaluable,
      inSingleValue,
      negatedInExpansion,
      negatedSubquery,
      cteInCte,
      unusedJoin,
      filterOnNull,
      notEqualNull,
      dottedKey,
      isTrueNumber,
      constantCondition,
      connectionTagIgnored,
      sameParameterTwice,
      starSubquery,
      wildcardFilter,
      eventWhereIgnored,
      priorityIgnored,
      largeBucketKey,
    ],
  },
  {
    title: 'Advice that no service gives',
    rules: [readsRowsOfOthers, manyBuckets, unusedIgnore],
  },
  {
    title: 'The structure of a service config',
    rules: [
      serviceUnknownKey,
      serviceUnknownAlias,
      serviceMissingKey,
      serviceMissingValue,
      serviceWrongType,
      serviceUnknownValue,
      serviceOutOfRange,
      serviceDeprecatedKey,
      serviceIgnoredKey,
      serviceCloud,
    ],
  },
  {
    title: 'Values from the environment',
    rules: [envNotAScalar, envWithoutPrefix, envUnknownSuffix, envWrongType, unknownTag],
  },
  {
    title: 'What a service config means',
    rules: [
      serviceSeveralConnections,
      serviceNotEmbedded,
      serviceEmbeddedOnly,
      serviceMissingStorage,
      serviceInvalidUri,
      serviceIgnoredSslmode,
      serviceIncompleteConnection,
      serviceMissingCacert,
      serviceCacertUnused,
      serviceLiteralSecret,
      serviceSyncConfigTwice,
      servicePathAndContent,
      serviceNoSyncConfig,
      serviceFileNotFound,
      serviceDeployRefused,
      serviceNoProbes,
      serviceNoClientKeys,
      serviceNoAudience,
      serviceSupabaseOff,
      serviceSecretNotBase64url,
      servicePrivateKey,
    ],
  },
];
