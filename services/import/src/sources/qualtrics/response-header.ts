import { parseObject } from '@survey/runtime/json/parse-object';
import type { Row } from '../../files/csv-rows.ts';

/** What a column says of the response itself. */
export type MetaName = keyof typeof META_NAMES;

/** The header of a file of responses: two rows, or three with the ids of what is asked. */
export interface ResponseHeader {
  /** As they are called in the first row. */
  readonly names: readonly string[];
  /** Ids such as `QID4_1`, where the file has them. */
  readonly importIds: readonly (string | undefined)[];
  /** Places of the columns about the response itself. */
  readonly meta: ReadonlyMap<MetaName, number>;
  /** The zone that the file says its times are in. */
  readonly timeZone: string | undefined;
  /** How many rows it has. */
  readonly rows: number;
  /** Old files call the columns about the response V1, V2, … */
  readonly dialect: 'new' | 'old';
}

/** By what they are called in the rows of a header, without case and signs. */
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
  // The names of an object's members are its keys.
  (Object.keys(META_NAMES) as MetaName[]).flatMap((meta) =>
    META_NAMES[meta].map((name) => [name as string, meta] as const),
  ),
);

/** Reads the header from the first three rows. */
export function readResponseHeader([first, second, third]: readonly Row[]): ResponseHeader {
  const names = (first?.cells ?? []).map((cell) => cell.trim());
  const ids = (third?.cells ?? []).map(readImportId);
  const hasIds = ids.some((id) => id !== undefined);
  // Of files with the old names V1, V2, … the second row says what they are.
  const isOld = names.some((name) => /^V\d+$/.test(name));
  const meta = new Map<MetaName, number>();
  for (const [place, name] of names.entries()) {
    const id = hasIds ? ids[place]?.importId : undefined;
    const old = isOld && /^V\d+$/.test(name) ? second?.cells[place] : undefined;
    const found = metaOf.get(plain(id ?? old ?? name)) ?? (id === undefined ? undefined : metaOf.get(plain(name)));
    if (found !== undefined && !meta.has(found)) meta.set(found, place);
  }
  return {
    names,
    importIds: names.map((_, place) => (hasIds ? ids[place]?.importId : undefined)),
    meta,
    timeZone: ids.find((id) => id?.timeZone !== undefined)?.timeZone,
    rows: hasIds ? 3 : isOld || isText(second, meta) ? 2 : 1,
    dialect: isOld ? 'old' : 'new',
  };
}

/** `{"ImportId":"QID1"}`, or in older files `{'ImportId': 'QID1-1'}`. */
function readImportId(cell: string): { readonly importId: string; readonly timeZone: string | undefined } | undefined {
  const text = cell.trim();
  if (!text.startsWith('{') || !text.includes('ImportId')) return undefined;
  const old = /^\{'ImportId':\s*'(.*)'\}$/.exec(text)?.[1];
  if (old !== undefined) return { importId: old.replaceAll('-', '_'), timeZone: undefined };
  // It may only look like one; the column is known by its name then.
  const value = parseObject(text) ?? {};
  const { ImportId: importId, timeZone } = value;
  if (typeof importId !== 'string') return undefined;
  return { importId: importId.replaceAll('-', '_'), timeZone: typeof timeZone === 'string' ? timeZone : undefined };
}

/** Whether a row says what the columns ask, and is no response: a time stands in the column of times of every response. */
function isText(row: Row | undefined, meta: ReadonlyMap<MetaName, number>): boolean {
  const place = meta.get('startedAt') ?? meta.get('endedAt') ?? meta.get('recordedAt');
  return place !== undefined && !/\d{4}/.test(row?.cells[place] ?? '');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
