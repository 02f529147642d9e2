/** Repairs that set another edition or another option. */
import { applyEdits, shiftEdits } from '../../../engine/text/edit.ts';
import { span } from '../../../engine/text/span.ts';
import { endOfLineOf } from '../../../engine/yaml/columns.ts';
import type { Fix, Fixes, Subject } from '../fix.ts';
import { asStreams, asStreamsFrom } from '../migration.ts';
import { sure } from '../sqlEdits.ts';
import { entryNamed, insertingKey, sectionOf, settingOption, settingValue } from '../yamlEdits.ts';

function useEdition(edition: 2 | 3): ({ analysis }: Subject) => readonly Fix[] {
  return ({ analysis }) => [
    { title: `Use edition ${edition}`, edits: settingOption(analysis, 'edition', String(edition)) },
  ];
}

/** Returns a fix that sets an option of the `config` section to this value. */
function setOption(name: string, value: string): ({ analysis }: Subject) => readonly Fix[] {
  return ({ analysis }) => [
    { title: `Set ${name} to ${value}`, edits: settingOption(analysis, name, value), ...sure },
  ];
}

/** Returns a fix that replaces the value at the place. */
function replaceBy(value: string): (subject: Subject) => readonly Fix[] {
  return ({ part, at }) => [
    { title: `Write ${value}`, edits: shiftEdits([{ span: at, text: value }], part.base), ...sure },
  ];
}

export const editionFixes: Fixes = {
  'alpha-streams': useEdition(3),
  'streams-require-edition-2': useEdition(3),
  'cte-requires-edition-3': useEdition(3),
  'queries-requires-edition-3': useEdition(3),
  'or-in-subquery': useEdition(3),
  'subquery-condition': useEdition(3),
  'static-left-of-subquery': useEdition(3),
  'subquery-without-parameter': useEdition(3),
  'wildcard-filter': useEdition(3),
  'sqlite-engine-needs-edition-3': useEdition(3),
  'bucket-definitions-in-edition-3': (subject) => [
    ...useEdition(2)(subject),
    ...asStreamsOfEdition2(subject),
  ],
  'single-table-required': ({ analysis }) => asStreams(analysis),
  'subquery-in-from': ({ analysis }) => asStreams(analysis),
  'sqlite-engine-needs-json-fix': setOption('fixed_json_extract', 'true'),
  'time-precision-needs-iso8601': setOption('timestamps_iso8601', 'true'),
  'unsupported-storage-version': replaceBy('2'),
  'unstable-storage-version': replaceBy('2'),
  'schema-violation': (subject) => (subject.finding.args.key === 'edition' ? replaceBy('3')(subject) : []),
  'operator-not-evaluable': setOption('unstable_sqlite_expression_engine', 'true'),
  'function-not-evaluable': setOption('unstable_sqlite_expression_engine', 'false'),
  'missing-streams': addStreams,
  'missing-definitions': addStreams,
  'priority-ignored': useEdition(3),
};

/** Bucket definitions under `edition: 3` were probably written for edition 2. */
function asStreamsOfEdition2({ analysis }: Subject): readonly Fix[] {
  const [edition] = settingOption(analysis, 'edition', '2');
  return edition ? asStreamsFrom(analysis, applyEdits(analysis.text, [edition])) : [];
}

/** Adds an empty `streams` section, which is valid and has a place for the first stream. */
function addStreams({ analysis }: Subject): readonly Fix[] {
  const lineBreak = endOfLineOf(analysis.text);
  const at = span(analysis.text.length, analysis.text.length);
  const before = analysis.text === '' || analysis.text.endsWith('\n') ? '' : lineBreak;
  const section = sectionOf(analysis, 'config');
  if (analysis.config?.surroundings.options.edition === 3 || !section)
    return [
      {
        title: 'Add streams',
        edits: [
          ...(section ? [] : settingOption(analysis, 'edition', '3')),
          { span: at, text: `${before}streams: {}${lineBreak}` },
        ],
      },
    ];
  if (section.value.kind !== 'map') return [];
  const edition = entryNamed(section.value, 'edition');
  const edits = edition
    ? settingValue(section.part, edition.value, '3')
    : insertingKey(section.part, section.value, 'edition: 3');
  return [
    { title: 'Add streams', edits: [...edits, { span: at, text: `${before}streams: {}${lineBreak}` }] },
  ];
}
