export type RowType =
  | { readonly kind: 'begin'; readonly of: 'group' | 'repeat' }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'select';
      readonly takes: 'one' | 'several' | 'order';
      readonly list: string;
      readonly orOther: boolean;
    }
  | { readonly kind: 'plain'; readonly name: string };

const BEGIN = /^begin[_ ](group|repeat|loop)\b/;
const END = /^end([_ ](group|repeat|loop))?$/;
const SELECT =
  /^(?:(select[_ ]one|select1|add select one prompt using)|(select[_ ]multiple|select all that apply|select all|add select multiple prompt using)|(rank))(?:[_ ]from)?(?: (.+))?$/i;
const OR_OTHER = / or[_ ](?:specify[_ ])?other$/i;

const ALIASES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'integer',
  number: 'integer',
  trigger: 'acknowledge',
  datetime: 'dateTime',
  'date time': 'dateTime',
  photo: 'image',
  location: 'geopoint',
  gps: 'geopoint',
  'phone number': 'phonenumber text',
  calculation: 'calculate',
  'start time': 'start',
  'end time': 'end time',
};

/** Types that the tool fills in, without a question. */
const FILLED =
  /^(start|end|end time|today|deviceid|device id|subscriberid|simserial|phonenumber|username|email|audit|imei|start-geopoint|background-geopoint|calculate|hidden|xml-external|csv-external)$|^(?:uri:|get )/;

export function isAutomatic(type: RowType): boolean {
  return type.kind === 'plain' && FILLED.test(type.name);
}

/** @param listName name of the list of choices, if it is in a column of its own */
export function toRowType(written: string, listName: string | undefined): RowType {
  const type = written.trim().replaceAll(/\s+/g, ' ');
  const lower = type.toLowerCase();
  const begin = BEGIN.exec(lower)?.[1];
  if (begin !== undefined) return { kind: 'begin', of: begin === 'group' ? 'group' : 'repeat' };
  if (END.test(lower) && lower !== 'end') return { kind: 'end' };
  const orOther = OR_OTHER.test(type);
  const [, one, several, order, list] = SELECT.exec(type.replace(OR_OTHER, '')) ?? [];
  if (one !== undefined || several !== undefined || order !== undefined) {
    const takes = one === undefined ? (several === undefined ? 'order' : 'several') : 'one';
    return { kind: 'select', takes, list: list?.trim() ?? listName ?? '', orOther };
  }
  return { kind: 'plain', name: Object.hasOwn(ALIASES, lower) ? (ALIASES[lower] ?? lower) : lower };
}
