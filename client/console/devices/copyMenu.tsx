/** The menu that copies the rows of a device for other programs, or as an access test. */
import { explainPath, readExplained } from '../../api/explained.ts';
import { shownName } from '../../api/tableName.ts';
import { useConsole } from '../console.ts';
import { CallFailure, type Transport } from '../link/transport.ts';
import { amountText } from '../parts/amounts.ts';
import { writeClipboard } from '../parts/clipboard.ts';
import { showToast } from '../parts/toast.tsx';
import { mostTestedRows, writeAccessTest } from './accessTest.ts';
import { type ExportFormat, exportFormats, writeExport } from './export.ts';
import type { DeviceOwner, DeviceState } from './follow.ts';

interface CopyMenuProps {
  readonly owner: DeviceOwner;
  readonly state: DeviceState;
  /** The table that is shown. */
  readonly table: string;
}

export function CopyMenu({ owner, state, table }: CopyMenuProps) {
  const { transport, service } = useConsole();
  const copyAs = async (choice: string): Promise<void> => {
    const format = exportFormats.find((each) => each === choice);
    try {
      if (format !== undefined) await copyTable(format, table, state);
      else {
        const tables = service.diagnosis.peek()?.active?.tables ?? [];
        const distinct = new Map(tables.map(({ schema, name }) => [`${schema}.${name}`, { schema, name }]));
        await copyTest(owner, state, [...distinct.values()], transport);
      }
    } catch (error) {
      showToast('failed', error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <label class="copy">
      <span>Copy as</span>
      <select
        value=""
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          currentTarget.value = '';
          void copyAs(value);
        }}
      >
        <option value="" disabled>
          Choose …
        </option>
        {exportFormats.map((format) => (
          <option key={format} value={format}>
            {format}, {table}
          </option>
        ))}
        <option value="test">Access test, all tables</option>
      </select>
    </label>
  );
}

async function copyTable(format: ExportFormat, table: string, state: DeviceState): Promise<void> {
  const rows = [...(state.device().tables.get(table)?.values() ?? [])];
  const { text, cut } = writeExport(format, [{ name: table, rows }]);
  await writeClipboard(text);
  const left =
    cut === 0
      ? ''
      : ` ${amountText(cut, 'row')} too large for the console ${cut === 1 ? 'was' : 'were'} left out.`;
  showToast('done', `${amountText(rows.length - cut, 'row')} copied as ${format}.${left}`);
}

async function copyTest(
  owner: DeviceOwner,
  state: DeviceState,
  tables: readonly { readonly schema: string; readonly name: string }[],
  transport: Pick<Transport, 'call'>,
): Promise<void> {
  const source = [];
  let left = mostTestedRows;
  for (const { schema, name } of tables) {
    const rows = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = readExplained(
        await transport.call('POST', explainPath, {
          claims: { sub: owner.user },
          schema,
          table: name,
          after,
        }),
      );
      if (page.problem !== undefined) throw new CallFailure('refused', page.problem);
      rows.push(...page.rows);
      left -= page.rows.length;
      if (left < 0)
        throw new CallFailure(
          'refused',
          `The tables have more than ${mostTestedRows} rows. An access test contains all of them, so it would be too long to read.`,
        );
      after = page.after;
    }
    source.push({ table: shownName({ schema, name }), rows });
  }
  const device = new Map([...state.device().tables].map(([name, rows]) => [name, [...rows.keys()]]));
  await writeClipboard(writeAccessTest({ owner, source, device }));
  showToast('done', 'The device was copied as an access test. Paste it into a file named *.sync-test.yaml.');
}
