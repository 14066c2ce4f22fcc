import type { CompiledDefinition, CountedQuestion } from '@survey/questionnaire/compiled-definition';
import type { ResponseData } from '@survey/questionnaire/validate';
import type { GroupedResponse, GroupOptions } from '../crosstabs/grouping.ts';
import { sum } from '../crosstabs/statistics.ts';
import type { Outcome } from '../responses/condition-service.ts';
import type { ResponseAnswers, ResponseStatus } from '../responses/response.ts';
import { toCrosstab } from './crosstab.ts';
import { type CountsByGroup, createGroupTallies, sizeOfGroups } from './group-tally.ts';
import { type PackedCounts, sizeOfPacked } from './int-counts.ts';
import type { DistinctBudget } from './number-tally.ts';
import {
  createQuestionTally,
  type QuestionCounts,
  type QuestionTally,
  type UnchosenOptionBudget,
} from './question-tally.ts';
import type { DropOff, QuestionSummary, StatusCounts, SurveyCountsSummary } from './summary.ts';
import { createSurveyTimes, type TimeKind } from './survey-times.ts';

/** Maximum number of distinct numbers in all questions together. They take about 60 MB. */
const MAX_DISTINCT = 1_000_000;
/** Maximum number of listed options that no respondent chose. One version has at most half as many options. */
const MAX_LISTED = 200_000;

/** A version of a survey, for counting. */
export type CountedVersion = Pick<CompiledDefinition, 'questions' | 'hiddenBy'>;

/** The definitions of versions by number, latest first. */
export type Versions = ReadonlyMap<number, CountedVersion>;

interface Options {
  /** Status of the responses whose answers are counted. Default: completed. */
  readonly status?: ResponseStatus | undefined;
  readonly maxDistinct?: number;
  readonly maxListed?: number;
  readonly surveyCreatedAt?: Date | undefined;
  /** Counts the answers by group, too. Tallies whose counts are merged need the same found values. */
  readonly groups?: GroupOptions | undefined;
}

export interface SurveyCounts {
  /** Memory, in map entries of about 80 bytes. */
  readonly size: number;
  readonly questions: ReadonlyMap<string, QuestionCounts>;
  readonly versions: ReadonlyMap<number, VersionCounts>;
  readonly times: Readonly<Record<TimeKind, PackedCounts>>;
  /** Responses that are not completed, by the question of the last answer, or `NO_ANSWER`. */
  readonly stops: ReadonlyMap<string, Stops>;
  /** Responses that passed a page without seeing it, because logic hid all its questions. By page, from 0. */
  readonly skips: ReadonlyMap<number, number>;
  readonly conditions: ConditionCounts;
  /** Empty without groups. */
  readonly groups: CountsByGroup;
}

/** Numbers of responses that the conditions of the summary were tested with. */
interface ConditionCounts {
  /** Responses that are not counted, because the conditions do not hold. */
  readonly unmatched: number;
  /** Responses whose version lacks a question of the conditions. */
  readonly lackingQuestion: number;
}

const NO_CONDITIONS: ConditionCounts = { unmatched: 0, lackingQuestion: 0 };
const NO_GROUPS: CountsByGroup = new Map();

/** A response, with the outcome of conditions if there are some, and the parts that groups need. */
export type TalliedResponse = ResponseAnswers & Partial<Outcome> & GroupedResponse;

/** Numbers of responses to a version. */
interface VersionCounts {
  /** Responses with any status. */
  readonly all: number;
  readonly completed: number;
  /** Responses whose answers are counted. */
  readonly counted: number;
}

/** The key in `stops` for responses without answers. */
const NO_ANSWER = '';

type Stops = Readonly<Record<'inProgress' | 'abandoned' | 'disqualified', number>>;

/** A question of a version, with the tally that all versions share. */
interface TalliedQuestion extends CountedQuestion {
  readonly tally: QuestionTally;
}

/** A question, as in the latest version that contains it. */
interface UnitedQuestion extends TalliedQuestion {
  readonly versions: number[];
  /** Versions in which the question has another type. */
  readonly otherVersions: number[];
}

export type SurveyTally = ReturnType<typeof createSurveyTally>;

