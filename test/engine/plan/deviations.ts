/** Examples whose recorded rows and requests we deliberately answer differently from the reference. */
export const evaluationDeviations: Readonly<Record<string, string>> = {
  'a18-single-parenthesised-value': "x IN ('a') fails for every row there, so it is an error here",
  'a44-accepted-but-not-evaluable': 'operators that fail for every row there are an error here',
  'a45-substring-from-for': 'a form that cannot be loaded there is an error here',
  'a47-sqlite-engine-missing-function': 'a function that cannot be loaded there is an error here',
  'a53-schema-names': 'a connection tag, which is ignored there, is an error here',
  'a70-cte-reading-cte': 'a CTE in a CTE, which is taken for a table there, is an error here',
  'a82-not-in-forms': 'NOT (x IN list) is tested per element there, so rows leak: it is an error here',
  'd44-unknown-table-function': 'an unknown table function, which cannot be loaded there, is an error here',
  'f02-static-parameters': 'a bucket whose name holds NULL has no rows, and is not given',
  'f03-table-parameters': 'a bucket whose name holds NULL has no rows, and is not given',
  'f07-json-each': 'a JSON null names no bucket; the reference makes the text "null" of it in edition 1',
  'f10-bucket-in-row-array':
    'a null in a list gives the row to nobody; there, to every client without that claim',
  'f12-and-same-parameter-bug':
    'both conditions on one parameter are enforced; there only the first, so rows leak',
  'f14-old-parameter-tables': 'a bucket whose name holds NULL has no rows, and is not given',
  'f34-and-same-request-value-bug':
    'both conditions on one value are enforced; there only the first, so rows leak',
  'f37-missing-arguments': 'a missing argument is NULL; there the column vanishes',
  'g01-basic': 'a NULL names no bucket, and a subscription does not bring the default evaluation with it',
  'g02-swallowed-error': 'IN (SELECT *) is an error here; there the condition is dropped, so all rows leak',
  'g05-no-wildcard-filters': 'a filter on a wildcard table is an error here; there it never matches',
};
