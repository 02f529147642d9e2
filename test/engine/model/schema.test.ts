/**
 * Sync configs are read by the tables of `server/engine/model/`, which have a message for each mistake. Completion and
 * hovers use `schemas/sync-config.schema.json`. Both must accept the same keys and values.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ajvOptions } from '../../../scripts/bundles/validator.ts';
import { root } from '../../../scripts/root.ts';
import { type Code, severityOf } from '../../../server/engine/diagnostics/diagnostics.ts';
import { analyze } from '../../../server/engine/index.ts';

interface MapSchema {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
}

const schema: MapSchema & { readonly $defs: Readonly<Record<string, MapSchema>> } = JSON.parse(
  readFileSync(join(root, 'schemas/sync-config.schema.json'), 'utf8'),
);
const fits = new Ajv2020(ajvOptions).compile(schema);

const rows = 'SELECT * FROM lists';

/** A valid file around one map of the schema. */
const maps: Readonly<Record<string, { readonly own: object; readonly fileOf: (map: object) => object }>> = {
  config: {
    own: { edition: 3 },
    fileOf: (config) => ({ config, streams: { mine: { query: rows } } }),
  },
  stream: {
    own: { query: rows },
    fileOf: (mine) => ({ config: { edition: 3 }, streams: { mine } }),
  },
  bucketDefinition: {
    own: { data: [rows] },
    fileOf: (mine) => ({ config: { edition: 2 }, bucket_definitions: { mine } }),
  },
  event: {
    own: { payloads: [rows] },
    fileOf: (mine) => ({
      config: { edition: 3 },
      streams: { all: { query: rows } },
      event_definitions: { mine },
    }),
  },
};

const samples = [true, 1, 2.5, -1, 'word', rows, null, [], [rows], [1], {}, { a: rows }, { a: 1 }];

test('each map of the schema is tested', () => {
  const known = Object.entries(schema.$defs).filter(([, { properties }]) => properties !== undefined);
  expect(Object.keys(maps).sort()).toEqual(known.map(([name]) => name).sort());
});

describe.each(Object.entries(maps))('%s', (name, { own, fileOf }) => {
  const { properties } = schema.$defs[name] ?? schema;

  test('is valid without further keys', () => {
    expect(verdictsOn(fileOf(own))).toEqual({ schema: 'valid', engine: [] });
  });

  test.each([...Object.keys(properties), 'unknown_key'])('%s accepts the same values', (key) => {
    const values = [...samples, ...(properties[key]?.enum ?? [])];
    const different = values.flatMap((value) => {
      const verdicts = verdictsOn(fileOf({ ...own, [key]: value }));
      return agree(verdicts) ? [] : [{ value, ...verdicts }];
    });
    expect(different).toEqual([]);
  });
});

test.each(['unknown_key', 'edition', 'query'])('the file cannot have the key %s', (key) => {
  const file = { config: { edition: 3 }, streams: { all: { query: rows } }, [key]: rows };
  expect(verdictsOn(file)).toEqual({ schema: 'invalid', engine: ['unknown-key'] });
});

interface Verdicts {
  readonly schema: 'valid' | 'invalid';
  /** The codes of the errors. */
  readonly engine: readonly Code[];
}

function verdictsOn(file: object): Verdicts {
  const { findings } = analyze(stringify(file), { kind: 'sync' });
  const codes = findings.map(({ code }) => code).filter((code) => severityOf(code) === 'error');
  return { schema: fits(file) ? 'valid' : 'invalid', engine: codes };
}

/** Matches errors about keys and types. A schema cannot express others: errors in SQL, or of keys that exclude each other. */
const ofShape =
  /^(expected-|unknown-key|complex-key|missing-key|schema-violation|invalid-priority|event-|parameters-wrong)/;

function agree({ schema: verdict, engine }: Verdicts): boolean {
  return verdict === 'invalid' ? engine.length > 0 : !engine.some((code) => ofShape.test(code));
}
