import manifest from '../../package.json' with { type: 'json' };

const usage = `Usage: headwater-service --help | --version

The embedded sync service does not exist in this version: there is nothing to run yet.`;

process.exitCode = answer(process.argv[2]);

function answer(option: string | undefined): number {
  switch (option) {
    case '--help':
      process.stdout.write(`${usage}\n`);
      return 0;
    case '--version':
      process.stdout.write(`${manifest.version}\n`);
      return 0;
    default:
      process.stderr.write('The embedded sync service does not exist in this version of Headwater.\n');
      return 2;
  }
}
