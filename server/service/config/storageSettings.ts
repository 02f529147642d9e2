/** Reads where the service stores its own data. */
import { resolve } from 'node:path';
import { decodeCount } from './commonKeys.ts';
import { explainForeign } from './foreign.ts';
import { decodePostgres } from './postgres.ts';
import type { Section } from './section.ts';
import type { BatchLimits, StorageSettings } from './settings.ts';

/** The default folder, next to the config. */
const usualFolder = '.headwater';

export function decodeStorage(root: Section, folder: string): StorageSettings {
  const storage = root.section('storage');
  const type = root.has('storage') ? (storage.text('type') ?? '') : 'embedded';
  switch (type) {
    case 'embedded':
      return { type, path: resolve(folder, storage.text('path') || usualFolder) };
    case 'postgresql':
      return { type, ...decodePostgres(storage), batch: decodeBatch(storage.section('batch_limits')) };
    default:
      storage.refuse(explainForeign('storage', type), { key: 'type' });
      return { type: 'embedded', path: resolve(folder, usualFolder) };
  }
}

function decodeBatch(limits: Section): BatchLimits {
  return {
    maxRecordCount: decodeCount(limits, 'max_record_count', 2000),
    maxEstimatedSize: decodeCount(limits, 'max_estimated_size', 5_000_000),
    maxCurrentDataBatchSize: decodeCount(limits, 'max_current_data_batch_size', 50_000_000),
  };
}