/** Counts the responses to a survey. The memory does not depend on the number of responses. */
export function createSurveyTally(versions: Versions, options: Options = {}) {
  const { status: countedStatus = 'completed', maxDistinct = MAX_DISTINCT, maxListed = MAX_LISTED, groups } = options;
  const distinct: DistinctBudget = { left: maxDistinct };
  const unchosen: UnchosenOptionBudget = { left: maxListed };
  const united = new Map<string, UnitedQuestion>();
  const versionCounts = new Map<number, VersionCounts>();
  const times = createSurveyTimes(options);
  const stops = new Map<string, Stops>();
  const skips = new Map<number, number>();
  let conditions = NO_CONDITIONS;
  const tallied = new Map(
    [...versions].map(([version, { questions, hiddenBy }]) => [
      version,
      { hiddenBy, questions: questions.map((question) => toTallied(question, version)) },
    ]),
  );
  /** The questions of each version, by their page in the latest version that contains them, as in the summary. */
  const pagesByVersion = new Map(
    [...tallied].map(([version, { questions }]) => [
      version,
      Map.groupBy(questions, ({ id, page }) => united.get(id)?.page ?? page),
    ]),
  );

  const groupTallies = groups && createGroupTallies(groups, versions, united);

  function toTallied(question: CountedQuestion, version: number): TalliedQuestion {
    const { id, type, countingRule } = question;
    const first = united.get(id);
    const tally = first?.tally ?? createQuestionTally(question, distinct);
    const { versions, otherVersions } = first ?? { versions: [], otherVersions: [] };
    if (first === undefined) united.set(id, { ...question, tally, versions, otherVersions });
    (first === undefined || first.type === type ? versions : otherVersions).push(version);
    tally.addUnchosen(countingRule, unchosen);
    return { ...question, tally };
  }

  function addVersion(version: number, { all, completed, counted }: VersionCounts): void {
    const before = versionCounts.get(version) ?? { all: 0, completed: 0, counted: 0 };
    versionCounts.set(version, {
      all: before.all + all,
      completed: before.completed + completed,
      counted: before.counted + counted,
    });
  }

  function addStops(questionId: string, { inProgress = 0, abandoned = 0, disqualified = 0 }: Partial<Stops>): void {
    const before = stops.get(questionId) ?? { inProgress: 0, abandoned: 0, disqualified: 0 };
    stops.set(questionId, {
      inProgress: before.inProgress + inProgress,
      abandoned: before.abandoned + abandoned,
      disqualified: before.disqualified + disqualified,
    });
  }

  function addHiddenPage(page: number, count: number): void {
    skips.set(page, (skips.get(page) ?? 0) + count);
  }

  function addConditions({ unmatched, lackingQuestion }: ConditionCounts): void {
    conditions = {
      unmatched: conditions.unmatched + unmatched,
      lackingQuestion: conditions.lackingQuestion + lackingQuestion,
    };
  }

  /** Counts the last answer of a response that is not completed. Returns the last page that the respondent has seen. */
  function addStop(status: ResponseStatus, questions: readonly TalliedQuestion[], data: ResponseData): number {
    if (status === 'completed') return Number.POSITIVE_INFINITY;
    const last = questions.findLast(({ id }) => Object.hasOwn(data, id));
    addStops(last?.id ?? NO_ANSWER, { [status === 'in_progress' ? 'inProgress' : status]: 1 });
    return last?.page ?? 0;
  }

  /** Counts pages before the last seen page whose questions were all hidden by logic. */
  function addHiddenPages(version: number, data: ResponseData, hidden: ReadonlySet<string>, lastPage: number): void {
    if (hidden.size === 0) return;
    for (const [listedPage, questions] of pagesByVersion.get(version) ?? []) {
      // `page` is the page in the version of the response.
      const isHidden = questions.every(({ id, page }) => page < lastPage && hidden.has(id) && !Object.hasOwn(data, id));
      if (isHidden) addHiddenPage(listedPage, 1);
    }
  }

  function add(response: TalliedResponse): void {
    const { surveyVersion, status, data: stored, isMatch = true, lacksQuestion = false } = response;
    const version = tallied.get(surveyVersion);
    if (version === undefined) return;
    if (!isMatch || lacksQuestion)
      addConditions({ unmatched: isMatch ? 0 : 1, lackingQuestion: lacksQuestion ? 1 : 0 });
    if (!isMatch) {
      // The version must stay in the counts: see `SummaryService.findVersions`.
      addVersion(surveyVersion, { all: 0, completed: 0, counted: 0 });
      return;
    }
    // Stored answers are valid for their version.
    const data = stored as ResponseData;
    const isCounted = status === countedStatus;
    addVersion(surveyVersion, { all: 1, completed: status === 'completed' ? 1 : 0, counted: isCounted ? 1 : 0 });
    times.add(response);
    const lastPage = addStop(status, version.questions, data);
    const hidden = new Set(version.hiddenBy(data));
    addHiddenPages(surveyVersion, data, hidden, lastPage);
    if (!isCounted) return;
    const inGroups = groupTallies?.add(response, data, hidden) ?? [];
    for (const question of version.questions) {
      const { id, page, countingRule, tally } = question;
      const answer = Object.hasOwn(data, id) ? data[id] : undefined;
      if (answer !== undefined) {
        tally.add(answer, countingRule);
        for (const group of inGroups) group.add(question, answer);
      } else if (page > lastPage || hidden.has(id)) {
        // A question was not shown if its page comes after the last seen page, or if logic hid it.
        tally.addNotShown();
        for (const group of inGroups) group.addNotShown(question);
      }
    }
  }

  /** The current version is listed even without responses. */
  function listedVersions(): readonly number[] {
    return [...versions.keys()].filter((version, index) => index === 0 || (versionCounts.get(version)?.all ?? 0) > 0);
  }

  function toQuestion(question: UnitedQuestion, responses: number): QuestionSummary {
    const { id, type, page, tally, versions, otherVersions } = question;
    const inVersions = [...versions, ...otherVersions].map((version) => versionCounts.get(version)?.counted ?? 0);
    const { answered, notShown, ...counts } = tally.summary();
    return {
      questionId: id,
      type,
      page: page + 1,
      versions,
      otherVersions,
      answered,
      skipped: responses - answered,
      shown: sum(inVersions) - notShown,
      ...counts,
    };
  }

  function dropOff(): readonly DropOff[] {
    return [NO_ANSWER, ...united.keys()].flatMap((questionId) => {
      const stopped = stops.get(questionId);
      if (stopped === undefined) return [];
      const { inProgress, abandoned, disqualified } = stopped;
      // `count` omits disqualified respondents, because the survey ended for them.
      return [{ questionId, count: inProgress + abandoned, abandoned, disqualified }];
    });
  }

  function statuses(): StatusCounts {
    const completed = sum([...versionCounts.values()].map((counts) => counts.completed));
    const stopped = [...stops.values()];
    return {
      completed,
      disqualified: sum(stopped.map(({ disqualified }) => disqualified)),
      inProgress: sum(stopped.map(({ inProgress }) => inProgress)),
      abandoned: sum(stopped.map(({ abandoned }) => abandoned)),
    };
  }

  return {
    /** Ignores responses to unknown versions. */
    add,
    times,

    /** Returns the counts. Add and merge nothing after this call. */
    counts(): SurveyCounts {
      const questions = new Map([...united].map(([id, { tally }]) => [id, tally.counts()]));
      const counts = { questions, versions: versionCounts, times: times.packed(), stops, skips, conditions };
      return toSurveyCounts({ ...counts, groups: groupTallies?.counts() ?? NO_GROUPS });
    },

    merge(counts: SurveyCounts): void {
      for (const [version, inVersion] of counts.versions) addVersion(version, inVersion);
      for (const [questionId, stopped] of counts.stops) addStops(questionId, stopped);
      for (const [page, count] of counts.skips) addHiddenPage(page, count);
      for (const [questionId, tally] of counts.questions) united.get(questionId)?.tally.merge(tally);
      addConditions(counts.conditions);
      groupTallies?.merge(counts.groups);
      times.merge(createSurveyTimes({ given: counts.times }));
    },

    summary(): SurveyCountsSummary {
      const responses = sum([...versionCounts.values()].map(({ counted }) => counted));
      const listed = new Set(listedVersions());
      const isListed = (version: number) => listed.has(version);
      const questions = [...united.values()]
        .map((question) => ({
          ...question,
          versions: question.versions.filter(isListed),
          otherVersions: question.otherVersions.filter(isListed),
        }))
        .filter(({ versions, otherVersions }) => versions.length + otherVersions.length > 0)
        .map((question) => toQuestion(question, responses));
      return {
        responses,
        versions: [...listed],
        questions,
        groups: undefined,
        ...(groupTallies && toCrosstab(questions, groupTallies)),
        dropOff: dropOff(),
        hiddenPages: new Map([...skips].map(([page, count]) => [page + 1, count])),
        statuses: statuses(),
        lackingQuestion: conditions.lackingQuestion,
      };
    },
  };
}

export function toSurveyCounts({
  conditions = NO_CONDITIONS,
  groups = NO_GROUPS,
  ...counts
}: Omit<SurveyCounts, 'size' | 'conditions' | 'groups'> &
  Partial<Pick<SurveyCounts, 'conditions' | 'groups'>>): SurveyCounts {
  const { questions, versions, times, stops, skips } = counts;
  const inQuestions = sum([...questions.values()].map(({ size }) => size));
  const inTimes = sum(Object.values(times).map(sizeOfPacked));
  const size = inQuestions + inTimes + stops.size + skips.size + versions.size + sizeOfGroups(groups);
  return { ...counts, conditions, groups, size };
}
