import { command } from '../command.ts';
import { deployFile, readDeployable } from '../deployFile.ts';
import { rateRange, waitOptions } from '../deployment.ts';
import { deployToCloud } from '../deployToCloud.ts';
import { planDeploy } from '../diff/plan.ts';
import { aboutToken, findCloudLink, instanceOptions } from '../instance.ts';

export const deploy = command({
  name: 'deploy',
  summary: 'Deploy a sync config and wait until it is active',
  about: `Checks a sync config locally and on the service, deploys it, and waits until all rows are copied and the config is active.
Until then, the previous config stays active. If the service already has exactly this config, nothing happens. If a Headwater
service has already stored all rows that the config needs, it copies nothing and the config is active at once.

Before anything is sent, it shows the problems that block the deploy, and for each stream the columns that clients lose and gain, the users who
gain or lose rows, the rows to copy, and what clients download again. Unknown facts are called unknown. With --plan, it shows
only that, and nothing is deployed.

In a project that cli.yaml links to PowerSync Cloud, the config is checked locally, compared with sync-fetched.yaml if
\`powersync pull instance\` has written that file, and deployed by PowerSync's own command line. A service that \`headwater dev\`
is running in this folder takes precedence.

While rows are being copied, use \`headwater copy\` to pause, resume, slow down or give up the copy.

Exit code 0: the config is active, or the plan was shown; 1: the deploy was refused or failed; 2: the config was not active in
time, or the service did not answer.

${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...instanceOptions,
    ...waitOptions,
    plan: { summary: 'Show what a deploy would do, without deploying' },
    rate: {
      value: 'ROWS',
      between: rateRange,
      summary: 'Copy at most this many rows per second, on average, to spare the source and other clients',
    },
    force: { alias: '-f', summary: 'Deploy even if there are errors, or if nothing has changed' },
  },
  examples: [
    'deploy',
    'deploy --plan',
    'deploy --rate 5000',
    'deploy sync.yaml --service https://sync.example.com --timeout 600',
  ],
  run: async (call) => {
    const own = await readDeployable(call);
    const cloud = await findCloudLink(call);
    if (cloud !== undefined) return deployToCloud(call, own, cloud);
    return call.has('plan') ? planDeploy(call, own) : deployFile({ ...call, rate: call.number('rate') }, own);
  },
});
