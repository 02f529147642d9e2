import { describe, expect, test } from 'vitest';
import { analyze } from '../../../server/engine/index.ts';

function kindOf(text: string, fileName?: string): string {
  return analyze(text, { fileName }).kind;
}

describe('The kind of a file follows from its top-level keys', () => {
  test.each([
    ['streams:\n  a:\n', 'sync'],
    ['bucket_definitions: {}\n', 'sync'],
    ['{config: {edition: 3}, streams: {}}', 'sync'],
    ['replication:\n  connections: []\nstorage: {}\n', 'service'],
    ['sync_config:\n  content: |\n    streams: {}\nclient_auth: {}\n', 'service'],
    ['apiVersion: v1\nkind: Service\n', 'foreign'],
    ['apiVersion: v1\nkind: ConfigMap\nstreams: {}\n', 'foreign'],
    ['name: x\non: push\njobs: {}\n', 'foreign'],
    ['- hosts: all\n', 'foreign'],
  ])('%j is %s', (text, kind) => {
    for (const name of ['powersync.yaml', 'sync-config.yaml', 'service.yaml', undefined])
      expect([name, kindOf(text, name)]).toEqual([name, kind]);
  });
});

describe('The kind of a file follows from its name if the keys do not suffice', () => {
  test.each([
    ['', 'sync.yaml', 'sync'],
    ['# soon\n', '/home/me/powersync/sync-config.yaml', 'sync'],
    ['', 'C:\\app\\powersync\\app.yml', 'sync'],
    ['', 'service.yaml', 'foreign'],
    ['', 'rooms.sync-test.yaml', 'tests'],
    ['config: sync.yaml\nrows: {}\n', 'sync-test.yml', 'tests'],
    ['config: sync.yaml\ntests: []\n', 'access.yaml', 'tests'],
    ['config: sync.yaml\nalways: []\n', 'sync.yaml', 'tests'],
    ['tests: []\n', 'access.yaml', 'foreign'],
    ['config: {}\nstreams: {}\ntests: []\n', 'sync.yaml', 'sync'],
    ['', 'docker-compose.yaml', 'foreign'],
    ['config:\n  edition: 3\n', 'sync_rules.yaml', 'sync'],
    ['config:\n  a: 1\n', 'app.yaml', 'foreign'],
    ['stream:\n  a: {}\n', 'sync.yaml', 'sync'],
    ['stream:\n  a: {}\n', 'app.yaml', 'foreign'],
    ['stre', 'sync.yaml', 'sync'],
    ['stre', 'app.yaml', 'foreign'],
    ['storage: {}\nport: 80\n', 'powersync.yaml', 'service'],
    ['client_auht: {}\n', 'service.yaml', 'service'],
    ['a: 1\n', 'powersync.yaml', 'foreign'],
  ])('%j in %s is %s', (text, name, kind) => {
    expect(kindOf(text, name)).toBe(kind);
  });
});

test('A foreign file has no findings, whatever is in it', () => {
  const text = 'apiVersion: v1\n a: "\n# headwater-ignore nothing\nb: *c\n';
  expect(analyze(text)).toEqual({ text, kind: 'foreign', findings: [] });
});
