import { command } from '../command.ts';
import { instanceOptions } from '../instance.ts';
import { requestOptions, rowsOption } from '../preview/givenRows.ts';
import { previewRows } from '../preview/previewRows.ts';
import { previewService } from '../preview/previewService.ts';

export const preview = command({
  name: 'preview',
  summary: 'Show which buckets and rows a client would get',
  about: `Runs a client's request through a sync config, with the code that the service syncs with, over rows that you provide. It
says which buckets the client gets and why, and which rows are in them. It needs no service. A bucket is named after its
stream, the number of its query and the values of its parameters: lists|0["ada"].

With --live, it connects to the running service as that client and prints the rows that it gets. It finds the service as
other commands do, or by --service or --directory. The client's token is --token, or is signed for --user and --claims
with a secret key of service.yaml.

Exit code 0: there are buckets; 1: there are none, or something fails.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...requestOptions,
    live: { summary: 'Get the rows from the running service instead of a file' },
    ...instanceOptions,
    token: { value: 'TOKEN', summary: 'For --live: the token of the client' },
    config: { alias: '-c', value: 'FILE', summary: 'For --live: the service config with the key' },
    rows: rowsOption,
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
