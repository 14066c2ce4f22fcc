import type { ImportFile } from '../files/import-file.ts';
import { invalidImport, type Warn } from '../files/report.ts';
import { readZip } from '../files/zip.ts';

/** A LimeSurvey archive (LSA): a ZIP with a survey and its data. */
interface Lsa {
  /** The survey (LSS). */
  readonly structure: ImportFile;
  /** The responses (LSR); undefined for a survey without any. */
  readonly responses: ImportFile | undefined;
}

const MAX_NAME = 200;

/** Whether a file is a ZIP archive. */
export async function isArchive(file: ImportFile): Promise<boolean> {
  let start: Uint8Array = new Uint8Array();
  for await (const bytes of file.open()) {
    start = Buffer.concat([start, bytes.subarray(0, 2)]);
    if (start.length >= 2) break;
  }
  return start[0] === 0x50 && start[1] === 0x4b;
}

/** Opens an archive. Warns about the files in it that are not imported. Throws `INVALID_IMPORT`. */
export async function openLsa(file: ImportFile, warn: Warn): Promise<Lsa> {
  const archive = await readZip(file);
  const fileOfType = (ending: string): string | undefined => {
    const found = archive.names.filter((name) => name.toLowerCase().endsWith(ending));
    if (found.length > 1) throw reject(`it has ${found.length} files of the type ${ending}`);
    return found[0];
  };
  const [structure, responses] = [fileOfType('.lss'), fileOfType('.lsr')];
  if (structure === undefined) throw reject('it has no survey (.lss)');
  for (const name of archive.names) {
    if (name === structure || name === responses || name.endsWith('/')) continue;
    const detail = `The file ${name.slice(0, MAX_NAME)} of the archive is not imported`;
    warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  const unpacked = await archive.read(structure);
  if (unpacked === undefined) throw new Error('The archive does not have the file that it lists');
  return { structure: unpacked, responses: responses === undefined ? undefined : archive.stream(responses) };
}

function reject(reason: string): Error {
  const detail = `The ZIP archive is not one of LimeSurvey (LSA): ${reason}`;
  return invalidImport([{ path: '', code: 'WRONG_TYPE', detail }]);
}
