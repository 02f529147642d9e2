import { expect, test } from 'vitest';
import { analyze } from '../../../server/engine/index.ts';

/** Files of other programs. Some have the same keys as our files. */
const foreign: Readonly<Record<string, string>> = {
  go2rtc: 'api:\n  listen: ":1984"\nrtsp:\n  listen: ":8554"\nstreams:\n  cam1: rtsp://user:pw@host/1\n',
  'go2rtc, lists': 'streams:\n  front:\n    - rtsp://host/1\n    - ffmpeg:front#video=h264\n',
  'go2rtc, streams alone': 'streams:\n  cam1: rtsp://host/1\n  cam2: http://host/2\n',
  Frigate: 'mqtt:\n  host: x\ngo2rtc:\n  streams:\n    a: rtsp://x\ncameras:\n  a:\n    ffmpeg: {}\n',
  NATS: 'streams:\n  orders:\n    subjects: [orders.*]\n    storage: file\n    retention: limits\n',
  'NATS in braces': 'streams: { orders: { subjects: ["orders.*"], storage: file } }\n',
  Benthos:
    'input:\n  generate: {}\npipeline:\n  processors: []\noutput:\n  stdout: {}\nstreams:\n  a: {input: {}}\n',
  'Benthos, streams alone': 'streams:\n  foo:\n    input:\n      stdin: {}\n    output:\n      stdout: {}\n',
  Airbyte:
    'version: 0.50.0\ntype: DeclarativeSource\nstreams:\n  - $ref: "#/definitions/a"\ndefinitions: {}\n',
  'Airbyte, streams alone': 'streams:\n  - type: DeclarativeStream\n    name: users\n    primary_key: id\n',
  Singer: 'streams:\n  - tap_stream_id: users\n    schema: {}\n    metadata: []\n',
  RTSPtoWeb: 'server:\n  http_port: ":8083"\nstreams:\n  one:\n    name: a\n    channels: {}\n',
  Meltano: 'version: 1\nplugins:\n  extractors:\n    - name: tap-x\nstreams: {}\n',
  'Helm values': 'replication:\n  enabled: true\nstorage:\n  size: 10Gi\nport: 5432\n',
  'Helm values of a database':
    'auth:\n  username: x\nreplication:\n  user: r\n  readReplicas: 2\nport: 5432\n',
  'Helm values of a service': 'service:\n  type: ClusterIP\n  port: 80\ningress:\n  enabled: false\n',
  MongoDB: 'storage:\n  dbPath: /data\nnet:\n  port: 27017\nreplication:\n  replSetName: rs0\n',
  Patroni: 'scope: x\nname: a\nrestapi: {}\nreplication:\n  username: r\npostgresql: {}\n',
  Redis: 'replication:\n  - master\n  - replica\nport: 6379\n',
  'events of an app': 'event_definitions:\n  click:\n    payload:\n      x: number\n',
  'event list': 'event_definitions:\n  - name: click\n    fields: [x]\n',
  Kubernetes: 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: x\nspec: {}\n',
  'Kubernetes with our keys': 'apiVersion: nats.io/v1\nkind: Stream\nstreams:\n  a:\n    query: x\n',
  Kustomize: 'resources:\n  - a.yaml\nnamespace: x\nimages: []\n',
  'Helm chart': 'name: x\nversion: 0.1.0\ndependencies: []\n',
  Compose: 'services:\n  db:\n    image: postgres\n    ports: ["5432:5432"]\nvolumes: {}\n',
  'Compose, with configs': 'services:\n  a: {image: x}\nconfigs:\n  c: {file: ./c}\n',
  'GitHub workflow':
    'name: ci\non: [push]\njobs:\n  test:\n    steps:\n      - uses: x\n        with: {a: 1}\n',
  'GitHub action': 'name: x\nruns:\n  using: node20\n  main: a.js\ninputs: {}\n',
  Dependabot: 'version: 2\nupdates:\n  - package-ecosystem: npm\n',
  'GitLab CI': 'stages: [build]\nbuild:\n  script: [make]\n',
  CircleCI: 'version: 2.1\njobs:\n  a:\n    docker: []\nworkflows: {}\n',
  'Azure pipeline': 'trigger: [main]\npool:\n  vmImage: x\nsteps:\n  - script: echo\n',
  'Bitbucket pipeline': 'pipelines:\n  default:\n    - step: {script: [a]}\n',
  Travis: 'language: node_js\nnode_js: [20]\nscript: npm test\n',
  Drone: 'kind: pipeline\ntype: docker\nname: x\nsteps: []\n',
  OpenAPI: 'openapi: 3.0.0\ninfo: {title: x, version: "1"}\npaths:\n  /a:\n    get: {}\n',
  AsyncAPI: 'asyncapi: 2.0.0\ninfo: {}\nchannels: {}\n',
  'Ansible playbook': '- hosts: all\n  tasks:\n    - name: x\n      ping:\n',
  'Ansible variables': 'replication:\n  enabled: yes\n  master: a\nport: 80\n',
  Grafana: 'apiVersion: 1\ndatasources:\n  - name: x\n    type: loki\n',
  Loki: 'auth_enabled: false\nserver:\n  http_listen_port: 3100\nstorage_config: {}\n',
  Promtail: 'server: {}\nclients: []\nscrape_configs:\n  - job_name: x\n',
  Prometheus: 'global:\n  scrape_interval: 15s\nscrape_configs: []\n',
  'Prometheus rules': 'groups:\n  - name: a\n    rules:\n      - alert: x\n        expr: up == 0\n',
  Alertmanager: 'route:\n  receiver: a\nreceivers: []\n',
  'OpenTelemetry collector': 'receivers: {}\nexporters: {}\nservice:\n  pipelines: {}\n',
  Vector: 'sources:\n  a: {type: stdin}\nsinks:\n  b: {type: console, inputs: [a]}\n',
  'Fluent Bit': 'service:\n  flush: 1\npipeline:\n  inputs: []\n',
  Traefik: 'entryPoints:\n  web: {address: ":80"}\nproviders: {}\napi: {dashboard: true}\n',
  Envoy: 'static_resources:\n  listeners: []\nadmin: {}\n',
  Kong: '_format_version: "3.0"\nservices: []\n',
  'Home Assistant': 'default_config:\nautomation: !include automations.yaml\n',
  ESPHome: 'esphome:\n  name: x\nwifi: {ssid: a}\napi:\nlogger:\n',
  mkdocs: 'site_name: x\nnav:\n  - a.md\n',
  Jekyll: 'title: x\nplugins: []\n',
  pubspec: 'name: x\ndependencies:\n  powersync: ^1.0.0\nflutter: {}\n',
  'pnpm workspace': 'packages:\n  - "apps/*"\n',
  'pre-commit': 'repos:\n  - repo: x\n    hooks: []\n',
  dbt: 'version: 2\nmodels:\n  - name: x\n    columns: []\n',
  'dbt sources': 'version: 2\nsources:\n  - name: raw\n    tables: []\n',
  Serverless: 'service: x\nprovider: {name: aws}\nfunctions: {}\n',
  CloudFormation: 'AWSTemplateFormatVersion: 2010-09-09\nResources: {}\n',
  'Cloud Build': 'steps:\n  - name: x\n    args: []\n',
  Render: 'services:\n  - type: web\n    name: x\n',
  Hasura: 'version: 3\nendpoint: http://x\nmetadata_directory: m\n',
  sqlc: 'version: "2"\nsql:\n  - engine: postgresql\n    queries: query.sql\n    schema: s.sql\n',
  Kestra: 'id: x\nnamespace: a\ntasks:\n  - id: t\n    type: x\n',
  'a list of streams': '- name: a\n  query: SELECT 1\n',
};

