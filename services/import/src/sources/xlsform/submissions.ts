import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import type { FileResponse } from '../../responses/file-response.ts';
import { fitMetadata } from '../fit-metadata.ts';
import { textsOf } from '../language-texts.ts';
import { questionsOf } from '../payload-questions.ts';
import { sourceDataOf } from '../source-data.ts';
import type { WarnOnce } from '../warn-once.ts';
import { createToAnswer, type ToAnswer } from './answers.ts';

interface Submission {
  readonly index: number;
  /** What is not empty, by `group/name`, `group-name`, name or label. */
  readonly cells: ReadonlyMap<string, JsonValue>;
  readonly pathOf: () => string;
  /** Where it stands, for people; may be empty. */
  readonly place: string;
}

interface SubmissionReader {
  (submission: Submission): FileResponse;
  /** What a table's columns may be called. */
  readonly names: ReadonlySet<string>;
}

interface Answered {
  readonly id: string;
  /** What the question may be called, the surest first. */
  readonly names: readonly string[];
  readonly toAnswer: ToAnswer;
}

const IDS = ['meta/instanceID', 'meta-instanceID', 'instanceID', '_uuid', 'KEY', '__id', '_id'];
const SUBMITTED = ['_submission_time', 'SubmissionDate', '__system/submissionDate'];
const OWN = new Set([...IDS, ...SUBMITTED, 'start', 'end']);
const NO_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)$/;
const MAX_KEPT = 10_000;

/** Reads submissions of the form that a payload was made of, by what that keeps of the names there. */
export function createSubmissionReader(payload: JsonObject, warn: WarnOnce): SubmissionReader {
  const answered = toAnswered(payload);
  const isOwn = (name: string) => OWN.has(name) && !names.has(name);
  const names = new Set(answered.flatMap((one) => one.names));

  const read = ({ index, cells: given, pathOf, place }: Submission): FileResponse => {
    const used = new Set<string>();
    const cells = new Map([...given].filter(([, value]) => value !== 'n/a'));
    if (cells.size < given.size) {
      warn('n/a', { path: pathOf(), code: 'NOT_IMPORTED', detail: 'What is n/a counts as not answered' });
    }
    const take = (name: string): JsonValue | undefined => {
      const value = cells.get(name);
      if (value !== undefined) used.add(name);
      return value;
    };
    const answers: [string, JsonValue][] = [];
    for (const { id, names: called, toAnswer } of answered) {
      const answer = toAnswer(called, { take, cells });
      if (answer !== undefined) answers.push([id, answer]);
    }
    const timeOf = (name: string): Date | undefined => {
      const value = isOwn(name) ? cells.get(name) : undefined;
      const time = typeof value === 'string' ? parseTime(value) : undefined;
      if (typeof value === 'string' && NO_ZONE.test(value)) {
        const detail = `Times without a zone, as in ${name}, are taken to be UTC`;
        warn('zone', { path: pathOf(), code: 'ASSUMED_UTC', detail });
      }
      if (value !== undefined && time === undefined) {
        warn(name, { path: pathOf(), code: 'NOT_IMPORTED', detail: `What is no time in ${name} is not imported` });
      }
      return time;
    };
    const [idName] = IDS.filter((name) => cells.has(name) && isOwn(name));
    const submitted = SUBMITTED.map(timeOf).find((time) => time !== undefined);
    const completedAt = timeOf('end') ?? submitted;
    const rest = [...cells].filter(([name]) => !used.has(name) && !isOwn(name));
    for (const [name] of rest) {
      const detail = `${name.slice(0, 200)} is no answer to a question; it is kept in the metadata`;
      warn(name, {
        path: pathOf(),
        code: 'KEPT_AS_SOURCE_DATA',
        detail: place === '' ? detail : `${place}: ${detail}`,
      });
    }
    const source = Object.fromEntries(rest.map(([name, value]) => [name, shortened(value)]));
    return {
      index,
      id: idName === undefined ? '' : String(cells.get(idName)).replace(/^uuid:/, ''),
      externalId: undefined,
      startedAt: timeOf('start') ?? completedAt,
      completedAt,
      language: undefined,
      metadata: fitMetadata(rest.length === 0 ? {} : { source_data: source }, warn, pathOf()),
      answers: Object.fromEntries(answers),
    };
  };
  return Object.assign(read, { names });
}

function toAnswered(payload: JsonObject): readonly Answered[] {
  const filled = namesFilledIn(payload);
  const questions = questionsOf(payload).filter((question) => typeof sourceDataOf(question)['source_id'] === 'string');
  const candidates = questions.map((question) => {
    const { source_id: place } = sourceDataOf(question);
    const full = String(place);
    const [name = ''] = full.split('/').slice(-1);
    const unsure = [name, ...textsOf(question['title'])].filter((one) => !filled.has(one));
    return { question, sure: [full, full.replaceAll('/', '-')], unsure };
  });
  // A date and its time come from one cell.
  const isOwn = (question: JsonObject) => sourceDataOf(question)['part'] !== 'time';
  const counted = Map.groupBy(
    candidates.filter(({ question }) => isOwn(question)).flatMap(({ unsure }) => [...new Set(unsure)]),
    (name) => name,
  );
  return candidates.map(({ question, sure, unsure }) => ({
    id: String(question['id']),
    names: [...sure, ...unsure.filter((name) => (counted.get(name)?.length ?? 0) <= 1)],
    toAnswer: createToAnswer(question),
  }));
}

/** What the tool fills in by itself, such as when somebody started. */
function namesFilledIn(payload: JsonObject): ReadonlySet<string> {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const rows = itemsOf(sourceDataOf(survey)['filled_in']).filter((row) => isObject(row));
  return new Set(rows.map((row) => row['name']).filter((name) => typeof name === 'string'));
}

/** RFC 3339, also with a space, without a colon in the zone, and without a zone. */
function parseTime(text: string): Date | undefined {
  const [, date, time] = NO_ZONE.exec(text) ?? [];
  if (date !== undefined) return parseTimestamp(`${date}T${time ?? ''}Z`);
  return parseTimestamp(
    text
      .replace(' ', 'T')
      .replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
      .replace(/([+-]\d{2})$/, '$1:00'),
  );
}

function shortened(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= MAX_KEPT ? value : `${text.slice(0, MAX_KEPT).toWellFormed()}…`;
}
