/** Recorded rows and requests that we answer otherwise than the reference, on purpose. */
export const evaluationDeviations: Readonly<Record<string, string>> = {
  'a18-single-parenthesised-value': "x IN ('a') fails for every row there, so it is an error here",
  'a44-accepted-but-not-evaluable': 'operators that fail for every row there are an error here',
  'a45-substring-from-for': 'a form that cannot be loaded there is an error here',
  'a47-sqlite-engine-missing-function': 'a function that cannot be loaded there is an error here',
  'a53-schema-names': 'a connection tag, which is ignored there, is an error here',
  'a70-cte-reading-cte': 'a CTE in a CTE, which is taken for a table there, is an error here',
  'a82-not-in-forms': 'NOT (x IN list) is tested per element there, so rows leak; here it is NOT IN',
};