test('60 kinds of YAML files of other programs have no findings', () => {
  const names = Object.entries(foreign).flatMap(([name, text]) =>
    ['values.yaml', 'config/app.yml', 'go2rtc.yaml'].flatMap((fileName) => {
      const { kind, findings } = analyze(text, { fileName });
      return kind === 'foreign' && findings.length === 0 ? [] : [`${name} as ${fileName}: ${kind}`];
    }),
  );
  expect(names).toEqual([]);
  expect(Object.keys(foreign).length).toBeGreaterThanOrEqual(60);
});

test.each([
  ['a stream without content', 'streams:\n  lists:\n'],
  ['a word in a stream', 'streams:\n  lists:\n    quer\n'],
  ['no stream', 'streams: {}\n'],
  ['nothing', 'streams:\n'],
  ['a comment', 'streams:\n  # soon\n'],
  ['a query as the value of the stream', 'streams:\n  lists: SELECT * FROM lists\n'],
  ['a misspelt key', 'streams:\n  lists:\n    auto_subscrib: true\n'],
  ['a misspelt query', 'streams:\n  lists:\n    qery: SELECT * FROM lists\n'],
  ['braces', 'streams: { lists: { query: SELECT * FROM lists } }\n'],
  ['an edition, whatever is in the stream', 'config:\n  edition: 3\nstreams:\n  lists:\n    subject: x\n'],
  ['a query in a block', 'streams:\n  lists:\n    qery: |\n      SELECT * FROM lists\n'],
  ['old rules', 'bucket_definitions:\n  a:\n    subjects: x\n'],
])('an incomplete sync config is recognized: %s', (_, text) => {
  expect(analyze(text, { fileName: 'app.yaml' }).kind).toBe('sync');
});

test('a file with the name of a sync config is recognized as one', () => {
  expect(analyze('streams:\n  cam: rtsp://x\n', { fileName: 'sync-config.yaml' }).kind).toBe('sync');
  expect(analyze('streams:\n  cam: rtsp://x\n', { fileName: 'powersync/app.yaml' }).kind).toBe('sync');
});
