import { command } from '../command.ts';
import { instanceOptions } from '../instance.ts';
import { requestOptions, rowsOption } from '../preview/givenRows.ts';
import { previewRows } from '../preview/previewRows.ts';
import { previewService } from '../preview/previewService.ts';

export const preview = command({
  name: 'preview',
  summary: 'Show which buckets and rows a client would get',
  about: `Evaluates a client's request against a sync config and the rows that you provide, with the same code as the service. It
shows which buckets the client gets and why, and which rows are in them. No service is needed. A bucket is named after its
stream, the number of its query and the values of its parameters: lists|0["ada"].

With --live, it connects to the running service as that client and prints the rows that the client gets. It finds the service
as other commands do; --service and --directory imply --live. The client uses the token in --token, or a token for --user and
--claims that is signed with a secret key from service.yaml.

Exit code 0: the client gets buckets; 1: it gets none, or something fails.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...requestOptions,
    live: { summary: 'Get the rows from the running service instead of a file' },
    ...instanceOptions,
    token: { value: 'TOKEN', summary: 'For --live: the token of the client' },
    config: {
      alias: '-c',
      value: 'FILE',
      summary: 'For --live: the service config with the key that signs the token',
    },
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
