import { command } from '../command.ts';
import { instanceOptions } from '../instance.ts';
import { previewRows } from '../preview/rows.ts';
import { previewService } from '../preview/service.ts';

export const preview = command({
  name: 'preview',
  summary: 'Tell which buckets and rows a client would get',
  about: `Runs a request of a client through a sync config, with the code that the service syncs with, over rows that you
give. Tells which buckets the client gets, why, and which rows are in them. Asks no service. A bucket is named after its stream, the number of its query and the values
of its parameters: lists|0["ada"].

With --live, the running service is asked instead, as that client would: these are the rows that it gets. It is found
as by other commands, or named with --service or --directory. The token of the client is --token, or is signed with a secret key of service.yaml for --user and --claims.

Exit code 0: there are buckets; 1: there are none, or something fails.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    user: { value: 'USER', summary: 'Who asks: what auth.user_id() gives' },
    claims: { value: 'JSON', summary: 'Further claims of the token; an object, or @FILE' },
    parameters: { value: 'JSON', summary: 'Parameters of the connection; an object, or @FILE' },
    subscribe: {
      value: 'STREAM[=JSON]',
      many: true,
      summary: 'A stream that the client subscribes to, with parameters',
    },
    live: { summary: 'Ask the running service for the rows, instead of reading a file' },
    ...instanceOptions,
    token: { value: 'TOKEN', summary: 'The token of the client, for --live' },
    config: { alias: '-c', value: 'FILE', summary: 'The service config with the key, for --live' },
    rows: { value: 'JSON', summary: '{"lists": [{"id": "1"}]}: rows of the source by table, or @FILE' },
  },
  examples: [
    'preview --user ada sync.yaml',
    `preview --user ada --rows @rows.json --subscribe 'todos={"list_id": "1"}' sync.yaml`,
    'preview --user ada --live',
  ],
  run: (call) =>
    call.has('live') || call.has('service') || call.has('directory')
      ? previewService(call)
      : previewRows(call),
});
