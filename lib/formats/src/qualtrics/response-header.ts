import { parseObject } from '@survey/runtime/json/parse-json';
import { readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';

export type MetaName = keyof typeof META_NAMES;

/** The header of a response export: one or two rows, or three if it has import ids. */
export interface ResponseHeader {
  /** Column names of the first row. */
  readonly names: readonly string[];
  /** Import ids such as `QID4_1`, if the file has them. */
  readonly importIds: readonly (string | undefined)[];
  /** Texts of the columns, if the second row has them. */
  readonly texts: readonly string[];
  /** Positions of the columns about the response itself. */
  readonly meta: ReadonlyMap<MetaName, number>;
  readonly timeZone: string | undefined;
  /** Number of header rows. */
  readonly rows: number;
  /** Whether the columns about the response are named V1, V2, and so on, as in old files. */
  readonly hasOldNames: boolean;
}

/** Names in headers, in lower case without punctuation. */
const META_NAMES = {
  id: ['recordid', 'responseid'],
  startedAt: ['startdate'],
  endedAt: ['enddate'],
  recordedAt: ['recordeddate'],
  finished: ['finished'],
  status: ['status'],
  language: ['userlanguage'],
  ip_address: ['ipaddress'],
  progress: ['progress'],
  duration: ['duration', 'durationinseconds'],
  distribution_channel: ['distributionchannel'],
  response_set: ['responsesetid', 'responseset'],
  recipient_name: ['name'],
  recipient_last_name: ['recipientlastname', 'panelrecipientlastname'],
  recipient_first_name: ['recipientfirstname', 'panelrecipientfirstname'],
  recipient_email: ['recipientemail', 'panelrecipientemail', 'emailaddress'],
  external_reference: ['externaldatareference', 'externalreference', 'panelexternaldatareference'],
  latitude: ['locationlatitude', 'locationlocationlatitude'],
  longitude: ['locationlongitude', 'locationlocationlongitude'],
  location_accuracy: ['locationaccuracy', 'locationlocationaccuracy'],
} as const;

const metaOf = new Map(
  (Object.keys(META_NAMES) as MetaName[]).flatMap((meta) =>
    META_NAMES[meta].map((name) => [name as string, meta] as const),
  ),
);

/** Columns with times of the response. */
export const TIMES = ['startedAt', 'endedAt', 'recordedAt'] as const;

export function readResponseHeader([first, second, third]: readonly Row[]): ResponseHeader {
  const names = readNames(first);
  const ids = (third?.cells ?? []).map(readImportId);
  const hasIds = ids.some((id) => id !== undefined);
  // In files with the old names V1, V2, …, the second row describes the columns.
  const isOld = names.some((name) => /^V\d+$/.test(name));
  const meta = new Map<MetaName, number>();
  for (const [index, name] of names.entries()) {
    const id = hasIds ? ids[index]?.importId : undefined;
    const old = isOld && /^V\d+$/.test(name) ? second?.cells[index] : undefined;
    const found =
      metaOf.get(toPlainName(id ?? old ?? name)) ?? (id === undefined ? undefined : metaOf.get(toPlainName(name)));
    if (found !== undefined && !meta.has(found)) meta.set(found, index);
  }
  const hasTexts = hasIds || isOld || isTextRow(second, meta);
  return {
    names,
    texts: hasTexts ? (second?.cells ?? []) : [],
    importIds: names.map((_, index) => (hasIds ? ids[index]?.importId : undefined)),
    meta,
    timeZone: ids.find((id) => id?.timeZone !== undefined)?.timeZone,
    rows: hasIds ? 3 : hasTexts ? 2 : 1,
    hasOldNames: isOld,
  };
}

/** Parses `{"ImportId":"QID1"}`, or `{'ImportId': 'QID1-1'}` of older files. */
function readImportId(cell: string): { readonly importId: string; readonly timeZone: string | undefined } | undefined {
  const text = cell.trim();
  if (!text.startsWith('{') || !text.includes('ImportId')) return undefined;
  const old = /^\{'ImportId':\s*'(.*)'\}$/.exec(text)?.[1];
  if (old !== undefined) return { importId: old.replaceAll('-', '_'), timeZone: undefined };
  // Invalid JSON is not an import id; the column is then found by name.
  const value = parseObject(text) ?? {};
  const { ImportId: importId, timeZone } = value;
  if (typeof importId !== 'string') return undefined;
  return { importId: importId.replaceAll('-', '_'), timeZone: typeof timeZone === 'string' ? timeZone : undefined };
}

/** Whether a row has question texts. If so, its cells in the columns with times are texts without digits. */
function isTextRow(row: Row | undefined, meta: ReadonlyMap<MetaName, number>): boolean {
  const cells = TIMES.map((name) => row?.cells[meta.get(name) ?? -1] ?? '').filter((cell) => cell.trim() !== '');
  return cells.length > 0 && !cells.some((cell) => /\d/.test(cell));
}

function toPlainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
