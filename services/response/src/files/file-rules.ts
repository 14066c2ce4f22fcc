import type { FileQuestion } from '@survey/questionnaire/compile';
import { supportedExtensions } from 'file-type';
import { endingOf } from './clean-filename.ts';
import { MAX_FILE_BYTES } from './file.ts';
import type { FileKind } from './file-kind.ts';

/** Names of one thing, and the one that is used for it. */
const SAME_TYPE: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['application/x-zip-compressed', 'application/zip'],
  ['application/x-pdf', 'application/pdf'],
  ['text/xml', 'application/xml'],
  ['text/json', 'application/json'],
]);
const SAME_ENDING: ReadonlyMap<string, string> = new Map([
  ['jpeg', 'jpg'],
  ['jpe', 'jpg'],
  ['jfif', 'jpg'],
  ['tiff', 'tif'],
  ['htm', 'html'],
  ['text', 'txt'],
  ['mpeg', 'mpg'],
]);

const ZIP = 'application/zip';
const OLD_OFFICE = 'application/x-cfb';
const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';

/** Kinds that are kept within another one; the beginning of a file may show no more than that. */
const KEPT_WITHIN: readonly (readonly [ending: string, type: string, within: string])[] = [
  ['docx', `${OPEN_XML}wordprocessingml.document`, ZIP],
  ['xlsx', `${OPEN_XML}spreadsheetml.sheet`, ZIP],
  ['pptx', `${OPEN_XML}presentationml.presentation`, ZIP],
  ['odt', `${OPEN_DOCUMENT}text`, ZIP],
  ['ods', `${OPEN_DOCUMENT}spreadsheet`, ZIP],
  ['odp', `${OPEN_DOCUMENT}presentation`, ZIP],
  ['doc', 'application/msword', OLD_OFFICE],
  ['xls', 'application/vnd.ms-excel', OLD_OFFICE],
  ['ppt', 'application/vnd.ms-powerpoint', OLD_OFFICE],
  ['msg', 'application/vnd.ms-outlook', OLD_OFFICE],
];

/** Entries of a list that a problem quotes. */
const QUOTED = 20;

/** What is wrong with a file. */
interface FileProblem {
  readonly code: 'FILE_TOO_LARGE' | 'FILE_KIND_REFUSED';
  readonly detail: string;
}

/** Length of a file for the question at the most, in bytes. */
export function maxBytesOf({ maxBytes }: Pick<FileQuestion, 'maxBytes'>): number {
  return Math.min(maxBytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES);
}

/** What is wrong with a file that has so many bytes. */
export function sizeProblem(question: Pick<FileQuestion, 'maxBytes'>, size: number): FileProblem | undefined {
  const max = maxBytesOf(question);
  return size <= max ? undefined : { code: 'FILE_TOO_LARGE', detail: `a file may have ${max} bytes at the most` };
}

/** What is wrong with a file of this kind and name. */
export function kindProblem(
  { accept }: Pick<FileQuestion, 'accept'>,
  kind: FileKind,
  filename: string | undefined,
): FileProblem | undefined {
  const isAccepted = (entry: string) =>
    entry.startsWith('.') ? hasEnding(entry.slice(1), kind, filename) : hasType(entry, kind);
  if (accept.length === 0 || accept.some(isAccepted)) return undefined;
  const quoted = accept.slice(0, QUOTED).join(', ');
  const detail = `a file has to be one of ${quoted}: this one is ${kind.contentType}`;
  return { code: 'FILE_KIND_REFUSED', detail };
}

function hasType(entry: string, { contentType }: FileKind): boolean {
  if (entry === '*/*') return true;
  if (entry.endsWith('/*')) return contentType.startsWith(entry.slice(0, -1));
  const wanted = SAME_TYPE.get(entry) ?? entry;
  return wanted === contentType || KEPT_WITHIN.some(([, type, within]) => type === wanted && within === contentType);
}

function hasEnding(entry: string, kind: FileKind, filename: string | undefined): boolean {
  const wanted = canonicalEnding(entry);
  if (kind.ending !== undefined && canonicalEnding(kind.ending) === wanted) return true;
  const isNamed = canonicalEnding(endingOf(filename) ?? '') === wanted;
  const isWithin = KEPT_WITHIN.some(([ending, , within]) => ending === wanted && within === kind.contentType);
  return isNamed && (isWithin || (!hasSignature(wanted) && isAnything(kind)));
}

/** Whether files of this ending are known by their bytes: one whose bytes show nothing is none then. */
function hasSignature(ending: string): boolean {
  return supportedExtensions.has(ending) || KEPT_WITHIN.some(([known]) => known === ending);
}

/** Whether the bytes leave open what it is. */
function isAnything({ contentType, ending }: FileKind): boolean {
  return ending === undefined || contentType === ZIP || contentType === OLD_OFFICE || contentType.startsWith('text/');
}

function canonicalEnding(ending: string): string {
  return SAME_ENDING.get(ending) ?? ending;
}
